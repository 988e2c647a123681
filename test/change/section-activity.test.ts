import { describe, expect, it } from 'vitest'
import { learntClocks, PLAIN_CLOCKS, type SectionClocks, type SectionVisit } from '../../src/change/section-activity.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { twinClocks } from './naive-activity.js'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const START_MS = 20_000 * DAY_MS

interface Case {
  readonly parents: readonly number[]
  readonly visits: readonly SectionVisit[]
  readonly startMs: number
  readonly endMs: number
}

/** Pages with a few visits each, this part of them on the same few days, the others at times of their own. */
function randomCase(random: SeededRandom, pages: number, sharedPart: number): Case {
  const parents = [0]
  for (let left = random.int(6); left > 0; left--) parents.push(random.int(parents.length))
  const visits: SectionVisit[] = []
  for (let page = 0; page < pages; page++) {
    const section = random.int(parents.length)
    const ratePerMs = 10 ** (random.next() * 3 - 3) / DAY_MS
    let fromMs = START_MS + random.int(10) * WEEK_MS
    const isShared = random.chance(sharedPart)
    for (let left = random.between(1, 6); left > 0; left--) {
      const toMs = fromMs + (isShared ? random.between(1, 7) * WEEK_MS : random.between(1, 60 * DAY_MS))
      visits.push({ section, ratePerMs, fromMs, toMs, isChanged: random.chance(0.4) })
      fromMs = toMs
    }
  }
  const startMs = Math.min(...visits.map(({ fromMs }) => fromMs))
  return { parents, visits, startMs, endMs: Math.max(...visits.map(({ toMs }) => toMs)) }
}

function forRandomCases(label: string, check: (random: SeededRandom, given: Case, clocks: SectionClocks) => void) {
  withSeed(label, (seed) => {
    const random = new SeededRandom(seed)
    for (let round = 0; round < 40; round++) {
      const given = randomCase(random, random.pick([1, 4, 60]), round % 2)
      check(random, given, learntClocks(given, given.visits))
    }
  })
}

/** Mostly between the visits, also before and after, and when they were. */
function randomMoment(random: SeededRandom, { visits, startMs, endMs }: Case): number {
  if (random.chance(0.2)) return random.pick(visits)[random.pick(['fromMs', 'toMs'] as const)]
  return startMs + (random.next() * 1.4 - 0.2) * (endMs - startMs)
}

/** From a moment to a later one. */
function randomTime(random: SeededRandom, given: Case): [fromMs: number, toMs: number] {
  const [one, other] = [randomMoment(random, given), randomMoment(random, given)]
  return [Math.min(one, other), Math.max(one, other)]
}

describe('the clock of a section', () => {
  it('goes on, and takes as long for a time as for its parts', () => {
    forRandomCases('parts of time', (random, given, clocks) => {
      for (let check = 0; check < 50; check++) {
        const section = random.int(given.parents.length)
        const [first, last] = randomTime(random, given)
        const middle = first + random.next() * (last - first)
        const whole = clocks.elapsedMs(section, first, last)
        const begun = clocks.elapsedMs(section, first, middle)
        expect(begun).toBeGreaterThanOrEqual(0)
        expect(whole).toBeGreaterThanOrEqual(begun)
        expect(Math.abs(begun + clocks.elapsedMs(section, middle, last) - whole)).toBeLessThan(1e-3)
        expect(clocks.elapsedMs(section, last, first)).toBe(0)
        expect(clocks.elapsedMs(section, first, first)).toBe(0)
      }
    })
  })

  it('is any clock before the visits, and after them', () => {
    forRandomCases('plain clocks', (random, given, clocks) => {
      const section = random.int(given.parents.length)
      for (const [fromMs, toMs] of [
        [given.startMs - 5 * WEEK_MS, given.startMs - 3 * WEEK_MS],
        [given.startMs - 2 * WEEK_MS, given.startMs],
        [given.endMs, given.endMs + 2 * WEEK_MS],
        [given.endMs + WEEK_MS, given.endMs + 3 * WEEK_MS],
      ] as const)
        expect(Math.abs(clocks.elapsedMs(section, fromMs, toMs) - 2 * WEEK_MS)).toBeLessThan(1e-3)
    })
  })

  it('is never faster than it says', () => {
    let faster = 0
    forRandomCases('fastest clocks', (random, given, clocks) => {
      for (let check = 0; check < 50; check++) {
        const section = random.int(given.parents.length)
        const [fromMs, toMs] = randomTime(random, given)
        // A bound from some time on holds for what begins later, too.
        const fastest = clocks.fastestFrom(section, fromMs - random.pick([0, random.next() * WEEK_MS]))
        const elapsedMs = clocks.elapsedMs(section, fromMs, toMs)
        expect(elapsedMs).toBeLessThanOrEqual(fastest * (toMs - fromMs) + 1e-3)
        expect(fastest).toBeGreaterThanOrEqual(1)
        if (elapsedMs > 1.1 * (toMs - fromMs)) faster++
      }
      for (const section of given.parents.keys()) expect(clocks.fastestFrom(section, given.endMs)).toBe(1)
    })
    expect(faster).toBeGreaterThan(10)
  })

  it('is as fast as it says at some time', () => {
    // A week with ten changes of ten pages, between two without.
    const visits = Array.from({ length: 30 }, (_, nth): SectionVisit => {
      const fromMs = START_MS + (nth % 3) * WEEK_MS
      return { section: 0, ratePerMs: 0.2 / WEEK_MS, fromMs, toMs: fromMs + WEEK_MS, isChanged: nth % 3 === 1 }
    })
    const clocks = learntClocks({ parents: [0] }, visits)
    const fastest = clocks.elapsedMs(0, START_MS + WEEK_MS, START_MS + 2 * WEEK_MS) / WEEK_MS
    expect(fastest).toBeGreaterThan(1.5)
    expect(clocks.fastestFrom(0, START_MS)).toBeCloseTo(fastest, 9)
  })

  it('is any clock without visits', () => {
    const clocks = learntClocks({ parents: [0, 0] }, [])
    for (const plain of [clocks, PLAIN_CLOCKS]) {
      expect(plain.elapsedMs(1, START_MS, START_MS + 5)).toBe(5)
      expect(plain.elapsedMs(1, START_MS + 5, START_MS)).toBe(0)
      expect(plain.fastestFrom(1, START_MS)).toBe(1)
    }
  })
})

