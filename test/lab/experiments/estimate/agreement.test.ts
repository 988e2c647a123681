import { describe, expect, it } from 'vitest'
import { agreementOf, relativeDifference, topOverlap } from '../../../../src/lab/experiments/estimate/agreement.js'
import {
  compareUnaided,
  FEWEST_PAGES,
  isAsGoodAsRefitted,
  type UnaidedGain,
} from '../../../../src/lab/experiments/estimate/unaided-agreement.js'

const pairs = [
  { estimate: 4, exact: 5 },
  { estimate: 2, exact: 1 },
  { estimate: 0, exact: 0 },
  { estimate: 3, exact: 4 },
]

describe('agreement of estimates and exact values', () => {
  it('is by rank, by the best, and by the sum of errors', () => {
    expect(agreementOf(pairs)).toEqual({
      pageSpearman: expect.closeTo(1, 12),
      top10pctOverlap: 1,
      wMAPE: 3 / 10,
      pages: 4,
      gainsOnly: { pages: 3, pageSpearman: expect.closeTo(1, 12), top10pctOverlap: 1 },
    })
    expect(relativeDifference([{ estimate: 0, exact: 2 }])).toBe(1)
  })

  it('counts which of the best are found', () => {
    const swapped = [...pairs.slice(0, 3), { estimate: 1, exact: 4 }]
    expect(topOverlap(swapped, 0.5)).toBe(0.5)
    expect(topOverlap(pairs, 0.5)).toBe(1)
  })
})

const FITS = { fits: 3, epochs: 2, curves: 20 }
const gain = (exact: number, given: Partial<UnaidedGain> = {}): UnaidedGain => ({
  ...{ exact, refitted: exact, unaided: exact, weeksSinceEpoch: 0, exactOfDoubled: 0 },
  ...given,
})

describe('an index that is left to itself', () => {
  it('is compared by the age of its epoch', () => {
    const gains = [0, 1, 2, 3, 4, 7, 8, 31, 32, 40].map((weeksSinceEpoch, at) => gain(at + 1, { weeksSinceEpoch }))
    const { byWeeksSinceEpoch, ...rest } = compareUnaided(gains, FITS)
    expect(Object.entries(byWeeksSinceEpoch).map(([name, { pages }]) => [name, pages])).toEqual([
      ...[
        ['week 0', 1],
        ['week 1', 1],
        ['weeks 2 to 3', 2],
        ['weeks 4 to 7', 2],
      ],
      ...[
        ['weeks 8 to 15', 1],
        ['weeks 16 to 31', 1],
        ['32 weeks and more', 2],
      ],
    ])
    expect(rest).toMatchObject({ ...FITS, all: { pages: 10, unaidedError: 0 }, doubled: { pages: 0 } })
  })

  it('is compared where most of the gain is due to words that have become frequent', () => {
    const gains = [
      gain(4, { unaided: 1, exactOfDoubled: 2 }),
      gain(2, { unaided: 3, refitted: 1, exactOfDoubled: 2 }),
      gain(5, { exactOfDoubled: 2 }),
      gain(0),
    ]
    expect(compareUnaided(gains, FITS).doubled).toEqual({
      ...{ pages: 2, refittedSpearman: 1, unaidedSpearman: -1 },
      ...{ refittedError: 1 / 6, unaidedError: 4 / 6 },
    })
  })

  it('may be a little worse, by rank and by the sum of errors, if there are pages enough to tell', () => {
    const agreement = {
      ...{ pages: FEWEST_PAGES, refittedSpearman: 0.97, unaidedSpearman: 0.966 },
      ...{ refittedError: 0.1, unaidedError: 0.109 },
    }
    expect(isAsGoodAsRefitted(agreement)).toBe(true)
    expect(isAsGoodAsRefitted({ ...agreement, unaidedSpearman: 0.964 })).toBe(false)
    expect(isAsGoodAsRefitted({ ...agreement, unaidedError: 0.111 })).toBe(false)
    expect(isAsGoodAsRefitted({ ...agreement, unaidedSpearman: Number.NaN })).toBe(false)
    expect(isAsGoodAsRefitted({ ...agreement, unaidedError: 0.2, pages: FEWEST_PAGES - 1 })).toBe(true)
  })
})
