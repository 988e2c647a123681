/**
 * What a damaged index knew besides its documents comes back as far as its rows can be read, and what does not is
 * counted.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex, FreshdexError, type SalvageReport, salvage } from 'freshdex'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, OPTIONS, type Options, openOrchard, PAGES, type Page, page, START, url } from '../refresh/orchard.js'
import { newPath } from '../storage/temporary-folder.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const at = (days: number) => START + days * DAY_MS
const FOUND = Array.from({ length: 20 }, (_, nth) => ({ url: `https://new.example/plum/${nth}`, inlinks: nth }))

/**
 * Everything that an index can know: histories, profiles, signals, clusters, queries, clicks, a frontier, and what was
 * learnt from it.
 */
async function makeIndex(options: Options = {}): Promise<string> {
  const folder = newPath()
  await using index = await openOrchard(folder, options)
  // From now on refreshes are reviewed.
  await index.refresh.next({ budget: 1, at: START })
  for (let day = 1; day <= 8; day++)
    await index.write(
      { put: PAGES.map((_, nth) => page(nth, nth % 3 === 0 ? '' : `day${day} news${day % nth}`)) },
      { at: at(day) },
    )
  await index.refresh.signalAll(PAGES.map(({ url }) => [url, { kind: 'feed', at: at(9) }]))
  await index.refresh.observe(url(1), { outcome: 'changed', at: at(10) })
  await index.refresh.observe(url(2), { outcome: 'error', at: at(10) })
  await index.write({ put: [page(5, 'ripe')], remove: [url(11)] }, { at: at(10) })
  await index.clusters.build({ clusters: 3, at: at(10) })
  index.workload.click('apple', url(1), 1)
  await index.frontier.add(
    FOUND.map((found) => ({ ...found, anchors: ['plum and pear'] })),
    { at: at(10) },
  )
  for (const nth of [0, 1]) {
    if (nth === 1) await index.frontier.next({ budget: 1, at: at(11) })
    await index.write({ put: [{ url: FOUND[nth]!.url, title: 'plum', body: 'plum' }] }, { at: at(11 + nth) })
  }
  return folder
}

/** Of an index that is only read, so that nothing is learnt meanwhile. */
async function looksAt(folder: string) {
  await using index = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true })
  const keys = [...index.documents()].map((document) => document.url).sort()
  const next = await index.frontier.next({ budget: 100, at: at(20) })
  const { signals, frontier, workload } = index.stats()
  return {
    documents: Object.fromEntries(keys.map((key) => [key, documentLooks(index, key)])),
    next: (await index.refresh.next({ budget: 100, at: at(20) })).pages.map(({ why, ...page }) => page),
    ...{ signals, clicks: workload.clicks, queries: index.workload.queries() },
    ...{ frontier: next, fetched: frontier.fetched, learnt: frontier.learnt },
    review: index.refresh.review(),
    ...{ lastBuild: index.clusters.last(), clusters: index.clusters.list() },
  }
}

function documentLooks(index: Freshdex<Page>, key: string) {
  // Curves are not salvaged but fitted anew: until then it is not known which queries make a stake.
  const { change, stakeQueries, sentence, ...explained } = index.refresh.explain(key, { at: at(20) })!
  // Of a profile only the curve is salvaged, and the kind follows from what was observed.
  const isStill = change?.behaviour === undefined ? undefined : change.behaviour.kind === 'still'
  return { ...explained, cluster: index.clusters.explain(key)?.cluster?.cluster, isStill }
}

async function salvaged(folder: string): Promise<{ target: string; report: SalvageReport }> {
  const target = newPath('saved')
  const report = await salvage(folder, target)
  await using index = await Freshdex.open<Page>(target, OPTIONS)
  expect(await index.check()).toMatchObject({ ok: true, faults: [] })
  const { kept, lost } = report.refresh.histories
  expect(kept + lost).toBe(report.documents)
  expect(index.stats().ledger.damagedRows).toBe(0)
  return { target, report }
}

function damagedCopy(folder: string, damage: (bytes: Buffer) => void): string {
  const copy = newPath('damaged')
  mkdirSync(path.join(copy, 'segments'), { recursive: true })
  for (const name of readdirSync(path.join(folder, 'segments')))
    copyFileSync(path.join(folder, 'segments', name), path.join(copy, 'segments', name))
  const bytes = readFileSync(path.join(folder, 'catalog.db'))
  damage(bytes)
  writeFileSync(path.join(copy, 'catalog.db'), bytes)
  return copy
}

