import { expect, test } from 'vitest'
import { finish } from '../../src/base/turns.js'
import { mergeFits, NO_QUERY, type PackedCurves, packFit } from '../../src/refresh/packed-curves.js'
import { SeededRandom, withSeed } from '../support/seed.js'

function packedOf(curves: ReadonlyMap<number, Uint8Array>): PackedCurves {
  let end = 0
  const ends = Array.from(curves.values(), ({ length }) => {
    end += length
    return end
  })
  return {
    ids: Uint32Array.from(curves.keys()),
    bytes: Buffer.concat([...curves.values()]),
    ends: Uint32Array.from(ends),
  }
}

function curvesOf({ ids, bytes, ends }: PackedCurves): Map<number, string> {
  const begins = [0, ...ends]
  return new Map(
    Array.from(ids, (id, nth) => [id, Buffer.from(bytes.subarray(begins[nth], ends[nth])).toString('hex')]),
  )
}

test('fits one after another are what a map of all curves is, and so is their merger', async () => {
  await withSeed('packed curves', async (seed) => {
    const random = new SeededRandom(seed)
    for (let round = 0; round < 50; round++) {
      const known = new Map<number, string>()
      const fits = Array.from({ length: random.int(6) }, () => {
        const put = new Map<number, Uint8Array>()
        for (let nth = random.int(20); nth > 0; nth--)
          put.set(random.int(40), Buffer.from(Array.from({ length: random.int(30) }, () => random.int(256))))
        const removed = Array.from({ length: random.int(5) }, () => random.int(40)).filter((id) => !put.has(id))
        for (const id of removed) known.delete(id)
        for (const [id, bytes] of put) known.set(id, Buffer.from(bytes).toString('hex'))
        return packFit(packedOf(put), Uint32Array.from(removed))
      })
      const merged = finish(mergeFits(fits))
      expect(curvesOf(merged)).toEqual(known)
      expect(curvesOf(finish(mergeFits([packFit(merged, new Uint32Array())])))).toEqual(known)
    }
  })
})

test('bytes that no fit has are known to be damaged, however they are cut or changed', () => {
  const packed = packFit(packedOf(new Map([[7, Buffer.from('curve')]])), Uint32Array.of(3))
  const isDamaged = (bytes: unknown) => finish(mergeFits([bytes])).ids.includes(NO_QUERY)
  expect(isDamaged(packed)).toBe(false)
  for (let length = 0; length < packed.length; length++) expect(isDamaged(packed.subarray(0, length))).toBe(true)
  // Where the head and the end of the curve have another number, lengths do not fit.
  for (const at of [0, 1, 4, 7, 12]) {
    const changed = Buffer.from(packed)
    changed[at] = 0xee
    expect(isDamaged(changed)).toBe(true)
  }
  for (const other of [undefined, null, 'text', 12]) expect(isDamaged(other)).toBe(true)
})
