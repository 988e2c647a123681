/**
 * What orders of fetching bring over several seeds. A seed draws which pages were fetched before and which of equal
 * pages come first, so areas of one seed differ by chance: on a site where most new pages have no link, by some
 * hundredths.
 */

import { type MeanOfSeeds, meanOfSeeds } from '../../report/statistics.js'
import { decimals } from '../../report/table.js'
import { FETCH_ORDERS, type FetchOrder, type OrdersResult } from './fetch-orders.js'
import type { FrontierSet } from './scenes.js'

/** The order by which an index fetches, and what it is compared with. */
export const OUR_ORDER: FetchOrder = 'hybrid'
/** `ideal` knows the true impacts, and is no rival. */
const RIVALS: readonly FetchOrder[] = FETCH_ORDERS.filter((order) => order !== OUR_ORDER && order !== 'ideal')

export interface OrderArea extends MeanOfSeeds {
  readonly set: FrontierSet
  readonly order: FetchOrder
  /** By how much the area of hybrid is above this one's, seed by seed. */
  readonly hybridAbove: MeanOfSeeds
}

/** For each set and order, in order of first sight. */
export function orderAreas(orders: readonly OrdersResult[]): OrderArea[] {
  return setsOf(orders).flatMap((set) => {
    const own = orders.filter((one) => one.set === set)
    const areasOf = (order: FetchOrder) => own.map(({ curves }) => curves.find((one) => one.order === order)!.area)
    const ours = areasOf(OUR_ORDER)
    return FETCH_ORDERS.map((order) => {
      const areas = areasOf(order)
      return { set, order, ...meanOfSeeds(areas), hybridAbove: meanOfSeeds(areas.map((area, at) => ours[at]! - area)) }
    })
  })
}

export function setsOf(rows: readonly { readonly set: FrontierSet }[]): FrontierSet[] {
  return [...new Set(rows.map(({ set }) => set))]
}

/** Which order brings most impact first, by how much, and where another one does. */
export function areaVerdict(areas: readonly OrderArea[], seeds: number): string | undefined {
  const sentences = setsOf(areas).map((set) => {
    const own = areas.filter((one) => one.set === set)
    const ranked = own.filter(({ order }) => order !== 'ideal').sort((a, b) => b.mean - a.mean)
    const first = ranked[0]!
    const best = own.filter(({ order }) => RIVALS.includes(order)).sort((a, b) => b.mean - a.mean)[0]!
    const { mean, interval } = best.hybridAbove
    const winner = first.order === OUR_ORDER ? `${OUR_ORDER}, the order of an index,` : first.order
    const said = `in set ${set} ${winner} brings most impact first, with an area of ${decimals(first.mean, 3)}`
    const than = first.order === OUR_ORDER ? `more than ${best.order}` : `less for ${OUR_ORDER}, the order of an index`
    const isChance = interval === null || (interval[0] <= 0 && interval[1] >= 0)
    const ends = first.order === OUR_ORDER ? interval : interval && ([-interval[1], -interval[0]] as const)
    const sure = ends === null ? 'of one seed' : `95% interval ${decimals(ends[0], 3)} to ${decimals(ends[1], 3)}`
    return `${said}: ${decimals(Math.abs(mean), 3)} ${than} (${sure}${isChance ? ', so it may be chance' : ''})`
  })
  if (sentences.length === 0) return undefined
  const text = sentences.join('; ')
  return `Over ${seeds === 1 ? 'one seed' : `${seeds} seeds`}, ${text}.`
}
