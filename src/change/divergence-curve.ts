/**
 * Divergence curves: the expected divergence of a copy from its page, by the age of the copy (Olston and Pandey,
 * Recrawl scheduling based on information longevity, 2008, section 3.3).
 *
 * A region of the page holds K items. Updates are a Poisson process of rate λ; each appends an item and evicts the
 * oldest. With one item this is churn, with more it is scroll. d_j is the divergence after j updates, c_j = d_j -
 * d_(j-1), and P_j the probability of at least j updates:
 *
 *   D*(t) = a Σ c_j P_j(λt)
 *   U(t)  = t D*(t) - ∫ D* = ∫ x dD*(x) = (a / λ) Σ j c_j P_(j+1)(λt)       (Eq. 4; sums over j from 1 to K)
 *
 * The last form holds because x times the density of the j-th update is j / λ times that of the next one. All its terms
 * are positive, so nothing cancels except inside the P_j.
 */
export interface DivergenceCurve {
  /** λ, above 0; 0 for a page that never changes. */
  readonly ratePerMs: number
  /** K: items that a scrolling region holds, an integer; 1 is churn. */
  readonly items: number
  /** a: the limit of the divergence, 0 to 1. */
  readonly share: number
  /** The divergence d_j after j of K items are gone: 2j / (K + j) ('jaccard', the default), or j / K ('linear'). */
  readonly loss?: 'jaccard' | 'linear'
}

/** After this many expected updates nothing is left of a copy, and e^-700 is still above 0. */
const ENDLESS_UPDATES = 700
/** Below this many expected updates, 1 - e^-λt would lose digits, and sums run over the number of updates instead. */
const FEW_UPDATES = 0.5
/** Terms that are smaller than this share of the sum do not change it. */
const NOTHING = 1e-17
const MAX_STEPS = 100
const NEAR = 1e-9

/** D*(t). REQUIRES: ageMs >= 0, as in all functions below. */
export function divergenceAt({ ratePerMs, items, share, loss }: DivergenceCurve, ageMs: number): number {
  const updates = ratePerMs * ageMs
  if (!(updates > 0)) return 0
  if (updates > ENDLESS_UPDATES) return share
  const isLinear = loss === 'linear'
  let chance = Math.exp(-updates)
  let tail = updates < FEW_UPDATES ? -Math.expm1(-updates) : 1 - chance
  let sum = stepLoss(1, items, isLinear) * tail
  for (let j = 2; j <= items; j++) {
    chance *= updates / (j - 1)
    tail -= chance
    sum += stepLoss(j, items, isLinear) * tail
  }
  return share * sum
}

/** U(t), in milliseconds of full divergence: what a refresh at this age saves. */
export function utilityAt({ ratePerMs, items, share, loss }: DivergenceCurve, ageMs: number): number {
  const updates = ratePerMs * ageMs
  if (!(updates > 0)) return 0
  return (share * unitUtility(updates, items, loss === 'linear')) / ratePerMs
}

/** U(t) of churn with share 1, in the unit of the age: the greedy index of pages that change as a Poisson process. */
export function poissonUtility(rate: number, age: number): number {
  const updates = rate * age
  return updates > 0 ? unitUtility(updates, 1, false) / rate : 0
}

/** The limit of U for large ages; 0 for a curve that stays 0. */
export function largestUtility({ ratePerMs, items, share, loss }: DivergenceCurve): number {
  return ratePerMs > 0 ? (share * unitLimit(items, loss === 'linear')) / ratePerMs : 0
}

/** The age at which U reaches the threshold: 0 for one of 0, Infinity for one that U never reaches. */
export function refreshPeriodMs(curve: DivergenceCurve, thresholdMs: number): number {
  if (thresholdMs >= largestUtility(curve)) return Number.POSITIVE_INFINITY
  if (!(thresholdMs > 0)) return 0
  const { ratePerMs, items, share } = curve
  const isLinear = curve.loss === 'linear'
  const target = (thresholdMs * ratePerMs) / share
  // D* is steepest at 0, so U is at most c_1 (λt)² / 2.
  let low = Math.sqrt((2 * target) / stepLoss(1, items, isLinear))
  let high = Number.POSITIVE_INFINITY
  let updates = low
  // Newton's method, kept between ages that are known to be too low and too high.
  for (let step = 0; step < MAX_STEPS; step++) {
    const missing = target - unitUtility(updates, items, isLinear)
    if (missing > 0) low = updates
    else high = updates
    let next = updates + missing / unitGrowth(updates, items, isLinear)
    if (!(next >= low && next <= high)) next = high < Number.POSITIVE_INFINITY ? (low + high) / 2 : 2 * low
    const moved = Math.abs(next - updates)
    updates = next
    // The next step would be about the square of this one.
    if (moved <= NEAR * updates) break
  }
  return updates / ratePerMs
}

