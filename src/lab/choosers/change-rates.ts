/** How often pages change, by the whole period: every step of a world looks at every page. */
import { choGarciaMolinaRate } from '../../change/rates/cho-garcia-molina.js'
import { forEachChange, type Timeline } from '../quality/timeline.js'

/**
 * By page: changes per step. `counts`: whether a change does, by its place in the columns of the timeline; all unless told. 0 for a
 * world of one step.
 */
export function changesPerStep(timeline: Timeline, counts: (change: number) => boolean = () => true): Float64Array {
  const visits = timeline.atMs.length - 1
  if (visits === 0) return new Float64Array(timeline.urls.length)
  const changes = changeCounts(timeline, counts)
  return Float64Array.from(changes, (count) => choGarciaMolinaRate({ visits, changes: count, intervalMs: 1 }))
}

/** By page, after the first step. */
export function changeCounts(timeline: Timeline, counts: (change: number) => boolean = () => true): Uint32Array {
  const found = new Uint32Array(timeline.urls.length)
  forEachLaterChange(timeline, (change, page) => {
    if (counts(change)) found[page]!++
  })
  return found
}

/** Every change after the first step: its place in the columns of the timeline, its page and its step. */
export function forEachLaterChange(
  timeline: Timeline,
  visit: (change: number, page: number, step: number) => void,
): void {
  let change = timeline.changeEnds[0]!
  for (let step = 1; step < timeline.atMs.length; step++) {
    forEachChange(timeline, step, (page) => {
      visit(change, page, step)
      change++
    })
  }
}
