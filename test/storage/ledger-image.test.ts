/** The ledger image: a cache of a large ledger, which counts only if it is exactly as the rows are. */
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { readJudgementImage, writeJudgementImage } from '../../src/catalog/judgement-image.js'
import { readLedgerImage, writeLedgerImage } from '../../src/catalog/ledger-image.js'
import { loadLedger } from '../../src/catalog/ledger-thread.js'
import { storedPrioritizer } from '../../src/catalog/prioritizer-rows.js'
import { StoredView } from '../../src/catalog/stored-view.js'
import { COLUMN_NAMES } from '../../src/ledger/layout.js'
import { Ledger } from '../../src/ledger/ledger.js'
import { RefreshHistory, THREAD_DOCUMENTS } from '../../src/refresh/history.js'
import { SteadyJudge } from '../../src/refresh/judge/steady-judge.js'
import { IndexFolder } from '../../src/storage/folder.js'
import { fullLedger } from '../support/ledgers.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { newPath } from './temporary-folder.js'

const DAY_MS = 86_400_000
const START = Date.UTC(2025, 0, 1)
const NOW = START + 40 * DAY_MS
const COUNT = THREAD_DOCUMENTS + 300

describe('the file', () => {
  test('gives back the ledger that it was made of', () => {
    withSeed('ledger image', (seed) => {
      const random = new SeededRandom(seed)
      const { ledger } = fullLedger(random, random.between(1, 2500))
      for (let doc = 0; doc < ledger.rows; doc++)
        ledger.sections.place(doc, `https://a.example/${doc % 5}/é${doc % 3}/x`)
      const file = newPath()
      writeLedgerImage(file, 'key', ledger.parts())
      const parts = readLedgerImage(file, 'key')!
      const again = new Ledger()
      again.takeOver(parts)
      expect(again.rows).toBe(ledger.rows)
      expect(again.totals()).toEqual(ledger.totals())
      for (let doc = 0; doc < ledger.rows; doc++) {
        expect(again.rowOf(doc)).toEqual(ledger.rowOf(doc))
        expect(again.sections.of(doc)).toBe(ledger.sections.of(doc))
      }
      // It goes on as the other does.
      for (const each of [ledger, again]) {
        each.sections.place(ledger.rows, 'https://a.example/3/new/x')
        each.created(each.rows, NOW)
        for (let doc = each.rows; doc < 5000; doc++) each.created(doc, NOW)
      }
      expect(again.sections.of(again.rows - 1)).toBe(ledger.sections.of(ledger.rows - 1))
      expect(again.rowOf(4999)).toEqual(ledger.rowOf(4999))
    })
  })

  test('of another key, another layout, or with any damage is none', () => {
    const { ledger } = fullLedger(new SeededRandom(7), 600)
    const file = newPath()
    writeLedgerImage(file, 'key', ledger.parts())
    expect(readLedgerImage(file, 'other')).toBeUndefined()
    expect(readLedgerImage(newPath(), 'key')).toBeUndefined()
    const whole = readFileSync(file)
    const random = new SeededRandom(8)
    const changed = newPath()
    for (let round = 0; round < 60; round++) {
      const bytes = Buffer.from(whole)
      // The header more often than its size would have it.
      const at = random.chance(0.3) ? random.int(4000) : random.int(bytes.length)
      bytes[at] = bytes[at]! ^ (1 << random.int(8))
      writeFileSync(changed, bytes)
      // Padding between the pieces means nothing.
      const read = readLedgerImage(changed, 'key')
      if (read !== undefined)
        for (const name of COLUMN_NAMES)
          expect(read.columns[name].slice(0, 600)).toEqual(ledger.parts().columns[name].slice(0, 600))
    }
    for (const length of [0, 7, 16, 100, whole.length >> 1, whole.length - 1024]) {
      copyFileSync(file, changed)
      truncateSync(changed, length)
      expect(readLedgerImage(changed, 'key')).toBeUndefined()
    }
    const other = Buffer.from(whole.toString('latin1').replace('present:Uint8Array', 'present:Uint9Array'), 'latin1')
    writeFileSync(changed, other)
    expect(readLedgerImage(changed, 'key')).toBeUndefined()
  })
})

