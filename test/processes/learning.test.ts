/** What processes teach an index, and what of it survives their end. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { SearchingProcess } from './searching-process.js'

interface Page {
  readonly id: number
  readonly body: string
}

const DESCRIPTION = { key: 'id', fields: { body: {} } } as const
/** Nothing is saved by a timer. */
const NEVER = 3_600_000
const forever = (more: object = {}) => ({ workload: { halfLifeMs: Number.MAX_VALUE, ...more } })

async function newIndex(folder = newPath(), more: object = {}): Promise<string> {
  const index = await Freshdex.open<Page>(folder, { ...DESCRIPTION, ...forever(more) })
  await index.write({ put: [{ id: 1, body: 'ferry market harbour' }] })
  await index.close()
  return folder
}

async function queriesOf(folder: string): Promise<Record<string, number>> {
  await using index = await Freshdex.open<Page>(folder)
  await index.workload.flush()
  return Object.fromEntries(
    index.workload.queries().map(({ query, weight }) => [query, Math.round(weight * 1e6) / 1e6]),
  )
}

/** As readers see it, who take nothing over. */
async function keptQueries(folder: string): Promise<number> {
  await using index = await Freshdex.open<Page>(folder, { readOnly: true })
  return index.stats().workload.queries
}

/** Looks again until it is so: the test ends by its time limit otherwise. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

const inboxRows = (folder: string) => {
  const db = new Database(path.join(folder, 'inbox.db'), { readonly: true, timeout: 5000 })
  try {
    return db.prepare('SELECT count(*) FROM learnt').pluck().get() as number
  } finally {
    db.close()
  }
}

/** Every byte of every file in the folder. */
function bytesOf(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Buffer.concat(files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name))))
}

describe('what a writer learns', () => {
  test('is kept without a close, after a time', async () => {
    const folder = await newIndex()
    const writer = await SearchingProcess.start(folder, { workload: { learnFlushMs: 50 } })
    for (const query of ['ferry', 'ferry', 'market']) await writer.ask(`search ${query}`)
    await until(async () => (await keptQueries(folder)) === 2)
    await writer.kill()
    expect(await queriesOf(folder)).toEqual({ ferry: 2, market: 1 })
  })

  test('is kept without a close, after a hundred queries', async () => {
    const folder = await newIndex()
    const writer = await SearchingProcess.start(folder, { workload: { learnFlushMs: NEVER } })
    for (let nth = 0; nth < 100; nth++) await writer.ask(`search word${nth}`)
    await until(async () => (await keptQueries(folder)) === 100)
    await writer.kill()
    expect(Object.keys(await queriesOf(folder))).toHaveLength(100)
  })

  test('is kept by a flush, and keeps no process alive', async () => {
    const folder = await newIndex()
    const writer = await SearchingProcess.start(folder, { workload: { learnFlushMs: NEVER } })
    await writer.ask('search ferry')
    await writer.ask('flush')
    await writer.ask('search market')
    expect(await writer.leave()).toBe(0)
    expect(await queriesOf(folder)).toEqual({ ferry: 1 })
  })

  test('survives a catalog that another program holds, and is counted once', async () => {
    const folder = await newIndex()
    const index = await Freshdex.open<Page>(folder, { workload: { learnFlushMs: 20 } })
    const held = new Database(path.join(folder, 'catalog.db'))
    held.exec('BEGIN IMMEDIATE')
    index.search('ferry')
    await expect(index.workload.flush()).rejects.toMatchObject({ code: 'BUSY' })
    held.exec('ROLLBACK')
    held.close()
    index.search('ferry')
    await index.workload.flush()
    expect(index.stats().workload.queries).toBe(1)
    await index.close()
    expect(await queriesOf(folder)).toEqual({ ferry: 2 })
  }, 30_000)

  test('costs an index in memory nothing', async () => {
    await using index = await Freshdex.open<Page>(':memory:', DESCRIPTION)
    index.search('ferry')
    await index.workload.flush()
    expect(index.workload.queries()).toHaveLength(1)
  })
})

