import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nearestFirst, type PageGroups } from '../../../../src/clusters/centroids.js'
import { changeFrequency, changeProbability } from '../../../../src/clusters/change-weights.js'
import {
  groupBySite,
  MeanIntervals,
  type SamplingCycleOptions,
  sampleCycle,
} from '../../../../src/lab/experiments/clusters/cluster-sampling.js'
import { studentQuantile } from '../../../../src/math/distributions.js'
import { SeededRandom, withSeed } from '../../../support/seed.js'
import { planSamplingCycle } from './whole-cycle.js'

const vectors = JSON.parse(readFileSync(new URL('../../../clusters/vectors/clusters.json', import.meta.url), 'utf8'))
const never = (pages: number) => Array<number>(pages).fill(Number.NEGATIVE_INFINITY)

describe('a sample', () => {
  it('is known as well as the reference values say', () => {
    const { x, delta, confidence, halfWidth, sufficient } = vectors.sampleSufficiency
    const intervals = new MeanIntervals(1, confidence)
    for (const value of x) intervals.add(0, value)
    expect(intervals.halfWidth(0)).toBeCloseTo(halfWidth, 9)
    expect(intervals.halfWidth(0) <= delta).toBe(sufficient)
  })

  it('gives the cluster its mean φ', () => {
    const [history, other] = vectors.histories.map(({ bits }: { bits: number[] }) => bits)
    const plan = planSamplingCycle(
      groupsOf([[0, 1]]),
      (page) => changeProbability(changeFrequency(page === 0 ? history : other, 'gad')),
      { budget: 2, lastVisits: never(2), fairShare: 0 },
    )
    expect(plan.probabilities[0]).toBeCloseTo(vectors.clusterPhi.mean, 9)
  })

  it('is known as a brute force says, on random values', () => {
    withSeed('intervals', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 100; round++) {
        const [confidence, values] = [
          0.5 + 0.49 * random.next(),
          Array.from({ length: random.between(2, 40) }, random.next),
        ]
        const intervals = new MeanIntervals(1, confidence)
        for (const value of values) intervals.add(0, value)
        expect(intervals.halfWidth(0)).toBeCloseTo(plainHalfWidth(values, confidence), 10)
      }
    })
  })

  it('begins with the nearest pages and ends when it is large enough', () => {
    const assignment = Uint32Array.from({ length: 60 }, (_, page) => page % 2)
    const cosines = Float64Array.from({ length: 60 }, (_, page) => ((page * 37) % 60) / 60)
    const groups = nearestFirst(assignment, 2, cosines)
    // Pages of cluster 0 are all alike; those of cluster 1 differ as much as they can.
    let turn = 0
    const plan = planSamplingCycle(groups, (page) => (page % 2 === 0 ? 0.4 : turn++ % 2), {
      budget: 40,
      lastVisits: never(60),
      fairShare: 0,
    })
    const sampled = (cluster: number) => [...plan.samples].filter((page) => page % 2 === cluster)
    const nearest = (cluster: number) =>
      [...assignment.keys()].filter((page) => page % 2 === cluster).sort((a, b) => cosines[b]! - cosines[a]!)
    expect(sampled(0)).toEqual(nearest(0).slice(0, 5))
    // 0.1 is out of reach with 20 values, which is all that R / clusters allows.
    expect(sampled(1)).toEqual(nearest(1).slice(0, 20))
    expect([...plan.probabilities]).toEqual([expect.closeTo(0.4, 12), 0.5])
    expect([...plan.order]).toEqual([1, 0])
    expect(plan.halfWidths[0]).toBeCloseTo(0, 12)
    // What is left after 25 samples goes to the better cluster, and then to the other one, nearest first.
    expect([...plan.downloads]).toEqual([...plan.samples, ...nearest(1).slice(20), ...nearest(0).slice(5, 10)])
  })

  it('is looked at in rounds, and may be visited in between', () => {
    const groups = groupsOf([
      [0, 1, 2],
      [3, 4],
    ])
    const cycle = sampleCycle(groups, { budget: 4, lastVisits: never(5), leastSamples: 1, fairShare: 0 })
    const first = cycle.next()
    expect([...(first.value as Uint32Array)]).toEqual([0, 3])
    const second = cycle.next([0, 1])
    expect([...(second.value as Uint32Array)]).toEqual([1, 4])
    const last = cycle.next([0, 1])
    expect(last.done).toBe(true)
    expect(last.value).toMatchObject({ downloads: Uint32Array.of(0, 3, 1, 4), order: Uint32Array.of(1, 0), fair: 0 })
  })
})

