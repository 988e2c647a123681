/**
 * The rate of a Poisson process from visits at any intervals, by maximum likelihood (Cho and Garcia-Molina, Estimating
 * frequency of change, 2003, section 5): the root λ of
 *
 *   sum over visits that saw a change of t / (e^(λt) - 1)  =  sum over the others of t.
 */
import { totalsOf, type VisitHistory } from '../visit-history.js'

/** Halvings of the bracket: more than a double has bits. */
const BISECTIONS = 100

/** Changes per millisecond: 0 when no visit saw a change, Infinity when every visit did: such a history has no other maximum. */
export function irregularIntervalRate(history: VisitHistory): number {
  const { visits, changes, totalMs } = totalsOf(history)
  if (changes === 0) return 0
  if (changes === visits) return Number.POSITIVE_INFINITY
  const changed = history.filter((visit) => visit.changed)
  const changedMs = changed.reduce((sum, { intervalMs }) => sum + intervalMs, 0)
  const unchangedMs = totalMs - changedMs
  // 1/λ - t/2 <= t / (e^(λt) - 1) <= 1/λ puts the root between the roots of the two bounds.
  let low = changes / (unchangedMs + changedMs / 2)
  let high = changes / unchangedMs
  for (let step = 0; step < BISECTIONS && low < high; step++) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    const score = changed.reduce((sum, { intervalMs }) => sum + intervalMs / Math.expm1(middle * intervalMs), 0)
    if (score > unchangedMs) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Of the estimate above, from the curvature of the log-likelihood there. Infinity when there is no finite rate above 0. */
export function irregularIntervalStandardError(history: VisitHistory, ratePerMs: number): number {
  if (!(ratePerMs > 0 && ratePerMs < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
  let information = 0
  for (const { intervalMs, changed } of history) {
    // t² e^x / (e^x - 1)², in a form that neither overflows nor cancels.
    if (changed) information += (intervalMs / (2 * Math.sinh((ratePerMs * intervalMs) / 2))) ** 2
  }
  return 1 / Math.sqrt(information)
}
