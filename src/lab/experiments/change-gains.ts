/**
 * ΔQ_A of every change of a world when each page is refreshed at the step at which it changed, as User-centric crawling has it for its
 * Figure 3. Told by change, as the columns of the timeline are; 0 for the first step.
 */
import type { MeasuredIndex } from '../choosers/measured-index.js'
import { RepositoryQuality, type ScoredWorld } from '../quality/repository-quality.js'
import { forEachChange, type Timeline } from '../quality/timeline.js'

/** From whole answer lists, other pages taken to be as their copies. */
export function exactGains(world: ScoredWorld, onStep?: (step: number) => void): Float64Array {
  const state = new RepositoryQuality(world)
  const gains = new Float64Array(world.timeline.changedPages.length)
  let change = world.timeline.changeEnds[0]!
  while (state.advance()) {
    const changed: number[] = []
    forEachChange(world.timeline, state.step, (page) => {
      gains[change++] = state.measuredDeltaQuality(page)
      changed.push(page)
    })
    for (const page of changed) state.refresh(page)
    onStep?.(state.step)
  }
  return gains
}

/** As an index measures them while it takes the pages in. The index is as of the first step. */
export async function measuredGains(
  index: MeasuredIndex,
  timeline: Timeline,
  onStep?: (step: number) => void,
): Promise<Float64Array> {
  const gains = new Float64Array(timeline.changedPages.length)
  let change = timeline.changeEnds[0]!
  for (let step = 1; step < timeline.atMs.length; step++) {
    await index.asked(step, timeline)
    const byPage = await index.refresh(await index.advance())
    forEachChange(timeline, step, (page) => {
      gains[change++] = byPage.get(page) ?? 0
    })
    onStep?.(step)
  }
  return gains
}