/**
 * An upper bound of dU/dt = t dD*(t)/dt at this age and all later ones. From K expected updates on it is the growth
 * itself, before that the largest growth for this number of items, which is 1/e for one item and approaches 1/2 with
 * more ('jaccard'). Where D* is concave, the growth is at most D*.
 */
export function utilityGrowth({ ratePerMs, items, share, loss }: DivergenceCurve, ageMs: number): number {
  const updates = ratePerMs * ageMs
  const isLinear = loss === 'linear'
  // The probability of exactly j updates falls once more than j are expected.
  if (updates >= items) return share * unitGrowth(updates, items, isLinear)
  if (!(ratePerMs > 0)) return 0
  return items === 1 ? share / Math.E : isLinear ? share : share / 2
}

/** The probability that a fragment of the region lives at most this long (section 3.3). */
export function lifetimeShare({ ratePerMs, items }: DivergenceCurve, ageMs: number): number {
  const updates = ratePerMs * ageMs
  if (!(updates > 0)) return 0
  if (updates > ENDLESS_UPDATES) return 1
  let chance = Math.exp(-updates)
  let sum = 0
  if (updates >= items) {
    for (let j = 0; j < items; j++) {
      sum += chance
      chance *= updates / (j + 1)
    }
    return 1 - sum
  }
  // The tail is summed directly, because it is the small part here.
  for (let j = 1; j <= items; j++) chance *= updates / j
  for (let j = items + 1; sum + chance > sum; j++) {
    sum += chance
    chance *= updates / j
  }
  return sum
}

/** c_j: what the j-th update adds. */
function stepLoss(j: number, items: number, isLinear: boolean): number {
  return isLinear ? 1 / items : (2 * items) / ((items + j) * (items + j - 1))
}

/** λ U / a = Σ j c_j P_(j+1). */
function unitUtility(updates: number, items: number, isLinear: boolean): number {
  if (updates > ENDLESS_UPDATES) return unitLimit(items, isLinear)
  if (items === 1) return churnUtility(updates)
  if (updates < FEW_UPDATES) return utilityOfFew(updates, items, isLinear)
  let chance = Math.exp(-updates)
  let tail = 1 - chance
  let sum = 0
  for (let j = 1; j <= items; j++) {
    chance *= updates / j
    tail -= chance
    sum += j * stepLoss(j, items, isLinear) * tail
  }
  return sum
}

/** The same sum, by the number n of updates: n of them count j c_j for every j < n. */
function utilityOfFew(updates: number, items: number, isLinear: boolean): number {
  let chance = Math.exp(-updates) * updates
  let worth = 0
  let sum = 0
  for (let n = 2; chance > NOTHING * sum; n++) {
    chance *= updates / n
    if (n <= items + 1) worth += (n - 1) * stepLoss(n - 1, items, isLinear)
    sum += worth * chance
  }
  return sum
}

/** The same for one item: 1 - (1 + x) e^-x = x² Σ (-x)^k (k + 1) / (k + 2)!, where x is the updates to expect. */
function churnUtility(x: number): number {
  if (x > 0.1) return 1 - (1 + x) * Math.exp(-x)
  const last = 1 / 5760 - x * (1 / 45_360 - x / 403_200)
  return x * x * (1 / 2 - x * (1 / 3 - x * (1 / 8 - x * (1 / 30 - x * (1 / 144 - x * (1 / 840 - x * last))))))
}

/** Σ j c_j. */
function unitLimit(items: number, isLinear: boolean): number {
  if (isLinear) return (items + 1) / 2
  let sum = 0
  for (let j = 1; j <= items; j++) sum += j * stepLoss(j, items, false)
  return sum
}

/** dU/dt / a = Σ j c_j p_j, where p_j is the chance of exactly j updates. */
function unitGrowth(updates: number, items: number, isLinear: boolean): number {
  if (updates > ENDLESS_UPDATES) return 0
  let chance = Math.exp(-updates)
  let sum = 0
  for (let j = 1; j <= items; j++) {
    chance *= updates / j
    sum += j * stepLoss(j, items, isLinear) * chance
  }
  return sum
}