function changedCopy(folder: string, sql: string): string {
  const copy = damagedCopy(folder, () => {})
  const db = new Database(path.join(copy, 'catalog.db'))
  db.exec(sql)
  db.close()
  return copy
}

let whole = ''
let looks: Awaited<ReturnType<typeof looksAt>>
beforeAll(async () => {
  whole = await makeIndex()
  looks = await looksAt(whole)
})

const WHOLE = {
  histories: { kept: 13, lost: 0 },
  profiles: { kept: 13, lost: 0 },
  sites: { kept: 4, lost: 0 },
  clusters: { kept: 3, lost: 0 },
  reviews: { kept: 9, lost: 0 },
  queries: { kept: 4, lost: 0 },
  pages: { kept: 19, lost: 0 },
  lessons: { kept: 1, lost: 0 },
}

test('everything comes back when nothing is damaged', async () => {
  expect(looks).toMatchObject({ fetched: 1, learnt: 1, clicks: 1 })
  expect(Object.values(looks.documents).filter(({ signals }) => signals !== undefined).length).toBeGreaterThan(5)
  const { target, report } = await salvaged(whole)
  expect(report).toMatchObject({ documents: 13, problems: [], refresh: WHOLE })
  expect(await looksAt(target)).toEqual(looks)
})

test('a profile goes on from the version that is there', async () => {
  const { target } = await salvaged(whole)
  await using index = await Freshdex.open<Page>(target, OPTIONS)
  const before = index.refresh.explain(url(4))?.change
  expect(before).toMatchObject({ baseMs: at(8), observations: [] })
  // The same text is no change, another one is: sketches of the new index are compared with those of the new index.
  await index.write({ put: [page(4, 'day8 news0')] }, { at: at(13) })
  expect(index.refresh.explain(url(4))?.change?.observations).toEqual([
    { ageMs: 5 * DAY_MS, divergence: 0, skipped: 0 },
  ])
  await index.write({ put: [page(4, 'day8 news0 and no more')] }, { at: at(14) })
  const divergence = index.refresh.explain(url(4))?.change?.observations.at(-1)?.divergence as number
  expect(divergence).toBeGreaterThan(0)
  expect(divergence).toBeLessThan(1)
})

test('an index that keeps queries as hashes goes on doing so, and knows them', async () => {
  const folder = await makeIndex({ workload: { ...OPTIONS.workload, privacy: 'hash' } })
  const names = (of: string) => {
    const db = new Database(path.join(of, 'catalog.db'), { readonly: true })
    const rows = db.prepare('SELECT name FROM queries ORDER BY id').pluck().all()
    db.close()
    return rows
  }
  const { target, report } = await salvaged(folder)
  expect(report.refresh.queries).toEqual({ kept: 4, lost: 0 })
  expect(names(target)).toEqual(names(folder))
  {
    await using index = await Freshdex.open<Page>(target, { workload: { learn: false } })
    index.workload.record('secret pear')
    index.workload.record('apple')
  }
  expect(names(target)).toHaveLength(5)
  expect(names(target).join(' ')).toMatch(/^[0-9a-f. ]+$/)
})

test('when it cannot be told whether names are hashes, texts are dropped', async () => {
  const { target, report } = await salvaged(changedCopy(whole, "UPDATE refresh_state SET privacy = 'tfxt'"))
  expect(report.refresh.queries).toEqual({ kept: 0, lost: 4 })
  expect(report.problems.join()).toContain('not known')
  await using index = await Freshdex.open<Page>(target, OPTIONS)
  expect(index.workload.queries()).toEqual([])
})

test('rows that make no sense are left out and counted', async () => {
  const damage = [
    'UPDATE ledger SET refreshes = -1 WHERE doc = 2',
    'UPDATE ledger SET profile = zeroblob(123) WHERE doc = 3',
    'DELETE FROM ledger WHERE doc = 4',
    "UPDATE sites SET name = x'00' WHERE id = 1",
    'UPDATE clusters SET probability = 2 WHERE id = 2',
    'UPDATE review_days SET changes = refreshes + 1 WHERE day = (SELECT min(day) FROM review_days)',
    "UPDATE queries SET weight = 'heavy' WHERE id = 2",
    "UPDATE frontier SET url = 'nowhere' WHERE id = 3",
    `UPDATE frontier SET url = '${url(3)}' WHERE id = 4`,
    "UPDATE frontier_state SET lessons = x'00'",
  ]
  const { target, report } = await salvaged(changedCopy(whole, damage.join(';')))
  expect(report).toMatchObject({ documents: 13, lost: [] })
  expect(report.refresh).toEqual({
    histories: { kept: 10, lost: 3 },
    profiles: { kept: 10, lost: 0 },
    sites: { kept: 3, lost: 1 },
    clusters: { kept: 2, lost: 1 },
    reviews: { kept: 8, lost: 1 },
    queries: { kept: 3, lost: 1 },
    pages: { kept: 17, lost: 2 },
    lessons: { kept: 0, lost: 1 },
  })
  for (const part of [
    'site 1',
    'cluster 2',
    'damaged in the workload: 1 query',
    '2 pages of the frontier',
    'learnt from the frontier',
  ])
    expect(report.problems.join('\n')).toContain(part)
  // The others are what they were.
  const { documents } = await looksAt(target)
  for (const nth of [5, 6, 9]) {
    const { refreshes, changes, history, refreshedAt } = looks.documents[url(nth)]!
    expect(documents[url(nth)]).toMatchObject({ refreshes, changes, history, refreshedAt })
  }
})

