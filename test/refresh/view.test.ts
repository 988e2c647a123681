/**
 * The SQL views: refresh_priorities says what the last judgement by the policy of the index said, and stored_documents
 * has the fields of documents as JSON, in whatever program opens the catalog.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { DAY_MS, OPTIONS, type Options, openOrchard, PAGES, type Page, page, START, url } from './orchard.js'

interface PriorityRow {
  readonly key: string
  readonly priority: number | null
  readonly stake: number | null
  readonly expected_gain: number | null
  readonly current_probability: number | null
  readonly judged_at: string | null
  readonly age_ms: number
  readonly refreshed: string
  readonly refreshes: number
  readonly changes: number
  readonly last_outcome: string
  readonly errors: number
  readonly doc: number
}

function rowsOf(folder: string): PriorityRow[] {
  const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
  const rows = db.prepare('SELECT * FROM refresh_priorities ORDER BY priority DESC').all() as PriorityRow[]
  db.close()
  return rows
}

const NOW = START + 100 * DAY_MS

/** Each row against the index, at the moment of the judgement. */
function expectAgreement(rows: readonly PriorityRow[], index: Freshdex<Page>): void {
  for (const row of rows) {
    const explained = index.refresh.explain(row.key, { at: NOW })!
    const { refreshes, changes, errors, lastOutcome, refreshedAt } = explained
    expect(row).toMatchObject({ refreshes, changes, errors, last_outcome: lastOutcome })
    expect(row.priority).toBeCloseTo(explained.priority, 9)
    expect(row.stake).toBeCloseTo(explained.stake, 6)
    expect(row.expected_gain).toBeCloseTo(explained.expectedGain, 6)
    expect(row.current_probability).toBeCloseTo(explained.currentProbability, 9)
    expect(row.judged_at).toBe(new Date(NOW).toISOString().slice(0, 19).replace('T', ' '))
    expect(Math.abs(Date.parse(`${row.refreshed}Z`) - refreshedAt)).toBeLessThan(1000)
  }
}

async function randomLife(folder: string, random: SeededRandom, options: Options = {}): Promise<void> {
  await using index = await openOrchard(folder, options)
  for (let step = 1; step <= 15; step++) {
    const at = START + step * DAY_MS * (0.5 + random.next())
    const nth = random.int(PAGES.length)
    const known = index.has(url(nth))
    const kind = known ? random.int(5) : 0
    if (kind === 0) await index.write({ put: [page(nth, random.pick(['', 'pear', 'quince plum', 'other']))] }, { at })
    if (kind === 1)
      await index.write({ put: [{ ...page(nth), title: random.pick(['apple', 'quince', 'none']) }] }, { at })
    if (kind === 2) await index.write({ remove: [url(nth)] }, { at })
    if (kind > 2)
      await index.refresh.observe(url(nth), { outcome: random.pick(['same', 'changed', 'gone', 'error']), at })
  }
  await index.refresh.fit()
  await index.refresh.next({ budget: 3, at: NOW })
}

