/** I(r) of User-centric crawling, Eq. 2, rank by rank. */
import { describe } from '../../describe.js'
import type { ViewLikelihood } from '../../index.js'

/** [r] is I(r), for r from 1 to `ranks`; [0], which is no rank, is 0. */
export function viewTable(view: ViewLikelihood, ranks: number): Float64Array {
  const table = new Float64Array(ranks + 1)
  let before = Number.POSITIVE_INFINITY
  for (let rank1 = 1; rank1 <= ranks; rank1++) {
    const value = view(rank1)
    if (!(value >= 0 && value <= before && Number.isFinite(value))) {
      throw new RangeError(`view(${rank1}) must be from 0 to that of the rank before, received ${describe(value)}`)
    }
    table[rank1] = value
    before = value
  }
  if (table[1] === 0) throw new RangeError('view(1) must be above 0, received 0')
  return table
}
