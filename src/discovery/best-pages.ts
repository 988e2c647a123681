import { topValues } from '../frontier/top-values.js'
import type { FrontierPage } from './frontier-page.js'
import type { FrontierPages } from './frontier-pages.js'
import type { Pauses } from './pauses.js'
import { inlinksOf } from './query-judge.js'

/** Pages between two looks at the clock. */
const PORTION = 1024

/** The pages that wait and have the highest values, best first; of equals those with the most inlinks, then the lowest numbers. */
export async function bestPages(
  pages: FrontierPages,
  value: (page: FrontierPage) => number,
  count: number,
  pauses: Pauses,
): Promise<FrontierPage[]> {
  const waiting: FrontierPage[] = []
  const values: number[] = []
  for (let number = 0; number < pages.end; number++) {
    if (number % PORTION === 0 && pauses.isDue) await pauses.pause()
    const page = pages.waiting(number)
    if (page === undefined) continue
    waiting.push(page)
    values.push(value(page))
  }
  const last = topValues(values, count).at(-1)
  if (last === undefined) return []
  const above: number[] = []
  const equal: number[] = []
  values.forEach((own, at) => {
    if (own > values[last]!) above.push(at)
    else if (own === values[last]) equal.push(at)
  })
  const inlinks = (at: number) => inlinksOf(waiting[at]!)
  above.sort((a, b) => values[b]! - values[a]! || inlinks(b) - inlinks(a) || a - b)
  // Often very many, such as all that no query matches.
  const rest = topValues(equal.map(inlinks), count - above.length)
  return [...above, ...Array.from(rest, (at) => equal[at]!)].map((at) => waiting[at]!)
}
