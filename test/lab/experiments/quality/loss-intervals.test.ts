import { describe, expect, it } from 'vitest'
import {
  type LossRow,
  lossIntervals,
  packLosses,
  unpackLosses,
} from '../../../../src/lab/experiments/quality/intervals.js'
import { percentileInterval, QueryResamples } from '../../../../src/lab/report/statistics.js'
import { seededRandom, withSeed } from '../../../support/seed.js'

const rowOf = (
  policy: string,
  budgetShare: number,
  losses: readonly number[],
  untouched: readonly number[],
): LossRow => ({
  ...{ policy, mode: 'online', budgetShare },
  lossShare: sum(untouched) === 0 ? null : sum(losses) / sum(untouched),
  queryLosses: packLosses(Float64Array.from(losses)),
})

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((total, value) => total + value, 0)

describe('samples of the queries', () => {
  it('hold as many queries as there are, each of them as likely, the same for the same seed', () => {
    const resamples = new QueryResamples(40, 9, 500)
    const one = (query: number) => resamples.sums(Float64Array.from({ length: 40 }, (_, at) => Number(at === query)))
    const counts = Array.from({ length: 40 }, (_, query) => one(query))
    for (let sample = 0; sample < 500; sample++) expect(sum(counts.map((column) => column[sample]!))).toBe(40)
    // A query is drawn 500 times on average, give or take 22.
    for (const column of counts) expect(Math.abs(sum(column) - 500)).toBeLessThan(110)
    const again = (seed: number) =>
      new QueryResamples(40, seed, 500).sums(Float64Array.from({ length: 40 }, (_, q) => q))
    expect(again(9)).toEqual(again(9))
    expect(again(9)).not.toEqual(again(10))
    // By sample: the counts times the losses, summed one by one.
    expect(again(9)).toEqual(Float64Array.from(counts[0]!, (_, sample) => sum(counts.map((of, q) => of[sample]! * q))))
  })

  it('give an interval that leaves out as many on either side', () => {
    const values = Float64Array.from({ length: 1001 }, (_, at) => 1000 - at)
    expect(percentileInterval(values)).toEqual([25, 975])
    expect(percentileInterval(Float64Array.of(Number.NaN, 3))).toEqual([3, 3])
    expect(percentileInterval(Float64Array.of(Number.NaN))).toBe(null)
    expect(percentileInterval(Float64Array.of(1, Number.POSITIVE_INFINITY))).toBe(null)
  })
})

describe('losses by query', () => {
  it('are packed as single-precision numbers', () => {
    const losses = Float64Array.of(0, 1e-9, 0.1, 1 / 3, -1e-17)
    expect(unpackLosses(packLosses(losses))).toEqual(losses.map(Math.fround))
    expect(packLosses(losses)).toMatch(/^[A-Za-z0-9+/=]{28}$/)
    expect(unpackLosses(packLosses(new Float64Array()))).toEqual(new Float64Array())
  })
})

