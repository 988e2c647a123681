/** Long calls are cut into steps, and each of them is made as a whole or leaves nothing. */
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { finish } from '../../src/base/turns.js'
import { FrontierState } from '../../src/frontier/frontier-state.js'
import { packingRows, packRows } from '../../src/ledger/rows.js'
import { type Grouping, groupInSteps } from '../../src/refresh/clusters/grouping.js'
import { groupOnThread } from '../../src/refresh/clusters/thread.js'
import { RefreshHistory } from '../../src/refresh/history.js'
import type { Observation } from '../../src/refresh/observations.js'
import { PublishedNews } from '../../src/refresh/signals/published-news.js'
import { newPath } from '../storage/temporary-folder.js'
import { fullLedger } from '../support/ledgers.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 1)
const MANY = 3000

function historyOf(documents: number): RefreshHistory {
  const history = new RefreshHistory(undefined)
  for (let doc = 0; doc < documents; doc++) history.ledger.created(doc, START)
  return history
}

/** Some documents come more than once. */
function* observations(random: SeededRandom, count: number): Generator<Observation> {
  for (let nth = 0; nth < count; nth++) {
    const doc = random.int(MANY)
    const outcome = random.pick(['same', 'changed', 'gone', 'error'] as const)
    yield { doc, key: `https://a.example/${doc}`, outcome, atMs: START + DAY_MS + nth }
  }
}

const looksOf = ({ ledger }: RefreshHistory) => ({
  rows: Array.from({ length: ledger.rows }, (_, doc) => ledger.rowOf(doc)),
  totals: ledger.totals(),
})

describe('news that sites publish', () => {
  test.each([
    ['records', 1, MANY],
    ['knows already', -1, 0],
  ])('are judged in a step each, also what a history %s', async (_, days, signals) => {
    const history = historyOf(MANY)
    const key = (doc: number) => `https://a.example/${doc}`
    const numberOf = (of: unknown) => Number(String(of).slice(key(0).length - 1))
    const atMs = START + 2 * DAY_MS
    const news = new PublishedNews({ engine: { numberOf, documentOf: () => undefined }, history: () => history }, atMs)
    const lastmod = new Date(START + days * DAY_MS).toISOString()
    const entries = Array.from(
      { length: MANY },
      (_, doc) => `<url><loc>${key(doc)}</loc><lastmod>${lastmod}</lastmod></url>`,
    )
    const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`
    await news.read('sitemap', sitemap)
    finish(history.signalling(finish(news.judging())))
    const before = { signals, repeated: 0, unchanged: MANY - signals }
    expect(news.report()).toMatchObject(before)
    const again = new PublishedNews({ engine: { numberOf, documentOf: () => undefined }, history: () => history }, atMs)
    await again.read('sitemap', sitemap)
    expect([...again.judging()]).toHaveLength(MANY)
    expect(again.report()).toMatchObject({ ...before, signals: 0, repeated: signals })
  })
})

describe('observations', () => {
  test('many of them are many steps, which end as one by one they would', () => {
    withSeed('observations in steps', (seed) => {
      const [inSteps, oneByOne] = [historyOf(MANY), historyOf(MANY)]
      const steps = [...inSteps.observing(observations(new SeededRandom(seed), MANY), START + 2 * DAY_MS)].length
      expect(steps).toBeGreaterThan(MANY / 100)
      for (const one of observations(new SeededRandom(seed), MANY))
        finish(oneByOne.observing([one], START + 2 * DAY_MS))
      expect(looksOf(inSteps)).toEqual(looksOf(oneByOne))
    })
  })

  test('are taken back as a whole', () => {
    withSeed('observations taken back', (seed) => {
      const history = historyOf(MANY)
      finish(history.observing(observations(new SeededRandom(seed + 1), MANY), START + 2 * DAY_MS))
      const before = looksOf(history)
      finish(history.observing(observations(new SeededRandom(seed), MANY), START + 2 * DAY_MS)).undo()
      expect(looksOf(history)).toEqual(before)
    })
  })

  test('leave nothing when the last of them cannot be recorded', () => {
    const history = historyOf(MANY)
    const before = looksOf(history)
    function* failing() {
      yield* observations(new SeededRandom(3), MANY)
      throw new RangeError('there is no such document')
    }
    expect(() => finish(history.observing(failing(), START + 2 * DAY_MS))).toThrow('there is no such document')
    expect(looksOf(history)).toEqual(before)
    // A row that is missing is found on the way.
    const lost = [...observations(new SeededRandom(3), MANY), { doc: MANY + 7, key: '/lost', outcome: 'same', atMs: 1 }]
    expect(() => finish(history.observing(lost as Observation[], START + 2 * DAY_MS))).toThrow(/is missing/)
    expect(looksOf(history)).toEqual(before)
  })

  test('begun before a close are recorded, and a write behind them waits', async () => {
    const folder = newPath()
    const open = () => Freshdex.open<{ id: number; body: string }>(folder, { key: 'id', fields: { body: {} } })
    const index = await open()
    await index.write({ put: Array.from({ length: MANY }, (_, id) => ({ id, body: `ferry ${id}` })) }, { at: START })
    const told = Array.from({ length: MANY }, (_, id) => [id, { outcome: 'same', at: START + DAY_MS }] as const)
    const observed = index.refresh.observeAll(told)
    const written = index.write({ remove: [7] })
    await index.close()
    await Promise.all([observed, written])
    const again = await open()
    expect(again.refresh.explain(8)).toMatchObject({ refreshes: 1, lastOutcome: 'same' })
    expect(again.refresh.explain(MANY - 1)).toMatchObject({ refreshes: 1, lastOutcome: 'same' })
    expect(again.has(7)).toBe(false)
    expect((await again.check()).ok).toBe(true)
    await again.close()
  })
})

test('rows are packed in steps, as they are at once', () => {
  const { ledger } = fullLedger(new SeededRandom(5), 5000)
  const docs = Array.from({ length: ledger.rows }, (_, doc) => ledger.rows - 1 - doc)
  const steps = packingRows(ledger.columns, docs)
  let count = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) count++
  expect(count).toBeGreaterThan(2)
  expect(step.value).toEqual(packRows(ledger.columns, docs))
})

test('pages of the frontier come and go in steps, all or none', () => {
  const frontier = new FrontierState(undefined)
  const news = Array.from({ length: MANY }, (_, nth) => ({
    ...{ url: `https://a.example/new/${nth}`, anchors: [`moss ${nth}`], inlinks: undefined },
  }))
  expect([...frontier.adding(news, START, () => false)].length).toBeGreaterThan(MANY)
  expect(frontier.size).toBe(MANY)
  const failing = (url: string) => {
    if (url === news[MANY - 1]?.url) throw new Error('the index is closed')
    return false
  }
  const more = news.map((page) => ({ ...page, anchors: ['fern'] }))
  expect(() => finish(frontier.adding(more, START, failing))).toThrow('the index is closed')
  expect(frontier.pages.find(news[0]!.url)?.anchors).not.toContain('fern')
  const removal = finish(frontier.removing(news.map(({ url }) => url)))
  expect([removal.removed, frontier.size]).toEqual([MANY, 0])
  removal.undo()
  expect(frontier.size).toBe(MANY)
})