describe('a cycle', () => {
  it('is that of a brute force, on random groups', () => {
    withSeed('cycles', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 300; round++) {
        const pages = random.between(1, 60)
        const lists: number[][] = Array.from({ length: random.between(1, 6) }, () => [])
        for (const page of random.shuffle(Array(pages).keys())) random.pick(lists).push(page)
        const phis = Array.from({ length: pages }, () => (random.chance(0.5) ? random.next() : 0.25))
        const options: Required<SamplingCycleOptions> = {
          budget: random.between(0, 80),
          lastVisits: Array.from({ length: pages }, () =>
            random.chance(0.2) ? Number.NEGATIVE_INFINITY : random.int(9),
          ),
          cycle: random.int(5),
          delta: 0.4 * random.next(),
          confidence: 0.8,
          leastSamples: random.between(1, 6),
          mostSamples: random.between(1, 9),
          fairShare: random.pick([0, 0.05, 0.3, 1]),
          samplesCost: random.chance(0.5),
          within: random.pick(['oldest', 'nearest'] as const),
        }
        const plan = planSamplingCycle(groupsOf(lists), (page) => phis[page]!, options)
        const expected = plainCycle(lists, phis, options)
        expect(plan.samples.toSorted()).toEqual(Uint32Array.from(expected.samples).sort())
        const paid = options.samplesCost ? plan.samples.length : 0
        expect(plan.downloads.subarray(0, paid)).toEqual(plan.samples.subarray(0, paid))
        expect([...plan.downloads.subarray(paid)]).toEqual(expected.later)
        expect(new Set(plan.downloads).size).toBe(Math.min(pages, options.budget))
        expect([...plan.order]).toEqual(expected.order)
      }
    })
  })

  it('visits every page sooner or later, however calm its cluster is', () => {
    const [pages, budget] = [200, 10]
    const groups = groupsOf([[...Array(100).keys()], Array.from({ length: 100 }, (_, at) => 100 + at)])
    const last = never(pages)
    const gaps = Array<number>(pages).fill(0)
    for (let cycle = 0; cycle < 2000; cycle++) {
      const plan = planSamplingCycle(groups, (page) => (page < 100 ? 0.6 : 0), { budget, lastVisits: last, cycle })
      for (const page of plan.downloads) {
        gaps[page] = Math.max(gaps[page]!, cycle - Math.max(last[page]!, 0))
        last[page] = cycle
      }
    }
    expect(Math.min(...last)).toBeGreaterThanOrEqual(0)
    // A twentieth of 10 is one page in two cycles: nobody waits for longer than all pages take in turn.
    expect(Math.max(...gaps)).toBeLessThanOrEqual(pages / (0.05 * budget) + 2)
    const unfair = planSamplingCycle(groups, (page) => (page < 100 ? 0.6 : 0), {
      budget: 110,
      lastVisits: never(pages),
      fairShare: 0,
    })
    expect([...unfair.downloads].filter((page) => page >= 100).length).toBe(10)
  })

  it('spends a share of R over the cycles, not only in each', () => {
    const fair = Array.from({ length: 40 }, (_, cycle) => {
      const options = { budget: 7, lastVisits: never(50), cycle, fairShare: 0.05 }
      return planSamplingCycle(groupsOf([[...Array(50).keys()]]), () => 0, options).fair
    })
    expect(fair.reduce((sum, count) => sum + count)).toBe(14)
    expect(Math.max(...fair)).toBe(1)
  })

  it('samples the groups that were left alone longest when it cannot sample all', () => {
    const groups = groupsOf([
      [0, 1],
      [2, 3],
      [4, 5],
    ])
    const plan = planSamplingCycle(groups, () => 0.5, { budget: 2, lastVisits: [5, 1, 2, 2, 4, 0], fairShare: 0 })
    expect([...plan.samples]).toEqual([2, 4])
    expect([...plan.probabilities]).toEqual([Number.NaN, 0.5, 0.5])
    expect([...plan.order]).toEqual([1, 2, 0])
  })

  it('downloads nothing for nothing, and all there is for more', () => {
    const groups = groupsOf([[0], [1], []])
    expect(planSamplingCycle(groups, () => 0, { budget: 0, lastVisits: never(2) }).downloads.length).toBe(0)
    expect([...planSamplingCycle(groups, () => 0, { budget: 9, lastVisits: never(2) }).downloads].sort()).toEqual([
      0, 1,
    ])
    expect(planSamplingCycle(groupsOf([]), () => 0, { budget: 9, lastVisits: [] }).downloads.length).toBe(0)
  })

  it('refuses wrong arguments by name', () => {
    const plan = (options: Partial<SamplingCycleOptions>, phi = 0.5) =>
      planSamplingCycle(groupsOf([[0, 1]]), () => phi, { budget: 2, lastVisits: never(2), ...options })
    expect(() => plan({ budget: -1 })).toThrow(/budget must be an integer of at least 0/)
    expect(() => plan({ lastVisits: [1] })).toThrow(/lastVisits must have page 1, received 1 pages/)
    expect(() => plan({ confidence: 1 })).toThrow(/confidence must be/)
    expect(() => plan({ fairShare: 2 })).toThrow(/fairShare must be a finite number from 0 to 1/)
    expect(() => plan({ delta: -1 })).toThrow(/delta must be/)
    expect(() => plan({ leastSamples: 0 })).toThrow(/leastSamples must be an integer of at least 1/)
    expect(() => plan({}, 1.5)).toThrow(/φ of page 0 must be a finite number from 0 to 1/)
    expect(() => plan({}, Number.NaN)).toThrow(RangeError)
    expect(() => nearestFirst(Uint32Array.of(0, 3), 2, [1, 1])).toThrow(/assignment\[1\] must be below 2, received 3/)
    expect(() => nearestFirst(Uint32Array.of(0, 1), 2, [1])).toThrow(/cosines must hold one number for each of 2 pages/)
  })
})

