/** One process writes, another reads the same folder. FRESHDEX_LONG=1: many more batches. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Freshdex, type Snapshot } from 'freshdex'
import { expect, test } from 'vitest'
import { failureOf } from '../storage/specimen.js'
import { newDiskPath } from '../storage/temporary-folder.js'
import { rounds } from '../support/rounds.js'
import { batchOf, OPTIONS, type Page, UPKEEP } from './generations.mjs'
import { Witness } from './witness.js'
import { WriterProcess } from './writer-process.js'

const GENERATIONS = rounds(200, 4_000)

const openReader = (folder: string, pollMs: number) => Freshdex.open<Page>(folder, { readOnly: true, pollMs })
/** Only when it is asked to. */
const NEVER_MS = 2 ** 31 - 1

test('readers see one generation at a time, and each later than the last', async () => {
  const folder = newDiskPath()
  const writer = new WriterProcess(folder, GENERATIONS)
  await writer.reaches(1)
  const polling = { reader: await openReader(folder, 1), witness: new Witness() }
  const asking = { reader: await openReader(folder, NEVER_MS), witness: new Witness() }
  while (writer.isRunning) {
    polling.witness.follow(polling.reader)
    const due = writer.acknowledged
    await asking.reader.catchUp()
    asking.witness.follow(asking.reader)
    // Everything that was acknowledged before the call is there after it.
    expect(asking.witness.generation).toBeGreaterThanOrEqual(due)
    await nextTurn()
  }
  await writer.ends()
  for (const { reader, witness } of [polling, asking]) {
    await reader.catchUp()
    witness.follow(reader)
    expect(witness.generation).toBe(GENERATIONS)
    expect(await reader.check()).toMatchObject({ ok: true, faults: [] })
    await reader.close()
  }
  const moments = { polling: polling.witness.moments, asking: asking.witness.moments }
  console.log('generations', GENERATIONS, 'seen', moments)
  expect(Math.min(moments.polling, moments.asking)).toBeGreaterThan(GENERATIONS / 100)
})

test('Snapshots of a reader keep neither the writer nor the reader from going on', async () => {
  const folder = newDiskPath()
  const writer = new WriterProcess(folder, GENERATIONS)
  await writer.reaches(3)
  const reader = await openReader(folder, 1)
  const witness = new Witness()
  const held: { snapshot: Snapshot<Page>; generation: number }[] = []
  const hold = () => {
    const snapshot = reader.snapshot()
    held.push({ snapshot, generation: witness.look(snapshot) })
  }
  hold()
  while (writer.isRunning) {
    witness.follow(reader)
    if (held.length < 6 && witness.generation > (held.at(-1)?.generation as number) + 20) hold()
    for (const { snapshot, generation } of held) expect(witness.look(snapshot)).toBe(generation)
    await nextTurn()
  }
  // All of them were written while the first Snapshot was open.
  await writer.ends()
  expect(writer.acknowledged).toBe(GENERATIONS)
  await reader.catchUp()
  witness.follow(reader)
  expect(witness.generation).toBe(GENERATIONS)
  for (const { snapshot, generation } of held) expect(witness.look(snapshot)).toBe(generation)
  expect(held.length).toBeGreaterThan(1)
  await reader.close()
})

test('a reader may be opened at any moment, also while the index is being made', async () => {
  const folder = newDiskPath()
  const writer = new WriterProcess(folder, GENERATIONS / 2)
  const witness = new Witness()
  const openings = { early: 0, done: 0 }
  while (writer.isRunning) {
    try {
      const reader = await openReader(folder, NEVER_MS)
      witness.follow(reader)
      openings.done++
      await reader.close()
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'NOT_FOUND') throw error
      openings.early++
    }
    await nextTurn()
  }
  await writer.ends()
  console.log('openings', openings)
  expect(openings.done).toBeGreaterThan(5)
})

test('a second writer is refused at once, and none is when the first was killed', async () => {
  const folder = newDiskPath()
  const witness = new Witness()
  let reader: Freshdex<Page> | undefined
  let snapshot: { shown: Snapshot<Page>; generation: number } | undefined
  for (let round = 1; round <= rounds(2, 40); round++) {
    const writer = new WriterProcess(folder)
    await writer.reaches(witness.generation + 1)
    reader ??= await openReader(folder, 1)
    await writer.reaches(witness.generation + 25)
    expect(await failureOf(() => Freshdex.open<Page>(folder, OPTIONS))).toBe('LOCKED')
    witness.follow(reader)
    snapshot ??= { shown: reader.snapshot(), generation: witness.generation }
    await writer.kill()
    const index = await Freshdex.open<Page>(folder, { ...OPTIONS, upkeep: UPKEEP })
    const found = witness.look(index)
    expect(found - writer.acknowledged).toBeOneOf([0, 1])
    for (let next = found + 1; next <= found + 10; next++) {
      await index.write(batchOf(next))
      witness.follow(reader)
    }
    await reader.catchUp()
    witness.follow(reader)
    expect(witness.generation).toBe(found + 10)
    expect(witness.look(snapshot.shown)).toBe(snapshot.generation)
    expect(await index.check()).toMatchObject({ ok: true, faults: [] })
    await index.close()
  }
  await reader?.close()
})
