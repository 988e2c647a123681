/**
 * The rate of a Poisson process from visits at equal intervals (Cho and Garcia-Molina, Estimating frequency of change, 2003):
 * -ln((n - X + 1/2) / (n + 1/2)) / interval, with X changes seen in n visits. The halves take away most of the bias of the plain ratio
 * and keep the estimate finite where every visit saw a change. It is 0 where none did.
 */
import { numberOption } from '../../option-checks.js'

export interface RegularVisits {
  readonly visits: number
  /** Visits that saw a change. */
  readonly changes: number
  readonly intervalMs: number
}

/** Changes per millisecond. */
export function choGarciaMolinaRate({ visits, changes, intervalMs }: RegularVisits): number {
  numberOption('visits', visits, 0, { min: 1, integer: true })
  numberOption('changes', changes, 0, { min: 0, max: visits, integer: true })
  numberOption('intervalMs', intervalMs, 0, { min: 0, aboveMin: true })
  return -Math.log1p(-changes / (visits + 0.5)) / intervalMs
}
