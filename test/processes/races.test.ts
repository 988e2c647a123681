/** Several processes and threads at one index at the same moment: one of them writes, and nothing is harmed. */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { Freshdex } from '../../src/index.js'
import { newDiskPath, newPath } from '../storage/temporary-folder.js'
import { rounds } from '../support/rounds.js'

interface Page {
  id: string
  body: string
}

const CHILD = fileURLToPath(new URL('racing-child.mjs', import.meta.url))
const RACERS = 4

interface Finish {
  /** How often it had the lock, and how often another one had. */
  readonly open: number
  readonly locked: number
  /** The keys that were acknowledged. */
  readonly written: readonly string[]
}

async function finishOf(racer: ReturnType<typeof fork> | Worker): Promise<Finish> {
  const [[said]] = await Promise.all([once(racer, 'message'), once(racer, 'exit')])
  return said as Finish
}

async function keysOf(folder: string): Promise<Set<string>> {
  const index = await Freshdex.open<Page>(folder, { key: 'id', fields: { body: {} } })
  try {
    expect(await index.check()).toMatchObject({ ok: true })
    return new Set([...index.keys()].map(String))
  } finally {
    await index.close()
  }
}

test('of writers that race for the lock each has it in turn, and all that they wrote is there', async () => {
  const folder = newDiskPath()
  const turns = rounds(4, 30)
  const racers = Array.from({ length: RACERS }, (_, nth) => fork(CHILD, [folder, `racer${nth}`, String(turns)]))
  const finishes = await Promise.all(racers.map(finishOf))
  for (const { open, written } of finishes) {
    expect(open).toBe(turns)
    expect(written).toHaveLength(turns)
  }
  expect(await keysOf(folder)).toEqual(new Set(finishes.flatMap(({ written }) => written)))
})

test.runIf(process.platform === 'linux')(
  'on a slow disk, too: between a lock and the first sign of it there is time for another one',
  async () => {
    const library = `${newPath('slow')}.so`
    mkdirSync(path.dirname(library), { recursive: true })
    const source = fileURLToPath(new URL('../crash/failing_disk.c', import.meta.url))
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
    const folder = newDiskPath()
    const turns = rounds(2, 15)
    const env = { ...process.env, LD_PRELOAD: library, FAILING_DISK_FOLDER: folder, FAILING_DISK_DELAY: '10000' }
    const racers = ['one', 'two'].map((name) => fork(CHILD, [folder, name, String(turns)], { env }))
    const finishes = await Promise.all(racers.map(finishOf))
    expect(finishes.map(({ written }) => written.length)).toEqual([turns, turns])
    expect(finishes.reduce((sum, { locked }) => sum + locked, 0)).toBeGreaterThan(0)
    expect(await keysOf(folder)).toEqual(new Set(finishes.flatMap(({ written }) => written)))
  },
)

test('a process forked beside an open index, and a thread in it, have nothing of it', async () => {
  const folder = newDiskPath()
  const index = await Freshdex.open<Page>(folder, { key: 'id', fields: { body: {} } })
  await index.write({ put: [{ id: 'ours', body: 'words of this process' }] })
  const snapshot = index.snapshot()
  // Both try once, find the lock taken, read beside the writer, and end; what they end is theirs alone.
  const child = fork(CHILD, [folder, 'forked', '0'])
  const thread = new Worker(CHILD, { workerData: [folder, 'thread', '0'] })
  const finishes = await Promise.all([child, thread].map(finishOf))
  expect(finishes).toEqual([0, 1].map(() => ({ open: 0, locked: 1, written: [], read: 1 })))
  await index.write({ put: [{ id: 'ours too', body: 'more words of this process' }] })
  expect(snapshot.search('words').total).toBe(1)
  snapshot.close()
  expect(index.search('words').total).toBe(2)
  await index.close()
  expect(await keysOf(folder)).toEqual(new Set(['ours', 'ours too']))
})