describe('queries', () => {
  test('that are loaded when a close comes are all there afterwards', async () => {
    const folder = newPath()
    const open = () => Freshdex.open<{ id: number; body: string }>(folder, { key: 'id', fields: { body: {} } })
    const index = await open()
    await index.write({ put: [{ id: 1, body: 'ferry' }] })
    let close: Promise<void> | undefined
    function* closing() {
      for (let nth = 0; nth < MANY; nth++) yield `ferry ${nth}`
      // Behind the last query: what follows is counting.
      setImmediate(() => {
        close = index.close()
      })
    }
    const loaded = await index.workload.load(closing()).catch((error) => error)
    await (close ?? index.close())
    const again = await open()
    const kept = again.workload.queries({ limit: 2 * MANY }).length
    if (loaded instanceof Error) expect(loaded).toMatchObject({ code: 'CLOSED' })
    expect(kept).toBe(loaded instanceof Error ? 0 : MANY)
    await again.close()
  })

  test('are counted by nobody before the last of them is read', async () => {
    const index = await Freshdex.open<{ id: number; body: string }>(':memory:', { key: 'id', fields: { body: {} } })
    function* failing() {
      for (let nth = 0; nth < MANY; nth++) yield `ferry ${nth}`
      throw new Error('the source broke')
    }
    await expect(index.workload.load(failing())).rejects.toThrow('the source broke')
    expect(index.workload.queries()).toEqual([])
    await index.close()
  })
})

describe('the thread of the clusters', () => {
  const features = (random: SeededRandom) => Float64Array.from({ length: 48 * 400 }, () => random.int(6))

  test('groups as the caller would, in steps', async () => {
    for (const clusters of ['auto', 5] as const) {
      const request = () => ({ features: features(new SeededRandom(9)), clusters, seed: 4 })
      const steps = groupInSteps(request())
      let [count, step] = [0, steps.next()]
      for (; !step.done; step = steps.next()) count++
      expect(count).toBeGreaterThan(5)
      expect(await groupOnThread(request(), () => {})).toEqual(step.value satisfies Grouping)
    }
  })

  test('ends when nobody wants the result any more', async () => {
    const request = { features: features(new SeededRandom(9)), clusters: 5, seed: 4 }
    const grouped = groupOnThread(request, () => {
      throw new Error('the index is closed')
    })
    await expect(grouped).rejects.toThrow('the index is closed')
  })
})
