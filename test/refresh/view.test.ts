/**
 * The SQL view refresh_priorities says what refresh.priority() says by user-centric-shrunk, in whatever program opens
 * the catalog.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { DAY_MS, OPTIONS, openOrchard, PAGES, type Page, page, START, url } from './orchard.js'

interface PriorityRow {
  readonly key: string
  readonly priority: number
  readonly age_ms: number
  readonly stake: number
  readonly gain_per_day: number
  readonly refreshed: string
  readonly refreshes: number
  readonly changes: number
  readonly last_outcome: string
  readonly errors: number
  readonly doc: number
}

function rowsOf(folder: string): PriorityRow[] {
  const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
  const rows = db.prepare('SELECT * FROM refresh_priorities').all() as PriorityRow[]
  db.close()
  return rows
}

const isNear = (value: number, expected: number) => Math.abs(value - expected) <= 1e-6 * Math.abs(expected)

/** Each row against the index, at the moment of the row. */
async function expectAgreement(rows: readonly PriorityRow[], index: Freshdex<Page>): Promise<void> {
  const present = (await index.refresh.next({ budget: 1000, at: START + 10_000 * DAY_MS })).pages
  expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(present.map(({ key }) => key)))
  const sumStake = rows.reduce((sum, { stake }) => sum + stake, 0)
  for (const row of rows) {
    const { refreshedAt = 0 } = index.refresh.explain(row.key) ?? {}
    const explained = index.refresh.explain(row.key, { at: refreshedAt + row.age_ms })
    expect(explained).toMatchObject({
      ...{ refreshes: row.refreshes, changes: row.changes, errors: row.errors, lastOutcome: row.last_outcome },
    })
    expect(explained?.stake).toBeCloseTo(sumStake > 0 ? row.stake / sumStake : 0, 6)
    const priority = index.refresh.priority(row.key, {
      at: refreshedAt + row.age_ms,
      policy: 'user-centric-shrunk',
    }) as number
    if (!isNear(row.priority, priority)) expect(row.priority).toBe(priority)
    if (!isNear((row.gain_per_day * row.age_ms) / DAY_MS, priority))
      expect(row.gain_per_day).toBe('rate of the priority')
    expect(Math.abs(Date.parse(`${row.refreshed}Z`) - refreshedAt)).toBeLessThan(1000)
  }
}

async function randomLife(folder: string, random: SeededRandom): Promise<void> {
  await using index = await openOrchard(folder)
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
}

describe('the view', () => {
  test('agrees with refresh.priority() for every page of a random life', () =>
    withSeed('view', async (seed) => {
      for (let round = 0; round < 4; round++) {
        const folder = newPath()
        await randomLife(folder, new SeededRandom(seed + round))
        await using index = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true })
        await expectAgreement(rowsOf(folder), index)
      }
    }))

  test('agrees where nothing is known but ages, and where nothing is at stake', async () => {
    const folder = newPath()
    const index = await Freshdex.open<Page>(folder, OPTIONS)
    for (const [nth, known] of PAGES.entries()) await index.write({ put: [known] }, { at: START + nth * DAY_MS })
    expect(rowsOf(folder)).toHaveLength(PAGES.length)
    await expectAgreement(rowsOf(folder), index)
    await index.write({ put: [...PAGES] }, { at: START + 100 * DAY_MS })
    await expectAgreement(rowsOf(folder), index)
    await index.close()
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
    const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
    const best = db.prepare('SELECT key FROM refresh_priorities ORDER BY priority DESC LIMIT 3').pluck()
    // Long ago: the moments of both questions are the same but for a millionth.
    expect(best.all()).toEqual(
      (await index.refresh.next({ budget: 3, policy: 'user-centric-shrunk' })).pages.map(({ key }) => key),
    )
    const changed = "SELECT key, refreshes FROM refresh_priorities WHERE last_outcome = 'changed'"
    expect(db.prepare(changed).all()).toEqual([{ key: url(3), refreshes: 1 }])
    const byHost = `SELECT substr(key, 9, 5) AS host, count(*) AS pages, sum(stake) > 0 AS has_stake
      FROM refresh_priorities GROUP BY host ORDER BY host`
    expect(db.prepare(byHost).all()).toEqual(
      [0, 1, 2, 3].map((nth) => ({ host: `host${nth}`, pages: 3, has_stake: 1 })),
    )
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
  await expectAgreement(JSON.parse(text) as PriorityRow[], index)
})
