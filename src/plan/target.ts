/**
 * The inverse question: the smallest budget with which a plan reaches a quality. Offers are taken in the order of a
 * plan with a budget, so that a plan with the budget found has the same actions.
 */
import { hostOf } from '../base/hosts.js'
import type { JudgedDocuments } from '../refresh/refresh.js'
import { RemainingBudget } from './budget.js'
import type { DocumentOffer } from './document-offers.js'
import type { CurvePoint } from './plan.js'
import type { QualityScale } from './quality.js'

export interface TargetSearch {
  /** What was taken up to the target, or everything if it cannot be reached. */
  readonly offers: readonly DocumentOffer[]
  readonly isReached: boolean
  /** The quality that these offers reach. */
  readonly quality: number
  /** From no action to all that can be taken. */
  readonly curve: readonly CurvePoint[]
}

/** Steps of the curve. The point at which the target is reached comes on top. */
const CURVE_STEPS = 50
/** Sums of the same gains in another order differ by less than this. */
const ROUNDING = 1e-12
/** Offers between two looks at the clock. */
const PORTION = 256

export async function searchTarget(
  { history, keyOf }: JudgedDocuments,
  best: AsyncIterable<DocumentOffer>,
  { now, gainOf }: QualityScale,
  { target, perHost }: { readonly target: number; readonly perHost: number },
  pauseIfDue: () => Promise<void>,
): Promise<TargetSearch> {
  const remaining = new RemainingBudget(Number.MAX_VALUE, perHost)
  /** Up to the target: there may be millions behind it. */
  const offers: DocumentOffer[] = []
  // As long as they can become: lists that grow are copied in one go.
  const budgets = new Float64Array(history.ledger.rows + 1)
  const qualities = new Float64Array(history.ledger.rows + 1)
  qualities[0] = now
  let needed = now >= target - ROUNDING ? 0 : undefined
  let taken = 0
  let looked = 0
  for await (const offer of best) {
    if (looked++ % PORTION === 0) await pauseIfDue()
    if (taken + 1 === budgets.length) break
    const key = keyOf(offer.doc)
    if (key === undefined || !remaining.take(0, () => hostOf(key))) continue
    if (needed === undefined) offers.push(offer)
    budgets[taken + 1] = budgets[taken]! + offer.cost
    qualities[taken + 1] = Math.min(1, qualities[taken]! + gainOf(offer.doc))
    taken++
    if (needed === undefined && qualities[taken]! >= target - ROUNDING) needed = taken
  }
  const places = curvePlaces(taken, needed)
  return {
    offers,
    isReached: needed !== undefined,
    quality: qualities[needed ?? taken]!,
    curve: places.map((place) => ({ budget: budgets[place]!, quality: qualities[place]! })),
  }
}

/** Numbers of actions, ascending, each once: evenly spread, and the one that is asked for. */
function curvePlaces(actions: number, needed: number | undefined): number[] {
  const steps = Math.min(CURVE_STEPS, actions)
  const even = Array.from({ length: steps + 1 }, (_, step) => (steps === 0 ? 0 : Math.round((step * actions) / steps)))
  return [...new Set([...even, ...(needed === undefined ? [] : [needed])])].sort((a, b) => a - b)
}