describe('intervals of losses', () => {
  const QUERIES = 300

  function randomLosses(label: string) {
    const random = seededRandom(label)
    const untouched = Array.from({ length: QUERIES }, () => (random.chance(0.3) ? 0 : random.next() ** 6))
    const part = (share: number) => untouched.map((loss) => Math.fround(loss * share * (0.5 + random.next())))
    return { untouched, part }
  }

  it('are those of drawing queries one by one', () => {
    withSeed('one by one', (seed) => {
      const { untouched, part } = randomLosses(`one by one ${seed}`)
      const [ours, theirs] = [part(0.3), part(0.5)]
      const rows = [rowOf('ours', 0.1, ours, untouched), rowOf('theirs', 0.1, theirs, untouched)]
      const options = { untouchedLosses: Float64Array.from(untouched), defaultPolicy: 'ours', seed: 3 }
      const found = lossIntervals(rows, { ...options, samples: 2000 })
      const random = seededRandom('draws', seed)
      const draws = Array.from({ length: 2000 }, () => Array.from({ length: QUERIES }, () => random.int(QUERIES)))
      const drawn = (losses: readonly number[]) => draws.map((some) => sum(some.map((query) => losses[query]!)))
      const [all, our, their] = [drawn(untouched), drawn(ours), drawn(theirs)]
      const ends = (values: number[]) =>
        [0.025, 0.975].map((at) => values.sort((a, b) => a - b)[Math.round(at * 1999)]!)
      const near = (interval: readonly number[] | null, expected: readonly number[]) => {
        const width = expected[1]! - expected[0]!
        for (const at of [0, 1]) expect(Math.abs(interval![at]! - expected[at]!)).toBeLessThan(0.15 * width)
      }
      near(found.rows[0]!, ends(our.map((loss, at) => loss / all[at]!)))
      near(found.rows[1]!, ends(their.map((loss, at) => loss / all[at]!)))
      expect(found.comparisons).toHaveLength(1)
      const [comparison] = found.comparisons
      expect(comparison).toMatchObject({ policy: 'theirs', mode: 'online', budgetShare: 0.1 })
      expect(comparison!.ratio).toBeCloseTo(sum(ours) / sum(theirs), 6)
      near(comparison!.interval, ends(our.map((loss, at) => loss / their[at]!)))
    })
  })

  it('see two policies through the same draws: of one that loses half of everything they are sure', () => {
    const { untouched, part } = randomLosses('halves')
    const theirs = part(0.8)
    const ours = theirs.map((loss) => loss / 2)
    const rows = [rowOf('theirs', 0.1, theirs, untouched), rowOf('ours', 0.1, ours, untouched)]
    const found = lossIntervals(rows, { untouchedLosses: Float64Array.from(untouched), defaultPolicy: 'ours', seed: 1 })
    expect(found.comparisons[0]!.interval!.map((end) => end.toFixed(6))).toEqual(['0.500000', '0.500000'])
    const [low, high] = found.rows[0]!
    expect(low).toBeLessThan(rows[0]!.lossShare!)
    expect(high).toBeGreaterThan(rows[0]!.lossShare!)
    expect(found).toEqual(
      lossIntervals(rows, { untouchedLosses: Float64Array.from(untouched), defaultPolicy: 'ours', seed: 1 }),
    )
  })

  it('take geometric means over the budgets, of each policy in each mode', () => {
    const { untouched, part } = randomLosses('means')
    const rows = [
      rowOf('ours', 0.1, part(0.4), untouched),
      rowOf('ours', 0.2, part(0.1), untouched),
      rowOf('theirs', 0.1, part(0.6), untouched),
      rowOf('theirs', 0.2, part(0.5), untouched),
      { ...rowOf('theirs', 0.2, part(0.5), untouched), mode: 'offline' as const },
    ]
    const { means, comparisons } = lossIntervals(rows, {
      ...{ untouchedLosses: Float64Array.from(untouched), defaultPolicy: 'ours', seed: 1 },
    })
    expect(means.map(({ policy, mode }) => [policy, mode])).toEqual([
      ['ours', 'online'],
      ['theirs', 'online'],
      ['theirs', 'offline'],
    ])
    const geometric = (a: number, b: number) => Math.sqrt(a * b)
    const [ours, theirs, offline] = means
    expect(ours!.lossShare).toBeCloseTo(geometric(rows[0]!.lossShare!, rows[1]!.lossShare!), 12)
    expect(theirs!.ratio).toBeCloseTo(ours!.lossShare! / theirs!.lossShare!, 12)
    expect(theirs!.ratioInterval![0]).toBeLessThan(theirs!.ratio!)
    expect(theirs!.ratioInterval![1]).toBeGreaterThan(theirs!.ratio!)
    // Neither with itself nor with another mode.
    for (const alone of [ours, offline]) expect(alone).toMatchObject({ ratio: null, ratioInterval: null })
    expect(comparisons.map(({ policy, budgetShare }) => [policy, budgetShare])).toEqual([
      ['theirs', 0.1],
      ['theirs', 0.2],
    ])
  })

  it('say nothing where nothing can be lost, or the other loses nothing', () => {
    const none = [0, 0, 0]
    const still = lossIntervals([rowOf('ours', 0.1, none, none), rowOf('theirs', 0.1, none, none)], {
      ...{ untouchedLosses: new Float64Array(3), defaultPolicy: 'ours', seed: 1 },
    })
    expect(still.rows).toEqual([null, null])
    expect(still.comparisons).toMatchObject([{ ratio: null, interval: null }])
    expect(still.means).toMatchObject([{ lossShare: null, interval: null }, { lossShare: null }])
    const perfect = lossIntervals([rowOf('ours', 0.1, [1, 1, 1], [2, 2, 2]), rowOf('theirs', 0.1, none, [2, 2, 2])], {
      ...{ untouchedLosses: Float64Array.of(2, 2, 2), defaultPolicy: 'ours', seed: 1 },
    })
    expect(perfect.rows).toEqual([
      [0.5, 0.5],
      [0, 0],
    ])
    expect(perfect.comparisons).toMatchObject([{ ratio: null, interval: null }])
    expect(lossIntervals([], { untouchedLosses: new Float64Array(3), defaultPolicy: 'ours', seed: 1 })).toEqual({
      ...{ rows: [], comparisons: [], means: [], verdicts: [] },
    })
  })
})