describe('the file of a judgement', () => {
  const judged = (seed: number) => {
    const { ledger, nowMs: atMs } = fullLedger(new SeededRandom(seed), 700)
    for (let doc = 0; doc < ledger.rows; doc++) ledger.sections.place(doc, `https://a.example/${doc % 5}/${doc}`)
    const judge = new SteadyJudge(ledger)
    judge.best({ policy: 'quality-utility', atMs, minIntervalMs: 0, count: 5 })
    return { parts: ledger.parts(), judgement: judge.kept()!, ledger }
  }

  test('gives back what the judge knew', () => {
    const { parts, judgement } = judged(7)
    const file = newPath()
    writeJudgementImage(file, 'key', parts, judgement)
    expect(readJudgementImage(file, 'key', parts)).toEqual(judgement)
  })

  test('of another key, of other sections, or with any damage is none', () => {
    const { parts, judgement, ledger } = judged(8)
    const file = newPath()
    writeJudgementImage(file, 'key', parts, judgement)
    expect(readJudgementImage(file, 'other', parts)).toBeUndefined()
    expect(readJudgementImage(newPath(), 'key', parts)).toBeUndefined()
    const whole = readFileSync(file)
    const random = new SeededRandom(9)
    const changed = newPath()
    for (let round = 0; round < 60; round++) {
      const bytes = Buffer.from(whole)
      const at = random.int(bytes.length)
      bytes[at] = bytes[at]! ^ (1 << random.int(8))
      writeFileSync(changed, bytes)
      const read = readJudgementImage(changed, 'key', parts)
      if (read !== undefined) expect(read).toEqual(judgement)
    }
    for (const length of [0, 7, 16, 100, whole.length >> 1, whole.length - 1]) {
      copyFileSync(file, changed)
      truncateSync(changed, length)
      expect(readJudgementImage(changed, 'key', parts)).toBeUndefined()
    }
    ledger.sections.place(3, 'https://b.example/other/3')
    expect(readJudgementImage(file, 'key', ledger.parts())).toBeUndefined()
  })
})

interface Page {
  readonly url: string
  readonly text: string
}

const OPTIONS = {
  key: 'url',
  fields: { text: {} },
  workload: { learn: false, halfLifeMs: Number.POSITIVE_INFINITY },
} as const

const page = (nth: number): Page => ({
  url: `https://host${nth % 9}.example/${nth % 40}/${nth}`,
  text: `word${nth % 50}`,
})

async function makeIndex(folder: string): Promise<void> {
  const index = await Freshdex.open<Page>(folder, OPTIONS)
  await index.write({ put: Array.from({ length: COUNT }, (_, nth) => page(nth)) }, { at: START })
  await index.workload.load(Array.from({ length: 20 }, (_, nth) => [`word${nth}`, 1 + nth] as const))
  await index.refresh.fit()
  await index.refresh.observe(page(3).url, { outcome: 'changed', at: START + DAY_MS })
  await index.close()
}

async function looksOf(folder: string, options = {}) {
  await using index = await Freshdex.open<Page>(folder, { ...OPTIONS, ...options })
  const { pages } = await index.refresh.next({ budget: 50, at: NOW, waitMs: 60_000 })
  const { ledger } = index.stats()
  return { pages, documents: ledger.documents, explained: index.refresh.explain(page(3).url, { at: NOW }) }
}

