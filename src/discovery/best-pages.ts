import { BestPlaces } from '../frontier/top-values.js'
import type { FrontierPage } from './frontier-page.js'
import type { FrontierPages } from './frontier-pages.js'
import type { Pauses } from './pauses.js'

/** Pages between two looks at the clock. */
const PORTION = 1024

/** The pages that wait and have the highest values, best first; of equals those with the most inlinks, then the lowest numbers. `values`: by number. */
export async function bestPages(
  pages: FrontierPages,
  values: Float64Array,
  count: number,
  pauses: Pauses,
): Promise<FrontierPage[]> {
  const end = Math.min(pages.end, values.length)
  const best = new BestPlaces(
    Math.min(count, end),
    (a, b) => values[b]! - values[a]! || pages.inlinks(b) - pages.inlinks(a) || a - b,
  )
  for (let number = 0; number < end; number++) {
    if (number % PORTION === 0 && pauses.isDue) await pauses.pause()
    if (pages.waiting(number) !== undefined) best.offer(number)
  }
  // It may have been fetched meanwhile.
  return Array.from(best.sorted(), (number) => pages.waiting(number)).filter((page) => page !== undefined)
}
