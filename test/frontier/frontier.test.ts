/**
 * The frontier through the public face: what is added, what leaves, which pages come first and why, and what is learnt.
 */
import { type FoundPage, Freshdex, type FrontierExplanation, type ImpactOptions } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { AppearanceGains } from '../../src/frontier/impact/appearance-gain.js'
import { UNKNOWN_IMPROVABILITY } from '../../src/frontier/impact/neediness.js'
import { NgramIndex } from '../../src/frontier/impact/ngram-index.js'
import { matchShare, pageNgrams, queryNgrams, urlNgrams } from '../../src/frontier/impact/ngrams.js'
import { planFrontierCycle } from '../../src/lab/experiments/frontier/plan-cycle.js'
import { DEFAULT_VIEW } from '../../src/workload/view-likelihood.js'
import { newPath } from '../storage/temporary-folder.js'
import { SeededRandom, seededRandom, withSeed } from '../support/seed.js'
import { DAY_MS, documents, OPTIONS, openMeadow, type Page, START, WORDS } from './meadow.js'

const at = START + DAY_MS
const URL_A = 'https://new.example/a'

describe.each([
  ['in memory', () => ':memory:'],
  ['in a folder', () => newPath()],
])('the frontier of an index %s', (_, place) => {
  const openEmpty = () => Freshdex.open<Page>(place(), OPTIONS)

  test('takes pages, joins what is heard again, and passes over documents', async () => {
    await using index = await openEmpty()
    const { frontier } = index
    await index.write({ put: [{ url: '/known', title: 'x', body: 'y' }] })
    expect(await frontier.add([])).toEqual({ added: 0, updated: 0, known: 0 })
    const first = [
      { url: URL_A, anchors: ['Moss and fern', '', '  '], inlinks: 7 },
      { url: '/known' },
      { url: '/b' },
      { url: '/b' },
    ]
    expect(await frontier.add(first, { at })).toEqual({ added: 2, updated: 1, known: 1 })
    const again = [{ url: URL_A, anchors: ['moss\n\tfern', 'Moss  and fern'] }]
    expect(await frontier.add(again, { at: at + 1 })).toEqual({ added: 0, updated: 1, known: 0 })
    expect([frontier.size, index.stats().frontier.pages]).toEqual([2, 2])
    expect(await frontier.explain(URL_A)).toMatchObject({
      ...{ url: URL_A, addedAt: at, inlinks: 7 },
      anchors: ['Moss and fern', 'moss fern'],
    })
    await frontier.add([{ url: URL_A, inlinks: 1 }])
    // At least as many as anchors are known.
    expect(await frontier.explain(URL_A)).toMatchObject({ inlinks: 2 })
    expect(await frontier.explain('/known')).toBeUndefined()
    expect(await frontier.remove([URL_A, '/known', '/nobody'])).toBe(1)
    expect([frontier.size, await frontier.explain(URL_A)]).toEqual([1, undefined])
    expect(await index.check()).toMatchObject({ ok: true })
  })

  test('refuses what is no page, and then takes nothing of the call', async () => {
    await using index = await openEmpty()
    const { frontier } = index
    const wrongs: [unknown, string | RegExp][] = [
      [[{ url: 'no address' }], 'url must be a URL or a path that begins with \'/\', received "no address"'],
      [[{ url: '' }], /url must be a URL/],
      [[{ url: 7 }], 'url must be a string, received 7'],
      [[{}], 'url must be a string, received undefined'],
      [['https://new.example/'], /a page must be \{ url, anchors, inlinks \}/],
      [[{ url: '/a', anchor: 'x' }], /unknown page option "anchor"/],
      [[{ url: '/a', anchors: 'x' }], 'anchors must be a list of texts, received "x"'],
      [[{ url: '/a', anchors: [1] }], 'anchors must be texts, received 1'],
      [[{ url: '/a', inlinks: -1 }], /inlinks must be an integer from 0/],
      [[{ url: '/a', inlinks: 1.5 }], /inlinks must be an integer from 0/],
      [[{ url: `/${'x'.repeat(1024)}` }], /longer than 1024/],
      [undefined, 'pages must be iterable, received undefined'],
      ['/a', 'pages must be iterable, received "/a"'],
    ]
    for (const [pages, message] of wrongs) {
      const given = Array.isArray(pages) ? [{ url: '/fine' }, ...pages] : pages
      await expect(frontier.add(given as FoundPage[])).rejects.toThrow(message)
    }
    await expect(frontier.add([{ url: '/a' }], { at: -1 })).rejects.toThrow(/at must be/)
    await expect(frontier.next({} as never)).rejects.toThrow(/needs a budget/)
    await expect(frontier.next({ budget: -1 })).rejects.toThrow(/budget must be an integer/)
    await expect(frontier.remove(['nowhere'])).rejects.toThrow(/url must be a URL/)
    await expect(frontier.explain('nowhere')).rejects.toThrow(/url must be a URL/)
    await expect(index.plan({} as never)).rejects.toThrow(/needs a budget/)
    await expect(index.plan({ budget: 1, perHost: 0 })).rejects.toThrow(/perHost must be/)
    expect(frontier.size).toBe(0)
    await index.close()
    await expect(frontier.add([{ url: '/a' }])).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(frontier.next({ budget: 1 })).rejects.toMatchObject({ code: 'CLOSED' })
    expect(() => frontier.size).toThrow('closed')
  })

  test('keeps so many anchors of a page, and no more', async () => {
    await using index = await openEmpty()
    const anchors = Array.from({ length: 1_000_000 }, (_, nth) => `moss ${nth % 5000}`)
    await index.frontier.add([
      { url: '/a', anchors },
      { url: '/b', anchors: Array(500).fill('x'.repeat(5000)) },
    ])
    await index.frontier.add([
      { url: '/b', anchors: Array.from({ length: 500 }, (_, nth) => `${nth} ${'y'.repeat(900)}`) },
    ])
    const kept = (await index.frontier.explain('/a'))?.anchors as string[]
    expect(kept).toEqual(Array.from({ length: 1000 }, (_, nth) => `moss ${nth}`))
    const long = (await index.frontier.explain('/b'))?.anchors as string[]
    expect(long[0]).toBe('x'.repeat(1000))
    expect(long.join('\n').length).toBeLessThanOrEqual(64 * 1024)
    expect(long.length).toBeGreaterThan(60)
  })

  test('names pages in the order of the reference, and tells why', async () => {
    await withSeed('frontier order', async (seed) => {
      const random = new SeededRandom(seed)
      const { index, found } = await openMeadow(place(), random)
      await using _index = index
      const suggested = await index.frontier.next({ budget: found.length, at })
      const expected = reference(index, found)
      expect(suggested.map(({ url }) => url)).toEqual(expected.map(({ url }) => url))
      for (const [nth, { impact, queryImpact, inlinkImpact, deltaQuality }] of suggested.entries()) {
        expect(impact).toBeCloseTo(expected[nth]!.impact, 3)
        expect(deltaQuality).toBeCloseTo(expected[nth]!.gain, 6)
        expect([queryImpact, inlinkImpact]).toEqual([impact, undefined])
      }
      expect(suggested.filter(({ impact }) => impact > 0).length).toBeGreaterThan(20)
      for (const suggestion of suggested.filter((_, nth) => nth % 7 === 0)) {
        const told = (await index.frontier.explain(suggestion.url, { at })) as FrontierExplanation
        expect(told).toMatchObject({ url: suggestion.url, inlinks: suggestion.inlinks, addedAt: START, at })
        expect(told.impact).toBeCloseTo(suggestion.impact, 3)
        expect(told.deltaQuality).toBeCloseTo(suggestion.deltaQuality, 6)
        const seen = told.queries.filter(({ expectedRank }) => expectedRank !== undefined)
        expect(seen.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(told.impact, 3)
      }
      const few = await index.frontier.next({ budget: 5, at })
      expect(few).toEqual(suggested.slice(0, 5))
      expect(await index.frontier.next({ budget: 0, at })).toEqual([])
    })
  })

  test('puts the page of an unanswered question before one more page about a crowded topic', async () => {
    // Table 1 of Crawl ordering by search impact: P_201 is the more important page, P_2 the better one to fetch.
    await using index = await openEmpty()
    const football = Array.from({ length: 14 }, (_, nth) => ({
      url: `/ncaa/${nth}`,
      title: 'NCAA football',
      body: `ncaa football scores of week ${nth}`,
    }))
    await index.write({ put: football }, { at: START })
    await index.workload.load(
      [
        ['ncaa football', 100],
        ['judy inklesmurf', 7],
      ],
      { at: START },
    )
    await index.frontier.add([
      { url: '/p201', anchors: ['NCAA football'], inlinks: 900 },
      { url: '/p2', anchors: ['Judy Inklesmurf'], inlinks: 1 },
    ])
    const suggested = await index.frontier.next({ budget: 2, at })
    expect(suggested.map(({ url }) => url)).toEqual(['/p2', '/p201'])
    expect(suggested[0]!.deltaQuality).toBeGreaterThan(10 * suggested[1]!.deltaQuality)
  })

  test('estimates impact by the share of n-grams, the ranks and the visibility that it is told', async () => {
    await withSeed('impact options', async (seed) => {
      const { index, found } = await openMeadow(place(), new SeededRandom(seed))
      await using _index = index
      const options: ImpactOptions[] = [
        { rho: 0.4 },
        { visibleRanks: 3 },
        { visibleRanks: 20, visibility: 'view' },
        { rho: 0.5, visibleRanks: 1, visibility: 'view', queryWeight: 0.2 },
      ]
      for (const chosen of options) {
        const suggested = await index.frontier.next({ budget: found.length, at, ...chosen })
        const expected = reference(index, found, chosen)
        expect(suggested.map(({ url }) => url)).toEqual(expected.map(({ url }) => url))
        for (const [nth, { impact }] of suggested.entries()) expect(impact).toBeCloseTo(expected[nth]!.impact, 3)
        const told = (await index.frontier.explain(suggested[0]!.url, { at, ...chosen })) as FrontierExplanation
        expect(told.impact).toBeCloseTo(suggested[0]!.impact, 3)
        expect(told.deltaQuality).toBeCloseTo(suggested[0]!.deltaQuality, 6)
      }
      const wrongs: [object, RegExp][] = [
        [{ rho: 1.1 }, /rho must be/],
        [{ visibleRanks: 21 }, /visibleRanks must be an integer from 1 to 20/],
        [{ visibility: 'cliff' }, /visibility must be/],
        [{ queryWeight: -1 }, /queryWeight must be/],
      ]
      for (const [wrong, message] of wrongs) {
        await expect(index.frontier.next({ budget: 1, ...wrong })).rejects.toThrow(message)
        await expect(index.frontier.explain(found[0]!.url, wrong)).rejects.toThrow(message)
      }
    })
  })

  test('loses a page when its document is written, and not when another is removed', async () => {
    await using index = await openEmpty()
    await index.workload.load([['moss', 3]])
    await index.frontier.add([{ url: '/moss' }, { url: '/moss/2' }], { at })
    expect((await index.frontier.next({ budget: 9 })).map(({ url }) => url)).toEqual(['/moss', '/moss/2'])
    await index.write({ put: [{ url: '/moss', title: 'moss', body: 'moss' }], remove: ['/moss/2'] })
    expect([index.frontier.size, index.stats().frontier]).toEqual([
      1,
      expect.objectContaining({ pages: 1, fetched: 1, learnt: 0 }),
    ])
    expect((await index.frontier.next({ budget: 9 })).map(({ url }) => url)).toEqual(['/moss/2'])
    expect(index.stats().frontier).toMatchObject({ pages: 1, fetched: 0, learnt: 1 })
    expect(await index.frontier.add([{ url: '/moss' }])).toEqual({ added: 0, updated: 0, known: 1 })
    // Whoever removes a document may learn of the page again.
    await index.write({ remove: ['/moss'] })
    expect(await index.frontier.add([{ url: '/moss' }])).toEqual({ added: 1, updated: 0, known: 0 })
    // Written and removed again before anybody learnt from it.
    await index.write({ put: [{ url: '/moss', title: 'moss', body: 'moss' }] })
    await index.write({ remove: ['/moss'] })
    expect(await index.frontier.add([{ url: '/moss', anchors: ['fern'] }])).toEqual({ added: 1, updated: 0, known: 0 })
    expect((await index.frontier.explain('/moss'))?.anchors).toEqual(['fern'])
    expect(index.stats().frontier).toMatchObject({ pages: 2, fetched: 0 })
  })

  test('weighs new pages against refreshes in one plan', async () => {
    const { index } = await openMeadow(place(), seededRandom('one plan'))
    await using _index = index
    const at = START + 30 * DAY_MS
    const { actions: plan } = await index.plan({ budget: 500, at })
    const kinds = (kind: string) => plan.filter((fetch) => fetch.kind === kind)
    expect([kinds('refresh').length, kinds('new').length]).toEqual([60, 80])
    const priorities = plan.map(({ priority }) => priority)
    expect(priorities).toEqual([...priorities].sort((a, b) => b - a))
    const refreshes = (await index.refresh.next({ budget: 500, at })).pages
    expect(kinds('refresh').map(({ key, priority }) => [key, priority])).toEqual(
      refreshes.map(({ key, priority }) => [key, priority]),
    )
    expect((await index.plan({ budget: 7, at })).actions).toEqual(plan.slice(0, 7))
    // What came before an action is another thing with new pages among it.
    // One price for all pages needs fewer of them looked at, and comes to the same as prices page by page.
    const priced = async (fetch: number | (() => number), perHost: number) =>
      (await index.plan({ budget: { cost: 10, fetch }, at, perHost })).actions
    for (const perHost of [2, 500]) expect(await priced(1.5, perHost)).toEqual(await priced(() => 1.5, perHost))
    const alone = (await index.plan({ budget: 500, at, newPages: false })).actions
    const apart = (actions: typeof alone) => actions.map(({ cumulativeGain: _, ...action }) => action)
    expect(apart(alone)).toEqual(apart(kinds('refresh')))
    await expect(index.plan({ budget: 5, at, policy: 'oldest-first' })).rejects.toThrow(/newPages: false/)
    const { actions: limited } = await index.plan({ budget: 20, perHost: 2, at })
    const taken = new Map<string, number>()
    const greedy = plan.filter(({ key }) => {
      const { host } = new URL(String(key))
      taken.set(host, (taken.get(host) ?? 0) + 1)
      return taken.get(host)! <= 2
    })
    expect(apart(limited)).toEqual(apart(greedy.slice(0, 20)))
  })

  test('learns from pages fetched which scores to expect', async () => {
    await withSeed('frontier lessons', async (seed) => {
      const random = new SeededRandom(seed)
      await using index = await openEmpty()
      await index.write({ put: documents(random, 40) }, { at: START })
      await index.workload.load(
        WORDS.map((word, nth) => [word, nth + 1]),
        { at: START },
      )
      // Pages with anchors keep what these promise; those that only have the word in their URL never do.
      const pageOf = (nth: number) => {
        const word = random.pick(WORDS)
        const isTrue = nth % 2 === 0
        return {
          word,
          isTrue,
          url: `https://new.example/${nth}${isTrue ? '' : `/${word}`}`,
          anchors: isTrue ? [word] : [],
        }
      }
      const fetched = Array.from({ length: 120 }, (_, nth) => pageOf(nth))
      await index.frontier.add(fetched.map(({ url, anchors }) => ({ url, anchors })))
      await index.frontier.next({ budget: 1, at })
      await index.write({
        put: fetched.map(({ url, word, isTrue }) => ({
          url,
          title: isTrue ? word : 'x',
          body: isTrue ? `${word} ${word}` : 'y',
        })),
      })
      const waiting = Array.from({ length: 30 }, (_, nth) => pageOf(1000 + nth))
      await index.frontier.add(waiting.map(({ url, anchors }) => ({ url, anchors })))
      await index.frontier.next({ budget: 1, at })
      expect(index.stats().frontier).toMatchObject({ pages: 30, fetched: 0, learnt: 120 })
      for (const { url, isTrue, word } of waiting) {
        const { queries } = (await index.frontier.explain(url, { at })) as FrontierExplanation
        expect(queries.map(({ query }) => query)).toEqual([word])
        if (isTrue) expect(queries[0]!.expectedScore).toBeGreaterThan(1)
        else expect(queries[0]!.expectedScore).toBeLessThan(0.2)
      }
      const best = await index.frontier.next({ budget: 15, at })
      const isTrue = new Map(waiting.map((page) => [page.url, page.isTrue]))
      expect(best.filter(({ url }) => isTrue.get(url)).length).toBe(15)
      expect(best.filter(({ inlinkImpact }) => inlinkImpact === undefined)).toEqual([])
    })
  })

  test('lets writes, plans and a close come at once', async () => {
    const { index, found } = await openMeadow(place(), seededRandom('at once'))
    const plans = [index.frontier.next({ budget: 9 }), index.plan({ budget: 9 }), index.frontier.explain(found[0]!.url)]
    const write = index.write({ put: found.slice(0, 20).map(({ url }) => ({ url, title: 'moss', body: 'fern' })) })
    const more = index.frontier.add([{ url: '/late' }])
    await Promise.all([...plans, write, more])
    expect(index.frontier.size).toBe(found.length - 20 + 1)
    const late = [index.frontier.next({ budget: 9 }), index.frontier.next({ budget: 9 })].map((plan) =>
      plan.catch((error) => error.code),
    )
    await index.close()
    for (const outcome of await Promise.all(late))
      expect(Array.isArray(outcome) ? 'a plan' : outcome).toBeOneOf(['a plan', 'CLOSED'])
  })
})

/**
 * The pure plan of a cycle, with the answers that searches give and the score that is expected before anything was
 * learnt.
 */
function reference(
  index: Freshdex<Page>,
  found: readonly FoundPage[],
  { rho = 1, visibleRanks = 10, visibility = 'step' }: ImpactOptions = {},
) {
  const visible = visibility === 'view' ? { visibility: DEFAULT_VIEW } : {}
  const workload = index.workload.queries({ at })
  const ngrams = found.map(({ url, anchors = [] }) => pageNgrams(url, anchors))
  const grams = new NgramIndex()
  ngrams.forEach((own, page) => {
    grams.add(page, own)
  })
  const answers = workload.map(({ query }) => index.search(query, { limit: 20 }).hits.map(({ score }) => score))
  const inlinks = found.map(({ anchors = [], inlinks = 0 }) => Math.max(inlinks, new Set(anchors).size))
  const expectedScore = (page: number, query: number) => {
    const own = queryNgrams(workload[query]!.query)
    const parts = [urlNgrams(found[page]!.url), ...(found[page]!.anchors ?? []).map((anchor) => queryNgrams(anchor))]
    const share = Math.max(...parts.map((part) => matchShare(own, part)))
    const scores = answers[query]!.slice(0, 10)
    const mean = scores.length === 0 ? 1 : scores.reduce((sum, score) => sum + score, 0) / scores.length
    return mean * (0.5 + 0.5 * share)
  }
  const { queryImpacts } = planFrontierCycle(
    {
      frequencies: workload.map(({ weight }) => weight),
      ngrams: workload.map(({ query }) => queryNgrams(query)),
      crawledScores: answers.flatMap((scores) => Array.from({ length: visibleRanks }, (_, nth) => scores[nth] ?? 0)),
    },
    { pages: Uint32Array.from(found.keys()), index: grams, expectedScore, importance: inlinks },
    { fetches: found.length, improvability: UNKNOWN_IMPROVABILITY, rho, visibleRanks, ...visible },
  )
  const gainOf = (page: number) =>
    workload.reduce((sum, { weight }, query) => {
      if (!grams.matching(queryNgrams(workload[query]!.query), rho).includes(page)) return sum
      return sum + weight * new AppearanceGains(answers[query]!, DEFAULT_VIEW).gain(expectedScore(page, query))
    }, 0)
  return found
    .map(({ url }, page) => ({
      ...{ url, impact: queryImpacts[page]!, gain: gainOf(page), inlinks: inlinks[page]!, page },
    }))
    .sort((a, b) => differenceOf(b.gain, a.gain) || b.inlinks - a.inlinks || a.page - b.page)
}

/** 0 where sums differ by rounding alone. */
function differenceOf(a: number, b: number): number {
  return Math.abs(a - b) <= 1e-9 * Math.max(a, b) ? 0 : a - b
}