test('tables that are gone take nothing else along', async () => {
  const damage = ['DROP TABLE frontier_state', 'DROP TABLE signal_trust', 'UPDATE clustering SET seed = 0.5']
  const { report } = await salvaged(changedCopy(whole, damage.join(';')))
  const lost = { clusters: { kept: 0, lost: 3 }, lessons: { kept: 0, lost: 1 } }
  expect(report.refresh).toEqual({ ...WHOLE, ...lost })
  expect(report.problems.length).toBeGreaterThan(2)
})

test('documents come back when every table that belongs to none of them is gone', async () => {
  const tables = [
    ...['ledger', 'queries', 'clicks', 'refresh_state', 'sites', 'signal_trust', 'clusters', 'clustering'],
    ...['frontier', 'frontier_state', 'review_days'],
  ]
  const damage = ['DROP VIEW refresh_priorities', ...tables.map((table) => `DROP TABLE ${table}`)]
  const { target, report } = await salvaged(changedCopy(whole, damage.join(';')))
  const none = { kept: 0, lost: 0 }
  expect(report).toMatchObject({ documents: 13, lost: [], refresh: { histories: { kept: 0, lost: 13 } } })
  expect(report.refresh).toMatchObject({ profiles: none, sites: none, clusters: none, queries: none, pages: none })
  for (const table of ['ledger', 'queries', 'refresh_state', 'sites', 'clusters', 'frontier', 'review_days'])
    expect(report.problems.join('\n')).toContain(`no such table: ${table}`)
  await using index = await Freshdex.open<Page>(target, OPTIONS)
  expect(await index.check()).toMatchObject({ ok: true })
})

describe('a catalog', () => {
  /** Salvages, or says that nothing can be done; whatever is told must add up. */
  async function outcomeOf(copy: string): Promise<string> {
    try {
      const { report } = await salvaged(copy)
      const parts = Object.entries(report.refresh) as [string, { kept: number; lost: number }][]
      const isLess = parts.some(([name, { kept }]) => kept < WHOLE[name as keyof typeof WHOLE].kept)
      // Nobody loses anything without being told.
      if (isLess) expect(report.problems.length + report.lost.length + report.refresh.histories.lost).toBeGreaterThan(0)
      return isLess ? 'less' : 'whole'
    } catch (error) {
      if (error instanceof FreshdexError && /^(?:CORRUPT|NOT_AN_INDEX|NOT_SUPPORTED|MISMATCH)$/.test(error.code))
        return 'hopeless'
      throw error
    }
  }

  test('any page of which is overwritten gives the rest back', { timeout: 600_000 }, async () => {
    const pages = readFileSync(path.join(whole, 'catalog.db')).length / 4096
    const counts: Record<string, number> = { less: 0 }
    for (let nth = 1; nth < pages; nth++) {
      const outcome = await outcomeOf(damagedCopy(whole, (bytes) => bytes.fill(0xa5, nth * 4096, (nth + 1) * 4096)))
      counts[outcome] = (counts[outcome] ?? 0) + 1
    }
    console.log(`${pages} pages:`, counts)
    expect(counts.less).toBeGreaterThan(5)
  })

  test('any bit of which is another gives the rest back', { timeout: 600_000 }, async () => {
    await withSeed('salvaged bits', async (seed) => {
      const random = new SeededRandom(seed)
      const counts: Record<string, number> = {}
      for (let nth = 0; nth < rounds(10, 2_000); nth++) {
        const outcome = await outcomeOf(
          damagedCopy(whole, (bytes) => {
            const place = random.int(bytes.length)
            bytes[place]! ^= 1 << random.int(8)
          }),
        )
        counts[outcome] = (counts[outcome] ?? 0) + 1
      }
      console.log(`seed ${seed}:`, counts)
    })
  })
})
