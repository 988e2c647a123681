import { describe, expect, it } from 'vitest'
import { type RefreshFacts, refreshSentence } from '../../../src/refresh/explain/sentence.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000
const FACTS: RefreshFacts = {
  ageMs: 12.7 * DAY_MS,
  visits: 7,
  changes: 3,
  errors: 0,
  signalledMs: undefined,
  recall: 0,
  sectionPace: 1,
  sectionGainFactor: 1,
  changeChance: 0.64,
  stakeShare: 0.0123,
  qualityGain: 0.00021,
}

const tell = (facts: Partial<RefreshFacts>) => refreshSentence({ ...FACTS, ...facts })

describe('the sentence of a page', () => {
  it('tells its past, its chance and its worth', () => {
    expect(tell({})).toBe(
      'Refreshed 12 days ago and changed at 3 of 7 visits, so it has changed with a chance of 64%; ' +
        "it is worth 1.2% of today's answers, and a refresh should win back 0.021% of their quality.",
    )
  })

  it('counts visits as people do', () => {
    expect(tell({ visits: 1, changes: 0 })).toContain('and unchanged at its only visit,')
    expect(tell({ visits: 1, changes: 1 })).toContain('and changed at its only visit,')
    expect(tell({ visits: 2, changes: 2 })).toContain('and changed at both visits,')
    expect(tell({ visits: 1200, changes: 0 })).toContain('and unchanged at all 1,200 visits,')
    expect(tell({ visits: 0, changes: 0 })).toMatch(/^Fetched 12 days ago and not refreshed yet, so/)
  })

  it('tells of a folder that was busy or calm, unless signals say more', () => {
    expect(tell({ sectionPace: 1.6 })).toContain(
      '3 of 7 visits, in a folder that has changed more than usual since, so it',
    )
    expect(tell({ sectionPace: 0.6 })).toContain(', in a folder that has changed less than usual since, so it')
    for (const sectionPace of [0.7, 1, 1.4]) expect(tell({ sectionPace })).not.toContain('folder')
    expect(tell({ sectionPace: 2, recall: 0.9 })).not.toContain('folder')
  })

  it('tells of a folder whose changes matter more, or less', () => {
    expect(tell({ sectionGainFactor: 1.6 })).toContain(
      "1.2% of today's answers, changes in its folder move answers more than others do, and a refresh should",
    )
    expect(tell({ sectionGainFactor: 0.6 })).toContain(', changes in its folder move answers less than others do, and')
    for (const sectionGainFactor of [0.7, 1, 1.4]) expect(tell({ sectionGainFactor })).not.toContain('folder')
    for (const nothing of [{ stakeShare: undefined }, { qualityGain: 0 }])
      expect(tell({ sectionGainFactor: 3, ...nothing })).not.toContain('folder')
  })

  it('says how long ago in the unit that fits', () => {
    const since = (ageMs: number) => /^Refreshed (.*) and changed/.exec(tell({ ageMs }))?.[1]
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

  it('has a word for signals, for a telling silence and for failures', () => {
    expect(tell({ signalledMs: 3 * DAY_MS })).toContain('visits, with a change signalled 3 days ago, so')
    expect(tell({ recall: 0.95 })).toContain(', with no signal from a site that gives one for 95% of its changes, so')
    expect(tell({ recall: 0.5 })).not.toContain('signal')
    expect(tell({ errors: 1 })).toContain('12 days ago, could not be fetched once since, and changed')
    expect(tell({ errors: 3 })).toContain('could not be fetched 3 times since')
  })

  it('does not pretend to more than is known', () => {
    expect(tell({ changeChance: 0, qualityGain: 0 })).toContain('so it is as it was;')
    expect(tell({ qualityGain: 0 })).toContain('and a refresh would win back nothing.')
    expect(tell({ changeChance: 0.9999 })).toContain('a chance of over 99%')
    expect(tell({ changeChance: 1 })).toContain('a chance of 100%')
    expect(tell({ changeChance: 1e-9 })).toContain('a chance of less than 0.0001%')
    expect(tell({ stakeShare: 0 })).toContain('; no known query finds it, and')
    expect(tell({ stakeShare: undefined })).toMatch(/; no queries are known, so that all pages count alike\.$/)
  })

  it('is one sentence without exponents or strange numbers, whatever the facts', () => {
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
          changeChance: random.pick([0, 1, random.next(), 1e-12]),
          stakeShare: random.pick([undefined, 0, 1e-12, random.next(), 1]),
          qualityGain: random.pick([0, 1e-300, random.next(), 12]),
        })
        expect(sentence).toMatch(/^[A-Z][^.]*(?:\.\d[^.]*)*\.$/)
        expect(sentence).not.toMatch(/NaN|Infinity|undefined|\de[+-]?\d| {2}|,,/)
      }
    })
  })
})
