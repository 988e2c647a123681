import { Freshdex } from 'freshdex'
import { describe, expect, it, test } from 'vitest'
import { type RefreshFacts, refreshSentence } from '../../../src/refresh/explain/sentence.js'
import { SeededRandom, withSeed } from '../../support/seed.js'
import { OPTIONS, openOrchard, PAGES, type Page, page, START, url } from '../orchard.js'

const DAY_MS = 86_400_000
const HELM = { query: 'helm', weight: 7347.2, rank1: 1, share: 0.8 }
const FACTS: RefreshFacts = {
  ageMs: 9.7 * DAY_MS,
  visits: 11,
  changes: 4,
  errors: 0,
  signalledMs: undefined,
  recall: 0,
  sectionPace: 1,
  sectionGainFactor: 1,
  currentProbability: 0.43,
  hasQueries: true,
  stake: 0.0312,
  stakeQueries: [HELM],
  expectedGain: 0.0234,
}

const tell = (facts: Partial<RefreshFacts>) => refreshSentence({ ...FACTS, ...facts })

describe('the sentences of a page', () => {
  it('tell its worth, its past and its gain', () => {
    expect(tell({})).toBe(
      "Rank 1 for helm, asked 7,347 times; carries 3.1% of today's answers. " +
        'Last fetched 9 days ago; changed at 4 of 11 visits; the copy is current with a probability of 43%. ' +
        'A refresh would bring 2.3% of all that can be gained now.',
    )
  })

  it('name the queries of the stake whether or not the page ever changed', () => {
    expect(tell({ visits: 0, changes: 0 })).toMatch(
      /^Rank 1 for helm, asked 7,347 times; carries 3.1% of .*\. Fetched 9 days ago and not refreshed since;/,
    )
    const more = { query: 'helm  chart\n', weight: 2, rank1: 1234, share: 0.15 }
    const little = { query: 'other', weight: 1, rank1: 2, share: 0.05 }
    expect(tell({ stakeQueries: [HELM, more, little] })).toContain(
      'Rank 1 for helm, asked 7,347 times, and rank 1,234 for "helm chart", asked twice; carries',
    )
    expect(tell({ stakeQueries: [HELM, little] })).not.toContain('other')
    expect(tell({ stakeQueries: [{ ...HELM, query: undefined }] })).toMatch(/^Carries 3.1% of today's answers\./)
    expect(tell({ stakeQueries: [] })).toMatch(/^Carries 3.1% of today's answers\./)
    expect(tell({ stakeQueries: [{ ...HELM, query: 'x'.repeat(500) }] }).length).toBeLessThan(400)
  })

  it('count visits as people do', () => {
    expect(tell({ visits: 1, changes: 0 })).toContain('; unchanged at its only visit;')
    expect(tell({ visits: 1, changes: 1 })).toContain('; changed at its only visit;')
    expect(tell({ visits: 2, changes: 2 })).toContain('; changed at both visits;')
    expect(tell({ visits: 1200, changes: 0 })).toContain('; unchanged at all 1,200 visits;')
  })

  it('tell of a folder that was busy or calm, unless signals say more', () => {
    expect(tell({ sectionPace: 1.6 })).toContain('; its folder has changed more than usual since; the copy')
    expect(tell({ sectionPace: 0.6 })).toContain('; its folder has changed less than usual since; the copy')
    for (const sectionPace of [0.7, 1, 1.4]) expect(tell({ sectionPace })).not.toContain('folder')
    expect(tell({ sectionPace: 2, recall: 0.9 })).not.toContain('folder')
  })

  it('tell of a folder whose changes matter more, or less', () => {
    expect(tell({ sectionGainFactor: 1.6 })).toContain(
      'now, as changes in its folder move answers more than others do.',
    )
    expect(tell({ sectionGainFactor: 0.6 })).toContain('although changes in its folder move answers less than others.')
    for (const sectionGainFactor of [0.7, 1, 1.4]) expect(tell({ sectionGainFactor })).not.toContain('folder')
    for (const nothing of [{ stake: undefined }, { expectedGain: 0 }])
      expect(tell({ sectionGainFactor: 3, ...nothing })).not.toContain('folder')
  })

  it('say how long ago in the unit that fits', () => {
    const since = (ageMs: number) => /Last fetched (.*?); changed/.exec(tell({ ageMs }))?.[1]
    expect([0, 61e3, 119 * 60e3, 2 * 3600e3, 30 * 3600e3, 2 * DAY_MS, 1234 * DAY_MS].map(since)).toEqual([
      'just now',
      '1 minute ago',
      '119 minutes ago',
      '2 hours ago',
      '30 hours ago',
      '2 days ago',
      '1,234 days ago',
    ])
  })

  it('have a word for signals, for a telling silence and for failures', () => {
    expect(tell({ signalledMs: 3 * DAY_MS })).toContain('; a change was signalled 3 days ago; the copy')
    expect(tell({ recall: 0.95 })).toContain('; its site signals 95% of its changes and has signalled none; the copy')
    expect(tell({ recall: 0.5 })).not.toContain('signal')
    expect(tell({ errors: 1 })).toContain('; could not be fetched once since;')
    expect(tell({ errors: 3 })).toContain('; could not be fetched 3 times since;')
  })

  it('do not pretend to more than is known', () => {
    expect(tell({ currentProbability: 1, expectedGain: 0 })).toMatch(
      /the copy is current\. A refresh would gain nothing\.$/,
    )
    expect(tell({ currentProbability: 0 })).toContain('the copy is out of date.')
    expect(tell({ currentProbability: 0.9999 })).toContain('a probability of over 99%')
    expect(tell({ currentProbability: 1e-9 })).toContain('a probability of less than 0.1%')
    expect(tell({ expectedGain: 7.38e-6 })).toContain('would bring less than 0.1% of all')
    expect(tell({ stake: 0, stakeQueries: [] })).toMatch(/^No known query finds it\. Last/)
    const unknown = { stake: undefined, stakeQueries: [], expectedGain: 0.1 }
    expect(tell({ ...unknown, hasQueries: false })).toMatch(
      /^No queries are known, so all pages count alike\. .*43%\.$/,
    )
    // Known, and not weighed yet: that is not the same.
    expect(tell({ ...unknown, hasQueries: true })).not.toContain('No queries are known')
  })

  it('have no exponents, strange numbers or names of variables, whatever the facts', () => {
    withSeed('sentences', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 500; round++) {
        const sentence = refreshSentence({
          ageMs: 10 ** (random.next() * 16),
          visits: random.pick([0, 1, 2, 5, 2 ** 32 - 1]),
          changes: random.pick([0, 1, 2, 2 ** 32 - 1]),
          errors: random.pick([0, 1, 2, 65_535]),
          signalledMs: random.pick([undefined, 0, 1e9]),
          recall: random.next(),
          sectionPace: random.pick([0, 0.5, 1, 3]),
          sectionGainFactor: random.pick([0.01, 0.5, 1, 30]),
          currentProbability: random.pick([0, 1, random.next(), 1e-12]),
          hasQueries: random.chance(0.8),
          stake: random.pick([undefined, 0, 1e-12, random.next(), 1]),
          stakeQueries: random.pick([[], [{ query: 'a b', weight: random.next() * 1e6, rank1: 3, share: 1 }]]),
          expectedGain: random.pick([0, 1e-300, random.next(), 1]),
        })
        expect(sentence).toMatch(/^(?:[A-Z][^.]*(?:\.\d[^.]*)*\.(?: |$))+$/)
        expect(sentence).not.toMatch(/NaN|Infinity|undefined|\de[+-]?\d| {2}|,,|[a-z][A-Z]/)
      }
    })
  })
})

