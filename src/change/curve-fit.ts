/**
 * Fits the divergence curve of a page to what its refreshes saw: churn and scroll are fitted by least squares, and the
 * closer one is kept (Recrawl scheduling based on information longevity, section 4.2).
 *
 * Rates are tried on a grid that spans what the ages can tell apart. At less than 1 / 30 of an update by the longest
 * age, a curve is a straight line up to 2%. At more than 3 updates by the shortest age, churn is within 5% of its limit
 * wherever it was seen. A faster scroll looks like one with fewer items. For each rate and number of items the best
 * share has a closed form.
 *
 * A fit takes 24 rates times 6 numbers of items times the observations. So the curves are interpolated from a table
 * over the logarithm of the expected updates. The share that is returned is that of the exact curve.
 */
import { type DivergenceCurve, divergenceAt } from './divergence-curve.js'

/** Churn comes first, as it is preferred among equally good fits. */
const ITEMS = [1, 2, 3, 5, 10, 20] as const
const CURVES = ITEMS.length
const RATES = 24
const FEWEST_UPDATES = 1 / 30
const MOST_UPDATES = 3
/**
 * Squared errors that differ by less than this share of that of a page that never changes are equal. Rounding is
 * smaller, and no observation is this exact.
 */
const TIE = 1e-9

/**
 * The table of curves, with all numbers of items in one row. Its rows reach from almost no expected updates to so many
 * that nothing is left of 20 items.
 */
const FIRST_LOG = -10
const LAST_LOG = Math.log(80)
const ROWS_PER_LOG = 32
const ROWS = Math.ceil((LAST_LOG - FIRST_LOG) * ROWS_PER_LOG) + 1
/** The last place that has a row behind it. */
const LAST_PLACE = ROWS - 1.001
const TABLE = divergenceTable()

// Scratch memory of one call. It is reused, because fits are many and small.
/** The place of each observation in the table at the first rate of the grid. */
let rows = new Float64Array(16)
/**
 * How much of the squared divergences each curve explains: all rates of the first number of items, then of the next.
 */
const explained = new Float64Array(CURVES * RATES)

/** Divergences of a page from one of its versions, by age. */
export interface Observations {
  readonly agesMs: ArrayLike<number>
  /** Each from 0 to 1. */
  readonly divergences: ArrayLike<number>
}

/**
 * The curve of the first `count` observations, in any order. Undefined for fewer than two, as one age cannot tell a
 * rate from a share. The share is 0 where nothing ever diverged. REQUIRES: ages above 0.
 */
export function fitDivergenceCurve(
  agesMs: ArrayLike<number>,
  divergences: ArrayLike<number>,
  count = agesMs.length,
): DivergenceCurve | undefined {
  if (count < 2) return undefined
  let shortestMs = Number.POSITIVE_INFINITY
  let longestMs = 0
  let squares = 0
  for (let at = 0; at < count; at++) {
    shortestMs = Math.min(shortestMs, agesMs[at]!)
    longestMs = Math.max(longestMs, agesMs[at]!)
    squares += divergences[at]! ** 2
  }
  if (squares === 0) return { ratePerMs: 0, items: 1, share: 0 }
  const lowestRate = FEWEST_UPDATES / longestMs
  const logStep = Math.log(MOST_UPDATES / shortestMs / lowestRate) / (RATES - 1)
  if (rows.length < count) rows = new Float64Array(2 * count)
  for (let at = 0; at < count; at++) rows[at] = (Math.log(lowestRate * agesMs[at]!) - FIRST_LOG) * ROWS_PER_LOG
  const choice = closestCurve(divergences, count, squares, logStep * ROWS_PER_LOG)
  const ratePerMs = lowestRate * Math.exp((choice % RATES) * logStep)
  const items = ITEMS[Math.floor(choice / RATES)]!
  return { ratePerMs, items, share: bestShare({ ratePerMs, items, share: 1 }, agesMs, divergences, count) }
}

