import { describe, expect, it } from 'vitest'
import { kindBit, kindsOf, SIGNAL_KINDS, type SignalKind } from '../../src/ledger/signals.js'
import { hasTrustMoved, SiteTrust } from '../../src/ledger/site-trust.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const SITE = 7

/** What happened to a site: a kind was heard for the first time, or a page was refreshed. */
type Event = { readonly first: SignalKind } | { readonly kinds: number; readonly isChanged: boolean }

/** By going through all events for every question. */
function bruteRatio(events: readonly Event[], kinds: number): number {
  let ratio = 1
  for (const kind of SIGNAL_KINDS) {
    const isHeard = kindsOf(kinds).includes(kind)
    const begin = events.findIndex((event) => 'first' in event && event.first === kind)
    if (begin < 0 && !isHeard) continue
    const refreshes = begin < 0 ? [] : events.slice(begin).flatMap((event) => ('first' in event ? [] : [event]))
    const chance = (isChanged: boolean, signalled: number, all: number) => {
      const own = refreshes.filter((refresh) => refresh.isChanged === isChanged)
      const share =
        (own.filter((refresh) => kindsOf(refresh.kinds).includes(kind)).length + signalled) / (own.length + all)
      return isHeard ? share : 1 - share
    }
    ratio *= chance(true, 1, 2) / chance(false, 0.5, 5)
  }
  return Math.min(1000, Math.max(0.001, ratio))
}

function bruteRecall(events: readonly Event[]): number {
  const begin = events.findIndex((event) => 'first' in event)
  if (begin < 0) return 0
  const changed = events.slice(begin).filter((event) => 'kinds' in event && event.isChanged)
  return (changed.filter((event) => 'kinds' in event && event.kinds !== 0).length + 1) / (changed.length + 2)
}

function tell(trust: SiteTrust, event: Event): void {
  if ('first' in event) trust.heard(SITE, event.first)
  else trust.answered(SITE, event.kinds, event.isChanged)
}

describe('kinds of signals', () => {
  it('have a bit each', () => {
    expect(SIGNAL_KINDS.map(kindBit)).toEqual([1, 2, 4, 8, 16])
    expect(kindsOf(0b10101)).toEqual(['sitemap', 'last-modified', 'push'])
  })
})

