/** A filesystem that is really full: what was acknowledged stays, and when there is room again writing goes on. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
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

/** Leaves no room on a filesystem of that size at most. */
function fillUp(ballast: string, most: number): void {
  for (let bytes = most; bytes >= 512; bytes /= 2) {
    try {
      writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' })
    } catch {}
  }
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
  fillUp(ballast, 2 * MEBIBYTE)
  for (let nth = 0; nth < 500; nth++) index.search(`word${nth} ${'x'.repeat(100)}`)
  expect(await failureOf(() => index.workload.flush())).toMatch(/^(?:DISK_FULL|IO)$/)
  // The timer tries again meanwhile, and fails in silence.
  await new Promise((resolve) => setTimeout(resolve, 100))
  rmSync(ballast)
  await index.workload.flush()
  await index.write({ put: [{ id: 2, body: 'market' }] })
  // A write that fails half-way ends the writer: what is learnt after that is lost, and nobody else is troubled.
  fillUp(ballast, 2 * MEBIBYTE)
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

/** Half of the words of each version are of no other one, so that a compaction writes everything anew in the end. */
function churned(id: number, version: number) {
  const words = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? `own${id}x${version}x${at}` : `shared${at}`))
  return { id, body: words.join(' ') }
}

test('a compaction that the disk has no room for changes nothing, and is done when there is room', async ({ skip }) => {
  const disk = mount(32 * MEBIBYTE)
  if (disk === undefined) return skip('a full filesystem takes the right to mount one')
  const folder = path.join(disk, 'index')
  const ballast = path.join(disk, 'ballast')
  const options = { key: 'id', fields: { body: {} }, upkeep: { logBytes: 50_000, partitionBytes: 20_000 } } as const
  const pages = (version: number) => Array.from({ length: 150 }, (_, id) => churned(id, version))
  const expectPages = async (index: Freshdex<{ id: number; body: string }>) => {
    const found = [...index.documents()].sort((a, b) => a.id - b.id)
    expect(found).toEqual(pages(3))
    expect(index.search('own7x3x10').total).toBe(1)
    expect(index.search('shared3', { limit: 0 }).total).toBe(150)
    expect(await index.check({ level: 3 })).toMatchObject({ ok: true, documents: 150 })
  }
  const failures = new Set<string>()
  // From no room at all to nearly enough: the compaction ends at another step each time.
  for (const left of [0, 2, 8, 32, 128].map((times) => times * 16_384)) {
    rmSync(ballast, { force: true })
    rmSync(folder, { recursive: true, force: true })
    const index = await Freshdex.open<{ id: number; body: string }>(folder, options)
    for (let version = 0; version <= 3; version++) await index.write({ put: pages(version) })
    fillUp(ballast, 32 * MEBIBYTE)
    truncateSync(ballast, statSync(ballast).size - left)
    const failure = await index.compact().then(
      () => 'none',
      ({ code, cause }) => `${code} ${cause?.code}`,
    )
    failures.add(failure)
    // What is read needs no room.
    expect(index.search('own7x3x10').total).toBe(1)
    expect(index.search('shared3', { limit: 0 }).total).toBe(150)
    rmSync(ballast)
    await index.close()
    const again = await Freshdex.open<{ id: number; body: string }>(folder, options)
    await expectPages(again)
    await again.compact()
    await expectPages(again)
    expect(again.stats().terms).toBe(150 * 100 + 100)
    await again.close()
  }
  expect(failures).toEqual(new Set(['POISONED DISK_FULL', 'none']))
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