describe('sites', () => {
  it('hold their pages in a random order that depends on the seed alone', () => {
    const sites = Array.from({ length: 60 }, (_, page) => ['a', 'b', 'c'][page % 3]!)
    const groups = groupBySite(sites, 5)
    expect(groups.sites).toEqual(['a', 'b', 'c'])
    expect([...groups.starts]).toEqual([0, 20, 40, 60])
    groups.sites.forEach((site, at) => {
      const pages = groups.pages.subarray(groups.starts[at], groups.starts[at + 1])
      expect([...pages].every((page) => sites[page] === site)).toBe(true)
      expect([...pages]).not.toEqual([...pages.toSorted()])
    })
    expect(groupBySite(sites, 5)).toEqual(groups)
    expect([...groupBySite(sites, 6).pages]).not.toEqual([...groups.pages])
    expect(() => groupBySite(sites, -1)).toThrow(/seed must be/)
  })
})

function groupsOf(lists: readonly (readonly number[])[]): PageGroups {
  const starts = [0]
  for (const list of lists) starts.push(starts.at(-1)! + list.length)
  return { starts: Uint32Array.from(starts), pages: Uint32Array.from(lists.flat()) }
}

function plainHalfWidth(values: readonly number[], confidence: number): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return studentQuantile((1 + confidence) / 2, values.length - 1) * Math.sqrt(variance / values.length)
}

function plainCycle(
  lists: readonly (readonly number[])[],
  phis: readonly number[],
  options: Required<SamplingCycleOptions>,
) {
  const { budget, cycle, lastVisits, fairShare, leastSamples, mostSamples, delta, confidence } = options
  const fair = Math.floor((cycle + 1) * budget * fairShare + 1e-9) - Math.floor(cycle * budget * fairShare + 1e-9)
  const sampled = lists.map((): number[] => [])
  const allowed = () => (options.samplesCost ? budget - fair - sampled.flat().length : 1e9)
  const latest = lists.map((list) => Math.max(...list.map((page) => lastVisits[page]!)))
  const isOpen = (group: number, count: number) => {
    if (count >= Math.min(lists[group]!.length, mostSamples)) return false
    if (count < leastSamples) return true
    const values = lists[group]!.slice(0, count).map((page) => phis[page]!)
    return count < 2 || plainHalfWidth(values, confidence) > delta
  }
  for (let open = true; open; ) {
    open = false
    const isShort = lists.length * Math.min(leastSamples, mostSamples) > allowed()
    const order = [...lists.keys()].sort((a, b) =>
      isShort && latest[a] !== latest[b] ? (latest[a]! < latest[b]! ? -1 : 1) : a - b,
    )
    for (const group of order) {
      do {
        const count = sampled[group]!.length
        if (allowed() <= 0 || !isOpen(group, count)) break
        sampled[group]!.push(lists[group]![count]!)
        open = true
      } while (sampled[group]!.length < leastSamples)
    }
  }
  const means = sampled.map((pages) => pages.reduce((sum, page) => sum + phis[page]!, 0) / pages.length)
  const place = (group: number) => (Number.isNaN(means[group]!) ? -1 : Number(means[group]!.toFixed(12)))
  const order = [...lists.keys()].sort((a, b) => place(b) - place(a) || a - b)
  const samples = sampled.flat()
  const oldestFirst = (pages: readonly number[]) =>
    [...pages].sort((a, b) => (lastVisits[a] === lastVisits[b] ? 0 : lastVisits[a]! < lastVisits[b]! ? -1 : 1))
  const listed = (group: number) => (options.within === 'nearest' ? lists[group]! : oldestFirst(lists[group]!))
  const rest = order.flatMap(listed).filter((page) => !options.samplesCost || !samples.includes(page))
  const paid = options.samplesCost ? samples.length : 0
  const chosen = rest.slice(0, Math.max(0, budget - fair - paid))
  const others = lists
    .flat()
    .filter((page) => !chosen.includes(page) && !(options.samplesCost && samples.includes(page)))
    .sort((a, b) => (lastVisits[a] === lastVisits[b] ? a - b : lastVisits[a]! < lastVisits[b]! ? -1 : 1))
  const later = [...chosen, ...others]
  return { samples, order, later: later.slice(0, budget - paid) }
}
