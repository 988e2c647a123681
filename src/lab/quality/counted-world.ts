/** A world read once: what is needed of every page version to score it for any query made of the workload's words. */
import { choiceOption } from '../../option-checks.js'
import type { World } from '../world.js'
import { type CountedPage, countPage } from './counted-pages.js'
import { type NumberedWorkload, numberQueries } from './query-words.js'
import { presentThroughout, readTimeline, selectPages, type Timeline } from './timeline.js'
import { WordCounter } from './word-counts.js'

export interface CountedWorld {
  readonly timeline: Timeline
  /** By version. */
  readonly counted: readonly CountedPage[]
  readonly workload: NumberedWorkload
}

export interface CountOptions {
  /** 'always' (the default): pages that are there at every step, as in the paper's experiments. 'all': also those that come or go. */
  readonly pages?: 'always' | 'all'
  /** Told every step that was read. */
  readonly onStep?: (step: number) => void
}

/** Words are those of the analyzer 'standard', in titles and texts. */
export async function countWorld(
  world: World,
  queries: Iterable<{ readonly query: string; readonly count: number }>,
  { pages, onStep }: CountOptions = {},
): Promise<CountedWorld> {
  const considered = choiceOption('pages', pages, 'always', ['always', 'all'])
  const workload = numberQueries(queries)
  const counter = new WordCounter(workload.words)
  const counted: CountedPage[] = []
  const timeline = await readTimeline(world, {
    onVersion: (page) => counted.push(countPage(counter, page)),
    ...(onStep === undefined ? {} : { onStep }),
  })
  if (considered === 'all') return { timeline, counted, workload }
  const selection = selectPages(timeline, presentThroughout(timeline))
  if (selection.timeline.urls.length === 0) throw new RangeError('no page of the world is there at every step')
  return { timeline: selection.timeline, counted: Array.from(selection.origins, (at) => counted[at]!), workload }
}