describe('the view of priorities', () => {
  test.each<[string, Options]>([
    ['the default', {}],
    ['another policy', { refresh: { policy: 'oldest-first' } }],
  ])('shows all documents of a small index as the last next judged them, by %s', (_, options) =>
    withSeed('view', async (seed) => {
      for (let round = 0; round < 4; round++) {
        const folder = newPath()
        await randomLife(folder, new SeededRandom(seed + round), options)
        await using index = await Freshdex.open<Page>(folder, { ...OPTIONS, ...options, readOnly: true })
        const rows = rowsOf(folder)
        const { pages } = await index.refresh.next({ budget: 3, at: NOW })
        const best = pages.map(({ key }) => key)
        expect(rows.slice(0, 20).filter(({ key }) => best.includes(key))).toHaveLength(best.length)
        if (options.refresh === undefined) expect(rows[0]?.key).toBe(best[0])
        expectAgreement(rows, index)
      }
    }),
  )

  test('has no priority before somebody asked what is next, nor for a document that is new since', async () => {
    const folder = newPath()
    const index = await openOrchard(folder)
    expect(rowsOf(folder).map(({ priority }) => priority)).toEqual(PAGES.map(() => null))
    expect(rowsOf(folder)[0]).toMatchObject({ expected_gain: null, current_probability: null, judged_at: null })
    // Not by the policy of the index: nothing of that is shown.
    await index.refresh.next({ budget: 3, at: NOW, policy: 'oldest-first' })
    await index.refresh.next({ budget: 3, at: NOW })
    await index.write({ put: [page(50)], remove: [url(1)] }, { at: NOW + DAY_MS })
    await index.write({ put: [page(1)] }, { at: NOW + DAY_MS })
    await index.close()
    const byKey = new Map(rowsOf(folder).map((row) => [row.key, row]))
    expect(byKey.get(url(50))?.priority).toBeNull()
    expect(byKey.get(url(1))?.priority).toBeNull()
    expect(byKey.get(url(2))?.priority).toBeGreaterThan(0)
    expect(byKey.get(url(50))?.stake).toBeGreaterThanOrEqual(0)
  })

  test('is empty for an empty index', async () => {
    const folder = newPath()
    await using index = await Freshdex.open<Page>(folder, OPTIONS)
    expect(rowsOf(folder)).toEqual([])
    await index.write({ put: [page(0)] }, { at: START })
    await index.write({ remove: [url(0)] }, { at: START })
    expect(rowsOf(folder)).toEqual([])
  })

  test('answers questions in SQL while the writer is at work', async () => {
    const folder = newPath()
    await using index = await openOrchard(folder)
    await index.write({ put: [{ ...page(3), body: 'quince' }] }, { at: START + DAY_MS })
    const { pages } = await index.refresh.next({ budget: 3 })
    const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
    const best = db.prepare(
      'SELECT key FROM refresh_priorities WHERE priority IS NOT NULL ORDER BY priority DESC LIMIT 3',
    )
    // It is kept beside everything else.
    while (best.pluck().all().length < 3) await new Promise(setImmediate)
    expect(best.pluck().all()).toEqual(pages.map(({ key }) => key))
    const changed = "SELECT key, refreshes FROM refresh_priorities WHERE last_outcome = 'changed'"
    expect(db.prepare(changed).all()).toEqual([{ key: url(3), refreshes: 1 }])
    expect(db.prepare('SELECT total(stake) FROM refresh_priorities').pluck().get()).toBeCloseTo(1, 6)
    expect(db.prepare('SELECT total(expected_gain) FROM refresh_priorities').pluck().get()).toBeCloseTo(1, 6)
    // The tables behind it: which queries did the last refresh of a page move?
    expect(db.prepare('SELECT name, weight FROM queries ORDER BY id').all()).toEqual([
      { name: 'apple', weight: 4 },
      { name: 'pear', weight: 2 },
      { name: 'apple plum', weight: 3 },
      { name: 'quince', weight: 1 },
    ])
    db.close()
  })
})

describe('the view of stored documents', () => {
  test('has fields as JSON, to be joined by key', async () => {
    const folder = newPath()
    const index = await openOrchard(folder, { storeAs: 'json' })
    await index.write({ put: [{ ...page(0), links: Number.NaN }] })
    await index.refresh.next({ budget: 1 })
    expect(index.get(url(3))).toEqual(page(3))
    expect(index.get(url(0))?.links).toBeNaN()
    await index.close()
    const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
    const joined = db.prepare(
      `SELECT key, fields ->> '$.title' AS title, priority FROM refresh_priorities JOIN stored_documents USING (key)
       WHERE fields ->> '$.links' >= 3 ORDER BY fields ->> '$.links'`,
    )
    expect(joined.all()).toEqual(
      PAGES.slice(3).map((known) => ({ key: known.url, title: known.title, priority: expect.any(Number) })),
    )
    // What JSON cannot say stays as it is, and is no JSON.
    const odd = db.prepare('SELECT fields FROM stored_documents WHERE key = ?').pluck()
    expect(odd.get(url(0))).toBeNull()
    db.close()
    // The format may differ at every opening.
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    await again.write({ put: [page(4, 'other')] })
    expect([again.get(url(4)), again.get(url(5))]).toEqual([page(4, 'other'), page(5)])
    expect((await again.check()).faults).toEqual([])
  })

  test('has no fields of documents that are stored as MessagePack', async () => {
    const folder = newPath()
    await using index = await openOrchard(folder)
    expect(index.get(url(1))).toEqual(page(1))
    const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
    expect(db.prepare('SELECT count(*), count(fields) FROM stored_documents').raw().get()).toEqual([PAGES.length, 0])
    db.close()
  })
})

const hasShell = spawnSync('sqlite3', ['--version']).status === 0
if (!hasShell) console.warn('SKIPPED: no sqlite3 shell is installed, the view is not tried in one')

test.skipIf(!hasShell)('the view works in the sqlite3 shell', async () => {
  const folder = newPath()
  await randomLife(folder, new SeededRandom(7))
  const file = path.join(folder, 'catalog.db')
  const text = execFileSync('sqlite3', ['-readonly', '-json', file, 'SELECT * FROM refresh_priorities'], {
    encoding: 'utf8',
  })
  await using index = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true })
  expectAgreement(JSON.parse(text) as PriorityRow[], index)
})