describe('a large index in a folder', () => {
  test('is read by a thread for questions that cannot wait, with an image and without', async () => {
    const folder = newPath()
    await makeIndex(folder)
    const files = new IndexFolder(folder)
    const view = StoredView.open(files.catalog)
    view.pin()
    const stored = storedPrioritizer(() => view)
    const byRows = new RefreshHistory(stored)
    byRows.load(NOW)
    const never = () => {
      throw new Error('read on the thread of the caller')
    }
    for (const hasImage of [true, false]) {
      if (!hasImage) rmSync(files.ledgerImage)
      const loading = (nowMs: number) => loadLedger(files, nowMs)
      const history = new RefreshHistory({ ...stored, loadLedger: loading, rows: never, keys: never })
      history.load(NOW)
      expect(history.ledger.totals().pages).toBe(COUNT)
      for (let doc = 0; doc < history.ledger.rows; doc++)
        expect(history.ledger.rowOf(doc)).toEqual(byRows.ledger.rowOf(doc))
    }
    view.close()
  })

  test('that another process writes goes on answering by what is known until the newer state is there', async () => {
    const folder = newPath()
    await makeIndex(folder)
    await using writer = await Freshdex.open<Page>(folder, OPTIONS)
    await using reader = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true, pollMs: 5 })
    await reader.refresh.ready()
    const refreshes = () => reader.refresh.explain(page(3).url, { at: NOW })?.refreshes
    expect(refreshes()).toBe(1)
    await writer.refresh.observe(page(3).url, { outcome: 'same', at: START + 2 * DAY_MS })
    await writer.write({ put: [page(COUNT)] }, { at: START + 3 * DAY_MS })
    while (!reader.has(page(COUNT).url)) await new Promise((resolve) => setImmediate(resolve))
    // Now a thread reads the newer one. A document that came since has no history yet, and is no fault.
    expect(refreshes()).toBe(1)
    expect(reader.search('word1', { refresh: true, limit: 1000 }).total).toBeGreaterThan(0)
    expect(reader.refresh.explain(page(COUNT).url, { at: NOW })).toBeUndefined()
    await reader.catchUp()
    expect(refreshes()).toBe(2)
    expect(reader.refresh.explain(page(COUNT).url, { at: NOW })).toMatchObject({ refreshes: 0 })
    // What is asked for and can wait is as new as the call.
    await writer.refresh.observe(page(3).url, { outcome: 'same', at: START + 4 * DAY_MS })
    await writer.write({ put: [page(COUNT + 1)] }, { at: START + 5 * DAY_MS })
    while (!reader.has(page(COUNT + 1).url)) await new Promise((resolve) => setImmediate(resolve))
    await reader.refresh.next({ budget: 1, at: NOW })
    expect(refreshes()).toBe(3)
  })

  test('has an image after its close, and says the same with it, without it, and beside a newer state', async () => {
    const folder = newPath()
    await makeIndex(folder)
    const image = path.join(folder, 'ledger.img')
    expect(statSync(image).size).toBeGreaterThan(COUNT * 200)
    const withImage = await looksOf(folder, { readOnly: true })
    expect(withImage.documents).toBe(COUNT)
    rmSync(image)
    expect(await looksOf(folder, { readOnly: true })).toEqual(withImage)
    // A writer puts it back when it is closed.
    expect(await looksOf(folder)).toEqual(withImage)
    expect(existsSync(image)).toBe(true)
    // With it goes what its judge knew, by which everybody says the same, and without which, too.
    const judgement = path.join(folder, 'judgement.img')
    expect(existsSync(judgement)).toBe(true)
    expect(await looksOf(folder, { readOnly: true })).toEqual(withImage)
    const known = readFileSync(judgement)
    known[known.length >> 1] = known[known.length >> 1]! ^ 255
    writeFileSync(judgement, known)
    expect(await looksOf(folder, { readOnly: true })).toEqual(withImage)
    expect(await looksOf(folder)).toEqual(withImage)
    const old = readFileSync(image)
    {
      await using index = await Freshdex.open<Page>(folder, OPTIONS)
      await index.refresh.observe(page(5).url, { outcome: 'changed', at: START + 2 * DAY_MS })
    }
    const newer = await looksOf(folder, { readOnly: true })
    // An image of before is not believed.
    writeFileSync(image, old)
    expect(await looksOf(folder, { readOnly: true })).toEqual(newer)
    await using index = await Freshdex.open<Page>(folder, OPTIONS)
    expect((await index.check()).faults).toEqual([])
    expect(index.refresh.explain(page(5).url)?.changes).toBe(1)
    const copy = newPath()
    await index.backup(copy)
    for (const cache of ['ledger.img', 'judgement.img']) expect(existsSync(path.join(copy, cache))).toBe(false)
  })

  test('with a damaged image reads the rows', async () => {
    const folder = newPath()
    await makeIndex(folder)
    const looks = await looksOf(folder, { readOnly: true })
    const image = path.join(folder, 'ledger.img')
    const bytes = readFileSync(image)
    bytes[bytes.length >> 1] = bytes[bytes.length >> 1]! ^ 255
    writeFileSync(image, bytes)
    expect(await looksOf(folder, { readOnly: true })).toEqual(looks)
  })

  test('is read by whoever cannot wait, and by a write', async () => {
    const folder = newPath()
    await makeIndex(folder)
    {
      await using index = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true })
      expect(index.refresh.explain(page(3).url)?.changes).toBe(1)
      expect(index.search('word3', { refresh: true, at: NOW }).hits[0]?.refresh?.stake).toBeGreaterThan(0)
    }
    await using index = await Freshdex.open<Page>(folder, OPTIONS)
    await index.write({ put: [{ ...page(3), text: 'word1' }] }, { at: START + 9 * DAY_MS })
    expect(index.refresh.explain(page(3).url)).toMatchObject({ refreshes: 2, changes: 2 })
    const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
    expect(db.prepare('SELECT count(*) FROM ledger').pluck().get()).toBe(COUNT)
    db.close()
  })

  test('is loaded after its opening for writing, before anybody asks, and can be closed meanwhile', async () => {
    const folder = newPath()
    await makeIndex(folder)
    const closed = await Freshdex.open<Page>(folder, OPTIONS)
    await closed.close()
    await using index = await Freshdex.open<Page>(folder, OPTIONS)
    await expect.poll(() => index.stats().ledger.documents, { timeout: 60_000 }).toBe(COUNT)
    expect((await index.refresh.next({ budget: 50, at: NOW })).pages).toHaveLength(50)
    await using reader = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true })
    expect(reader.stats().ledger.documents).toBe(0)
  })
})