describe('trust', () => {
  it('is what the refreshes after each first signal say, kind by kind', () => {
    withSeed('site trust', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 30; round++) {
        const trust = new SiteTrust()
        const events: Event[] = []
        const used: SignalKind[] = []
        for (let step = random.int(60); step > 0; step--) {
          const kind = random.pick(SIGNAL_KINDS)
          const isNew = random.chance(0.1) && !used.includes(kind)
          if (isNew) used.push(kind)
          const kinds = used.filter(() => random.chance(0.4)).reduce((set, each) => set | kindBit(each), 0)
          const event = isNew ? { first: kind } : { kinds, isChanged: random.chance(0.3) }
          events.push(event)
          tell(trust, event)
        }
        for (let kinds = 0; kinds < 32; kinds++)
          expect(trust.likelihoodRatio(SITE, kinds)).toBeCloseTo(bruteRatio(events, kinds), 9)
        expect(trust.recall(SITE)).toBeCloseTo(bruteRecall(events), 9)
      }
    })
  })

  it('assumes before it knows: a signal is news, silence a little, and a site that never sent any says nothing', () => {
    const trust = new SiteTrust()
    expect([trust.likelihoodRatio(SITE, 0), trust.recall(SITE)]).toEqual([1, 0])
    expect(trust.likelihoodRatio(0, kindBit('push'))).toBe(1)
    const assumed = [0.5 / 0.1, 0.5 / 0.9]
    expect(trust.likelihoodRatio(SITE, kindBit('push'))).toBeCloseTo(assumed[0]!, 9)
    trust.answered(SITE, 0, true)
    expect(trust.size).toBe(0)
    trust.heard(SITE, 'push')
    expect(trust.likelihoodRatio(SITE, kindBit('push'))).toBeCloseTo(assumed[0]!, 9)
    expect(trust.likelihoodRatio(SITE, 0)).toBeCloseTo(assumed[1]!, 9)
    expect(trust.recall(SITE)).toBe(0.5)
    // Whatever a set of kinds that no site can have is, it says nothing.
    expect(trust.likelihoodRatio(SITE, 255)).toBe(1)
  })

  /** Refreshes of a site of which `changing` pages change, with signals of these chances. */
  function simulated(
    random: SeededRandom,
    chances: { readonly ifChanged: number; readonly ifSame: number },
  ): SiteTrust {
    const trust = new SiteTrust()
    trust.heard(SITE, 'etag')
    for (let refresh = 0; refresh < 20_000; refresh++) {
      const isChanged = random.chance(0.2)
      const isSignalled = random.chance(isChanged ? chances.ifChanged : chances.ifSame)
      trust.answered(SITE, isSignalled ? kindBit('etag') : 0, isChanged)
    }
    return trust
  }

  it.each([
    ['a perfect site', { ifChanged: 1, ifSame: 0 }, 1000, 0.001, 1],
    ['a site that misses 20%', { ifChanged: 0.8, ifSame: 0 }, 1000, 0.2, 0.8],
    ['a site with 20% false alarms', { ifChanged: 1, ifSame: 0.2 }, 5, 0.001, 1],
    ['a site with both', { ifChanged: 0.8, ifSame: 0.2 }, 4, 0.25, 0.8],
    ['an ETag that always changes', { ifChanged: 1, ifSame: 1 }, 1, undefined, 1],
    ['signals by chance', { ifChanged: 0.3, ifSame: 0.3 }, 1, 1, 0.3],
  ] as const)('learns %s', (name, chances, signalled, silent, recall) => {
    withSeed(`learning ${name}`, (seed) => {
      const trust = simulated(new SeededRandom(seed), chances)
      const isNear = (value: number, expected: number) => Math.abs(value / expected - 1) < 0.15
      expect(isNear(trust.likelihoodRatio(SITE, kindBit('etag')), signalled)).toBe(true)
      if (silent !== undefined) expect(isNear(trust.likelihoodRatio(SITE, 0), silent)).toBe(true)
      expect(isNear(trust.recall(SITE), recall)).toBe(true)
    })
  })

  it('tells signalled from silent pages alike when signalled ones are refreshed ten times as often', () => {
    withSeed('selection', (seed) => {
      const random = new SeededRandom(seed)
      const trust = new SiteTrust()
      trust.heard(SITE, 'feed')
      for (let page = 0; page < 200_000; page++) {
        const isChanged = random.chance(0.2)
        const isSignalled = random.chance(isChanged ? 0.8 : 0.2)
        if (random.chance(isSignalled ? 1 : 0.1)) trust.answered(SITE, isSignalled ? kindBit('feed') : 0, isChanged)
      }
      const oddsRatio = trust.likelihoodRatio(SITE, kindBit('feed')) / trust.likelihoodRatio(SITE, 0)
      expect(oddsRatio).toBeGreaterThan(14)
      expect(oddsRatio).toBeLessThan(18)
    })
  })

  it('gives its changes as rows, from which it is restored, and takes them back', () => {
    const trust = new SiteTrust()
    trust.heard(1, 'feed')
    trust.answered(1, kindBit('feed'), true)
    trust.heard(2, 'push')
    expect(trust.takeChanges().rows).toHaveLength(4)
    expect(trust.takeChanges().rows).toEqual([])
    const before = trust.rows()
    trust.answered(1, 0, true)
    trust.heard(1, 'etag')
    trust.heard(3, 'sitemap')
    const { rows, undo } = trust.takeChanges()
    const zero = { signalledChanged: 0, signalledSame: 0, silentChanged: 0, silentSame: 0 }
    expect(rows).toEqual([
      { site: 1, kind: 'feed', ...zero, signalledChanged: 1, silentChanged: 1 },
      { site: 1, kind: 'any', ...zero, signalledChanged: 1, silentChanged: 1 },
      { site: 1, kind: 'etag', ...zero },
      { site: 3, kind: 'sitemap', ...zero },
      { site: 3, kind: 'any', ...zero },
    ])
    const twin = new SiteTrust()
    for (const row of trust.rows()) twin.restore(row)
    for (const site of [1, 2, 3, 4]) {
      for (let kinds = 0; kinds < 32; kinds++)
        expect(twin.likelihoodRatio(site, kinds)).toBe(trust.likelihoodRatio(site, kinds))
      expect(twin.recall(site)).toBe(trust.recall(site))
    }
    expect(twin.takeChanges().rows).toEqual([])
    undo()
    expect(trust.rows()).toEqual(before)
    expect(trust.size).toBe(2)
  })

  it('that is frozen stays as it is, and moves when it says something else of many', () => {
    const trust = new SiteTrust()
    const empty = trust.frozen()
    trust.heard(1, 'etag')
    expect(hasTrustMoved(empty, trust, 0.02)).toBe(true)
    for (let refresh = 0; refresh < 1000; refresh++) trust.answered(1, kindBit('etag'), refresh % 2 === 0)
    const frozen = trust.frozen()
    const ratio = trust.likelihoodRatio(1, 0)
    trust.answered(1, kindBit('etag'), true)
    expect(hasTrustMoved(frozen, trust, 0.02)).toBe(false)
    // Another site, of which little is known beside the first.
    trust.heard(2, 'etag')
    for (let refresh = 0; refresh < 15; refresh++) trust.answered(2, 0, true)
    expect(hasTrustMoved(frozen, trust, 0.02)).toBe(false)
    for (let refresh = 0; refresh < 15; refresh++) trust.answered(2, 0, true)
    expect(hasTrustMoved(frozen, trust, 0.02)).toBe(true)
    for (let refresh = 0; refresh < 200; refresh++) trust.answered(1, 0, false)
    expect(hasTrustMoved(frozen, trust.frozen(), 0.02)).toBe(true)
    expect(frozen.likelihoodRatio(1, 0)).toBe(ratio)
  })
})
