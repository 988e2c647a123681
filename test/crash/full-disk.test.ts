/** A filesystem that is really full: what was acknowledged stays, and when there is room again writing goes on. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import { afterEach, expect, test } from 'vitest'
import { failureOf } from '../storage/specimen.js'
import { newPath } from '../storage/temporary-folder.js'
import { seededRandom } from '../support/seed.js'
import { OPTIONS, UPKEEP, type Written } from './batches.mjs'
import { ExpectedState } from './expected-state.js'
import { beginBatch, isPrompt, type Position, perform, positionAfter, stepsOf } from './steps.mjs'

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
    const last = await fill(folder, seed, expected)
    // Room for SQLite's index of its log, without which not even a reader can open.
    rmSync(ballast, { force: true })
    const index = await Freshdex.open<Written>(folder, { ...OPTIONS, upkeep: UPKEEP })
    expected.findIn(index, folder, { first: expected.position, last })
    await expected.expectWhole(index)
    await index.close()
    try {
      writeFileSync(ballast, Buffer.alloc(mebibytes * 100_000 * (2 - round)))
    } catch {
      rmSync(ballast, { force: true })
    }
  }
})

test('what was learnt waits for room on a full filesystem, and counts once', async ({ skip }) => {
  const disk = mount(2 * MEBIBYTE)
  if (disk === undefined) return skip('a full filesystem takes the right to mount one')
  const folder = path.join(disk, 'index')
  const ballast = path.join(disk, 'ballast')
  const workload = { learnFlushMs: 20, halfLifeMs: Number.MAX_VALUE }
  const index = await Freshdex.open<{ id: number; body: string }>(folder, {
    ...{ key: 'id', fields: { body: {} }, workload },
  })
  await index.write({ put: [{ id: 1, body: 'ferry' }] })
  const fillUp = () => {
    for (let bytes = 2 * MEBIBYTE; bytes >= 512; bytes /= 2) {
      try {
        writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' })
      } catch {}
    }
  }
  fillUp()
  for (let nth = 0; nth < 500; nth++) index.search(`word${nth} ${'x'.repeat(100)}`)
  expect(await failureOf(() => index.workload.flush())).toMatch(/^(?:DISK_FULL|IO)$/)
  // The timer tries again meanwhile, and fails in silence.
  await new Promise((resolve) => setTimeout(resolve, 100))
  rmSync(ballast)
  await index.workload.flush()
  await index.write({ put: [{ id: 2, body: 'market' }] })
  // A write that fails half-way ends the writer: what is learnt after that is lost, and nobody else is troubled.
  fillUp()
  let failure = 'none'
  for (let nth = 3; failure === 'none' || failure === 'BUSY'; nth++)
    failure = await failureOf(() => index.write({ put: [{ id: nth, body: 'boats '.repeat(1000) + nth }] }))
  index.search('ferry')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await failureOf(() => index.workload.flush())).toBe('POISONED')
  rmSync(ballast)
  await index.close()
  await using again = await Freshdex.open<{ id: number; body: string }>(folder, { workload })
  expect(again.stats().workload.queries).toBe(500)
  for (const { weight } of again.workload.queries()) expect(weight).toBe(1)
})

/**
 * Steps until the disk is full; `expected` ends as what was acknowledged. Gives the position that the last step would
 * have led to.
 */
async function fill(folder: string, seed: number, expected: ExpectedState): Promise<Position> {
  const index = await Freshdex.open<Written>(folder, { ...OPTIONS, upkeep: UPKEEP })
  let sent = expected.position
  for (let isFull = false; !isFull; ) {
    const { number, step } = expected.position
    beginBatch(index, number + 1)
    for (const [place, taken] of [...stepsOf(seed, number + 1).entries()].slice(step)) {
      sent = positionAfter(seed, number + 1, place)
      const failure = await failureOf(() => perform(index, taken))
      isFull = failure !== 'none'
      if (isFull) expect(failure).toMatch(/^(?:DISK_FULL|POISONED)$/)
      if (isFull) break
      // A plan says nothing of lessons that it could not keep.
      if (isPrompt(taken) || index.stats().frontier.learnt === expected.learntAt(sent)) expected.advance(sent)
    }
  }
  expected.expectIn(index)
  expect(await failureOf(() => index.write({}))).toBe('POISONED')
  expect(await failureOf(() => index.compact())).toBe('POISONED')
  expected.expectIn(index)
  await index.close()
  return sent
}
