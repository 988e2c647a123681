/** A filesystem that is really full: what was acknowledged stays, and when there is room again writing goes on. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import { afterEach, expect, test } from 'vitest'
import { failureOf } from '../disk/specimen.js'
import { newPath } from '../disk/temporary-folder.js'
import { seededRandom } from '../support/seed.js'
import { batchOf, OPTIONS, queryOf, timeOf, UPKEEP, type Written } from './batches.mjs'
import { ExpectedState } from './expected-state.js'

const MEBIBYTE = 1024 * 1024
const mounted: string[] = []

/** A new filesystem of this size, or undefined where the process may not make one. */
function mount(bytes: number): string | undefined {
  const folder = newPath('small')
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  mounted.push(folder)
  return folder
}

afterEach(() => {
  for (const folder of mounted.splice(0)) execFileSync('umount', ['-l', folder])
})

test.for([1, 2, 3])('a filesystem of %i MiB is filled, freed and filled again', async (mebibytes, { skip }) => {
  const disk = mount(mebibytes * MEBIBYTE)
  if (disk === undefined) return skip('a full filesystem takes the right to mount one')
  const seed = seededRandom(`full disk ${mebibytes}`).uint32()
  const folder = path.join(disk, 'index')
  const ballast = path.join(disk, 'ballast')
  writeFileSync(ballast, Buffer.alloc((mebibytes * MEBIBYTE) / 2))
  const expected = new ExpectedState(seed)
  for (let round = 0; round < 3; round++) {
    await fill(folder, seed, expected)
    // Room for SQLite's index of its log, without which not even a reader can open.
    rmSync(ballast, { force: true })
    const index = await Freshdex.open<Written>(folder, { ...OPTIONS, upkeep: UPKEEP })
    expect(index.stats().sequence - expected.number, `round ${round}, seed ${seed}`).toBeOneOf([0, 1])
    expected.advance(index.stats().sequence)
    await expected.expectWhole(index)
    await index.close()
    try {
      writeFileSync(ballast, Buffer.alloc(mebibytes * 100_000 * (2 - round)))
    } catch {
      rmSync(ballast, { force: true })
    }
  }
})

/** Batches until the disk is full; `expected` ends as what was acknowledged. */
async function fill(folder: string, seed: number, expected: ExpectedState): Promise<void> {
  const index = await Freshdex.open<Written>(folder, { ...OPTIONS, upkeep: UPKEEP })
  for (;;) {
    const number = expected.number + 1
    const { put, remove } = batchOf(seed, number)
    index.workload.record(queryOf(number), { at: timeOf(number) })
    const failure = await failureOf(() => index.write({ put, remove }, { at: timeOf(number) }))
    if (failure !== 'none') {
      expect(failure).toMatch(/^(?:DISK_FULL|POISONED)$/)
      break
    }
    expected.advance(number)
  }
  expected.expectIn(index)
  expect(await failureOf(() => index.write({}))).toBe('POISONED')
  expect(await failureOf(() => index.compact())).toBe('POISONED')
  expected.expectIn(index)
  await index.close()
}
