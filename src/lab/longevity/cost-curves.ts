/** Staleness by refresh cost, and how two such curves are compared: between the points of a run both are taken for straight lines. */
import type { Outcome } from './refresh-replay.js'

/** In order of growing cost, no cost twice. */
export type CostCurve = readonly Outcome[]

/** Of points that cost the same, the best one. */
export function costCurve(points: readonly Outcome[]): CostCurve {
  const sorted = [...points].sort((a, b) => a.cost - b.cost || a.staleness - b.staleness)
  return sorted.filter(({ cost }, at) => at === 0 || cost > sorted[at - 1]!.cost)
}

/** Undefined below the least cost. A policy that can spend no more stays as stale as it is. */
export function stalenessAtCost(curve: CostCurve, cost: number): number | undefined {
  const at = curve.findIndex((point) => point.cost >= cost)
  if (at < 0) return curve.at(-1)?.staleness
  if (curve[at]!.cost === cost) return curve[at]!.staleness
  if (at === 0) return undefined
  const [before, after] = [curve[at - 1]!, curve[at]!]
  const part = (cost - before.cost) / (after.cost - before.cost)
  return before.staleness + part * (after.staleness - before.staleness)
}

/** The least cost at which the curve comes down to a level; undefined where it never does or begins below it. */
export function costAtStaleness(curve: CostCurve, level: number): number | undefined {
  const at = curve.findIndex(({ staleness }) => staleness <= level)
  if (at < 0 || (at === 0 && curve[0]!.staleness < level)) return undefined
  if (at === 0) return curve[0]!.cost
  const [before, after] = [curve[at - 1]!, curve[at]!]
  const part = (before.staleness - level) / (before.staleness - after.staleness)
  return before.cost + part * (after.cost - before.cost)
}
