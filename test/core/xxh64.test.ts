import { expect, it } from 'vitest'
import xxhash from 'xxhash-wasm'
import { loadAddon } from '../../src/core/binding.js'
import { seededRandom } from '../support/seed.js'

it('the hash of the core is that of xxhash-wasm, for every length and any seed', async () => {
  const { h64Raw } = await xxhash()
  const { xxh64 } = loadAddon()
  const random = seededRandom('xxh64')
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length }, () => random.int(256))
    const seed = (BigInt(random.int(2 ** 32)) << 32n) | BigInt(random.int(2 ** 32))
    expect(xxh64(bytes, seed), `length ${length}, seed ${seed}`).toBe(h64Raw(bytes, seed))
  }
})