describe('an index', () => {
  test('never says that no queries are known when there are', async () => {
    await using index = await Freshdex.open<Page>(':memory:', OPTIONS)
    await index.write({ put: PAGES }, { at: START })
    const sentence = () => index.refresh.explain(url(1), { at: START + DAY_MS })?.sentence
    expect(sentence()).toContain('No queries are known')
    index.workload.record('apple', { count: 3 })
    expect(sentence()).not.toContain('No queries are known')
  })

  test('names the queries that make the stake of a page that never changed', async () => {
    await using index = await openOrchard()
    index.workload.record('medlar', { count: 7000, at: START })
    await index.write({ put: [{ url: 'tree', title: 'medlar', body: 'tree' }] }, { at: START })
    await index.refresh.next({ budget: 1, at: START + DAY_MS, waitMs: 60_000 })
    const explained = index.refresh.explain('tree', { at: START + DAY_MS })!
    expect(explained).toMatchObject({ refreshes: 0, changes: 0, queries: [] })
    expect(explained.stakeQueries).toEqual([{ query: 'medlar', weight: 7000, rank1: 1, share: 1 }])
    expect(explained.sentence).toMatch(
      /^Rank 1 for medlar, asked 7,000 times; carries (?:over )?[\d.]+% of today's answers\. Fetched/,
    )
  })

  test('has stake, expected gain and the probability of a current copy as shares', async () => {
    await using index = await openOrchard()
    await index.write({ put: [page(1, 'quince')] }, { at: START + DAY_MS })
    const at = START + 30 * DAY_MS
    const all = PAGES.map(({ url: key }) => index.refresh.explain(key, { at })!)
    const sum = (value: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + value(one), 0)
    expect(sum(({ stake }) => stake)).toBeCloseTo(1, 6)
    expect(sum(({ expectedGain }) => expectedGain)).toBeCloseTo(1, 6)
    for (const { currentProbability, expected } of all)
      expect(currentProbability).toBeCloseTo(1 - expected.changeChance, 12)
  })
})