describe('what readers learn', () => {
  test('reaches a writer that is there, and one that comes later', async () => {
    const folder = await newIndex()
    const writer = await Freshdex.open<Page>(folder, { workload: { learnFlushMs: 30 } })
    const readers = await Promise.all(
      [1, 2, 3].map(() => SearchingProcess.start(folder, { readOnly: true, workload: { learnFlushMs: 30 } })),
    )
    for (const reader of readers) for (const query of ['ferry', 'market', 'ferry']) await reader.ask(`search ${query}`)
    await until(() => writer.workload.queries().reduce((sum, { weight }) => sum + Math.round(weight), 0) === 9)
    await until(() => inboxRows(folder) === 0)
    await writer.close()
    for (const reader of readers) await reader.ask('search harbour')
    // A close leaves what a timer had not.
    for (const reader of readers) await reader.ask('close')
    for (const reader of readers) expect(await reader.leave()).toBe(0)
    expect(inboxRows(folder)).toBeGreaterThan(0)
    expect(await queriesOf(folder)).toEqual({ ferry: 6, market: 3, harbour: 3 })
    expect(inboxRows(folder)).toBe(0)
  })

  test('is taken over by a flush of the writer; records and clicks too', async () => {
    const folder = await newIndex()
    await using reader = await Freshdex.open<Page>(folder, { readOnly: true })
    await using writer = await Freshdex.open<Page>(folder, { workload: { learnFlushMs: NEVER } })
    reader.search('ferry')
    expect(reader.workload.record('harbour', { count: 3, at: 1e12 })).toBe(true)
    expect(reader.workload.record('har*')).toBe(false)
    reader.workload.click('ferry', 1, 2)
    await reader.workload.flush()
    await writer.workload.flush()
    expect(
      writer.workload
        .queries()
        .map(({ query }) => query)
        .sort(),
    ).toEqual(['ferry', 'harbour'])
    expect(writer.stats().workload).toMatchObject({ clicks: 1, learning: 'on', lost: 0 })
    await reader.catchUp()
    expect(reader.stats().workload).toMatchObject({ queries: 2, learning: 'on' })
    expect(() => reader.workload.clear()).toThrow(expect.objectContaining({ code: 'READ_ONLY' }))
    await expect(reader.workload.forget('ferry')).rejects.toMatchObject({ code: 'READ_ONLY' })
  })

  test('is known to the writer when it says what to refresh', async () => {
    const folder = await newIndex()
    await using writer = await Freshdex.open<Page>(folder, { workload: { learnFlushMs: NEVER } })
    expect(await writer.refresh.next({ budget: 1 })).toMatchObject({ basis: 'no-queries' })
    const reader = await Freshdex.open<Page>(folder, { readOnly: true })
    reader.search('ferry')
    await reader.close()
    const advice = await writer.refresh.next({ budget: 1, waitMs: 60_000, minIntervalMs: 0 })
    expect(advice).toMatchObject({ basis: 'learnt', learntShare: 1 })
    expect(advice.pages).toMatchObject([{ key: 1, stake: 1 }])
  })

  test('is counted once, though the writer dies between keeping it and clearing the inbox', async () => {
    const folder = await newIndex()
    const reader = await Freshdex.open<Page>(folder, { readOnly: true })
    reader.search('ferry')
    await reader.workload.flush()
    const inbox = path.join(folder, 'inbox.db')
    const before = readFileSync(inbox)
    expect(await queriesOf(folder)).toEqual({ ferry: 1 })
    // As if the rows had not been removed.
    writeFileSync(inbox, before)
    expect(await queriesOf(folder)).toEqual({ ferry: 1 })
    reader.search('ferry')
    await reader.close()
    expect(await queriesOf(folder)).toEqual({ ferry: 2 })
  })

  test('is hashed before it leaves the process under privacy: hash', async () => {
    const folder = await newIndex(newPath(), { privacy: 'hash' })
    // A reader that asks for texts does not get them.
    const reader = await Freshdex.open<Page>(folder, { readOnly: true, workload: { privacy: 'text' } })
    reader.search('confidential diagnosis')
    await reader.close()
    expect(inboxRows(folder)).toBe(1)
    expect(bytesOf(folder).includes('confidential')).toBe(false)
    const names = Object.keys(await queriesOf(folder))
    expect(names).toHaveLength(1)
    expect(names[0]).toMatch(/^[0-9a-f]{16}\.[0-9a-f]{16}$/)
  })

  test('is bounded, and what there is no room for is counted', async () => {
    const folder = await newIndex()
    const reader = await Freshdex.open<Page>(folder, { readOnly: true, workload: { learnFlushMs: NEVER } })
    // 3 bytes a letter: less than the longest text that is learnt.
    const long = '\u0915'.repeat(1000)
    const asked = 4000
    for (let nth = 0; nth < asked; nth++) {
      reader.search(`${nth} ${long}`)
      if (nth % 50 === 49) await reader.workload.flush()
    }
    await reader.close()
    const rows = inboxRows(folder)
    expect(rows).toBeLessThan(asked)
    expect(statSync(path.join(folder, 'inbox.db')).size).toBeLessThan(16 * 1024 * 1024)
    await using writer = await Freshdex.open<Page>(folder)
    await writer.workload.flush()
    expect(writer.stats().workload).toMatchObject({ queries: rows, lost: asked - rows })
  })

  test.each<[string, (file: string) => void]>([
    ['no database', (file) => writeFileSync(file, 'nothing of the kind')],
    ['somebody else’s database', (file) => new Database(file).exec('CREATE TABLE t (x)').close()],
    [
      'damaged',
      (file) => writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 4096), Buffer.alloc(9000, 7)])),
    ],
  ])('does no harm when the inbox is %s: it is replaced', async (_, harm) => {
    const folder = await newIndex()
    const inbox = path.join(folder, 'inbox.db')
    const first = await Freshdex.open<Page>(folder, { readOnly: true })
    if (_ === 'damaged') first.search('market')
    await first.close()
    harm(inbox)
    const reader = await Freshdex.open<Page>(folder, { readOnly: true })
    reader.search('ferry')
    await reader.workload.flush()
    expect(reader.search('ferry').total).toBe(1)
    {
      await using writer = await Freshdex.open<Page>(folder)
      await writer.workload.flush()
      expect(writer.stats().workload.inboxFailure).toMatch(/replaced/)
    }
    reader.search('harbour')
    await reader.close()
    expect(await queriesOf(folder)).toMatchObject({ harbour: 1 })
  })

  test('does not follow a link out of the folder', async () => {
    const folder = await newIndex()
    const outside = newPath('outside.db')
    writeFileSync(outside, '')
    symlinkSync(outside, path.join(folder, 'inbox.db'))
    await using reader = await Freshdex.open<Page>(folder, { readOnly: true })
    reader.search('ferry')
    await reader.workload.flush()
    expect(reader.stats().workload).toMatchObject({ learning: 'unavailable', lost: 1 })
    await using writer = await Freshdex.open<Page>(folder)
    await writer.workload.flush()
    expect(readFileSync(outside)).toHaveLength(0)
  })

  test('is left where nobody may write, and searches go on', async ({ skip }) => {
    const disk = newPath('disk')
    mkdirSync(disk, { recursive: true })
    try {
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', disk], { stdio: 'ignore' })
    } catch {
      return skip('a filesystem for reading takes the right to mount one')
    }
    try {
      const folder = path.join(disk, 'copy')
      const index = await Freshdex.open<Page>(await newIndex())
      await index.backup(folder)
      await index.close()
      execFileSync('mount', ['-o', 'remount,ro', disk])
      await using reader = await Freshdex.open<Page>(folder, { readOnly: true })
      expect(reader.stats().workload.learning).toBe('unavailable')
      expect(reader.search('ferry').total).toBe(1)
      await reader.workload.flush()
      expect(reader.stats().workload).toMatchObject({ learning: 'unavailable', lost: 1 })
    } finally {
      execFileSync('umount', ['-l', disk])
    }
  })

  test('is not part of a backup, which has it in its workload', async () => {
    const folder = await newIndex()
    const reader = await Freshdex.open<Page>(folder, { readOnly: true })
    reader.search('ferry')
    await reader.close()
    const copy = newPath('copy')
    await using writer = await Freshdex.open<Page>(folder, { workload: { learnFlushMs: NEVER } })
    await writer.backup(copy)
    expect(existsSync(path.join(copy, 'inbox.db'))).toBe(false)
    expect(await queriesOf(copy)).toEqual({ ferry: 1 })
  })

  test('learn: false and workload: false leave nothing', async () => {
    const folder = await newIndex()
    for (const workload of [{ learn: false }, false] as const) {
      const reader = await Freshdex.open<Page>(folder, { readOnly: true, workload })
      reader.search('ferry')
      expect(reader.stats().workload.learning).toBe('off')
      await reader.close()
    }
    expect(existsSync(path.join(folder, 'inbox.db'))).toBe(false)
  })
})
