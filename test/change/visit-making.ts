/** Visits to pages that follow a law, as a crawler would have made them. */

import type { Visit } from '../../src/change/rate-estimators.js'
import type { RenewalLaw, UpdateLaw } from '../../src/change/update-law.js'
import type { SeededRandom } from '../support/seed.js'

/** So many mean intervals pass before the first visit: by then the law has forgotten its beginning. */
const WARM_UP = 200

/** The law has been at work for long when the first visit comes. */
export function visitsTo(law: RenewalLaw, intervals: readonly number[], random: SeededRandom): Visit[] {
  const startMs = law.meanInterval * WARM_UP * (1 + random.next())
  return visitsFrom(law, startMs, intervals, random)
}

/** The first visit of all is at startMs; updates are counted from 0. */
export function visitsFrom(
  law: UpdateLaw,
  startMs: number,
  intervals: readonly number[],
  random: SeededRandom,
): Visit[] {
  let updateMs = law.nextUpdate(0, random.next)
  let atMs = startMs
  while (updateMs <= atMs) updateMs = law.nextUpdate(updateMs, random.next)
  return intervals.map((intervalMs) => {
    atMs += intervalMs
    const changed = updateMs <= atMs
    while (updateMs <= atMs) updateMs = law.nextUpdate(updateMs, random.next)
    return { intervalMs, changed }
  })
}