describe('the activity of sections', () => {
  it.each([
    ['shared by all pages', 1, 20],
    ['of each page for itself', 0, 60],
    ['mostly shared, and still many', 0.8, 200],
  ] as const)('is that of a plain twin, with times of visits %s', (label, sharedPart, pages) => {
    withSeed(`activity ${label}`, (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 8; round++) {
        const given = randomCase(random, pages, sharedPart)
        const times = new Set(given.visits.map(({ toMs }) => toMs)).size
        expect(times > 64).toBe(sharedPart < 1)
        const clocks = learntClocks(given, given.visits)
        const twin = twinClocks(given.parents, given.visits)
        for (let check = 0; check < 100; check++) {
          const section = random.int(given.parents.length)
          const [fromMs, toMs] = randomTime(random, given)
          const expected = twin(section, fromMs, toMs)
          const tolerance = 1e-9 * Math.max(DAY_MS, expected)
          expect(Math.abs(clocks.elapsedMs(section, fromMs, toMs) - expected)).toBeLessThan(tolerance)
        }
      }
    })
  })

  it('is high when a section has a burst, and not in another', () => {
    withSeed('bursts', (seed) => {
      const random = new SeededRandom(seed)
      const [weeks, burst] = [24, [8, 9]]
      const ratePerMs = 1 / (60 * DAY_MS)
      // 0.5 and 6.5 are 1 in the mean.
      const activityIn = (section: number, week: number) => (section === 2 ? 1 : burst.includes(week) ? 6.5 : 0.5)
      const visits: SectionVisit[] = []
      for (let page = 0; page < 160; page++) {
        const section = 1 + (page % 2)
        // Half of the pages are seen each week, half every third one: their changes may have been in several weeks.
        const step = page % 4 < 2 ? 1 : 3
        for (let week = page % 3; week + step <= weeks; week += step) {
          let updates = 0
          for (let each = week; each < week + step; each++) updates += ratePerMs * WEEK_MS * activityIn(section, each)
          const [fromMs, toMs] = [START_MS + week * WEEK_MS, START_MS + (week + step) * WEEK_MS]
          visits.push({ section, ratePerMs, fromMs, toMs, isChanged: random.chance(-Math.expm1(-updates)) })
        }
      }
      const clocks = learntClocks({ parents: [0, 0, 0] }, visits)
      const meanIn = (section: number, some: readonly number[]) =>
        some.reduce((sum, week) => {
          const fromMs = START_MS + week * WEEK_MS
          return sum + clocks.elapsedMs(section, fromMs, fromMs + WEEK_MS) / WEEK_MS / some.length
        }, 0)
      const quiet = Array.from({ length: weeks }, (_, week) => week).filter((week) => !burst.includes(week))
      for (const week of burst) expect(meanIn(1, [week])).toBeGreaterThan(2.5)
      expect(meanIn(1, quiet)).toBeLessThan(0.85)
      expect(meanIn(2, burst)).toBeLessThan(0.6 * meanIn(1, burst))
      expect(meanIn(2, quiet)).toBeGreaterThan(0.75)
      expect(meanIn(2, quiet)).toBeLessThan(1.25)
    })
  })

  it('is 1 where changes come evenly', () => {
    withSeed('even changes', (seed) => {
      const random = new SeededRandom(seed)
      const visits: SectionVisit[] = []
      const endMs = START_MS + 20 * WEEK_MS
      for (let page = 0; page < 3000; page++) {
        const ratePerMs = random.pick([1 / 10, 1 / 30, 1 / 90]) / DAY_MS
        for (let fromMs = START_MS; fromMs < endMs; ) {
          const toMs = Math.min(endMs, fromMs + random.between(1, 3) * WEEK_MS)
          const isChanged = random.chance(-Math.expm1(-ratePerMs * (toMs - fromMs)))
          visits.push({ section: page % 3, ratePerMs, fromMs, toMs, isChanged })
          fromMs = toMs
        }
      }
      const clocks = learntClocks({ parents: [0, 0, 0] }, visits)
      for (const section of [0, 1, 2]) {
        const share = clocks.elapsedMs(section, START_MS, endMs) / (endMs - START_MS)
        expect(share).toBeGreaterThan(0.95)
        expect(share).toBeLessThan(1.05)
      }
    })
  })
})