/** All observations as one profile, by ascending age, with the mean divergence of equal ages (section 4.2, step 1). */
export function combineObservations(profiles: Iterable<Observations>): {
  readonly agesMs: number[]
  readonly divergences: number[]
} {
  const sums = new Map<number, { sum: number; count: number }>()
  for (const { agesMs, divergences } of profiles) {
    for (let at = 0; at < agesMs.length; at++) {
      const { sum, count } = sums.get(agesMs[at]!) ?? { sum: 0, count: 0 }
      sums.set(agesMs[at]!, { sum: sum + divergences[at]!, count: count + 1 })
    }
  }
  const ascending = [...sums].sort(([a], [b]) => a - b)
  return {
    agesMs: ascending.map(([ageMs]) => ageMs),
    divergences: ascending.map(([, { sum, count }]) => sum / count),
  }
}

/** The closest curve, as the place of its items among ITEMS, times RATES, plus the place of its rate on the grid. */
function closestCurve(divergences: ArrayLike<number>, count: number, squares: number, rowsPerRate: number): number {
  for (let rate = 0; rate < RATES; rate++) {
    explainThree(0, rate, divergences, count, rate * rowsPerRate)
    explainThree(3, rate, divergences, count, rate * rowsPerRate)
  }
  let most = 0
  let closest = 0
  for (let choice = 0; choice < explained.length; choice++) {
    if (explained[choice]! <= most + TIE * squares) continue
    most = explained[choice]!
    closest = choice
  }
  return closest
}

/** Three numbers of items at once, written out: finding the rows takes most of the time, and locals beat arrays. */
function explainThree(
  first: number,
  rate: number,
  divergences: ArrayLike<number>,
  count: number,
  rowsOn: number,
): void {
  let product0 = 0
  let product1 = 0
  let product2 = 0
  let power0 = 0
  let power1 = 0
  let power2 = 0
  for (let at = 0; at < count; at++) {
    const place = Math.max(0, Math.min(rows[at]! + rowsOn, LAST_PLACE))
    const row = Math.floor(place)
    const above = place - row
    const below = 1 - above
    const cell = row * CURVES + first
    const curve0 = below * TABLE[cell]! + above * TABLE[cell + CURVES]!
    const curve1 = below * TABLE[cell + 1]! + above * TABLE[cell + CURVES + 1]!
    const curve2 = below * TABLE[cell + 2]! + above * TABLE[cell + CURVES + 2]!
    const divergence = divergences[at]!
    product0 += divergence * curve0
    product1 += divergence * curve1
    product2 += divergence * curve2
    power0 += curve0 * curve0
    power1 += curve1 * curve1
    power2 += curve2 * curve2
  }
  explained[first * RATES + rate] = mostExplained(product0, power0)
  explained[(first + 1) * RATES + rate] = mostExplained(product1, power1)
  explained[(first + 2) * RATES + rate] = mostExplained(product2, power2)
}

/**
 * How much the best share a of the curve m reduces the squared error, which is ΣD² - 2aΣDm + a²Σm². It is least for
 * a = ΣDm / Σm², or for 1 if that is more.
 */
function mostExplained(product: number, power: number): number {
  const share = Math.min(1, product / power)
  return share * (2 * product - share * power)
}

function bestShare(
  curve: DivergenceCurve,
  agesMs: ArrayLike<number>,
  divergences: ArrayLike<number>,
  count: number,
): number {
  let product = 0
  let power = 0
  for (let at = 0; at < count; at++) {
    const value = divergenceAt(curve, agesMs[at]!)
    product += divergences[at]! * value
    power += value * value
  }
  return Math.min(1, product / power)
}

function divergenceTable(): Float64Array {
  const table = new Float64Array(ROWS * CURVES)
  for (let row = 0; row < ROWS; row++) {
    const updates = Math.exp(FIRST_LOG + row / ROWS_PER_LOG)
    for (const [at, items] of ITEMS.entries()) {
      table[row * CURVES + at] = divergenceAt({ ratePerMs: 1, items, share: 1 }, updates)
    }
  }
  return table
}
