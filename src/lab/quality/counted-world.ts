/** A world read once: what is needed of every page version to score it for any query made of the workload's words. */

import { PRESET_NAMES } from '../../analysis/analyzer.js'
import { choiceOption } from '../../base/checks.js'
import { loadAddon, nativeConfig } from '../../core/binding.js'
import { queryWords } from '../../core/engine.js'
import type { PresetName } from '../../index.js'
import { resolveOpenOptions } from '../../options/index-settings.js'
import type { World, WorldPage } from '../worlds/world.js'
import { presentThroughout, readTimeline, selectPages, type Timeline } from './timeline.js'
import {
  type CountedPage,
  countPage,
  type NumberedWorkload,
  numberQueries,
  type TokenReader,
  WordCounter,
} from './word-counts.js'

export interface CountedWorld {
  readonly timeline: Timeline
  /** By version. */
  readonly counted: readonly CountedPage[]
  readonly workload: NumberedWorkload
  /** Pages of the world that were left out because they are not there at every step. */
  readonly leftOut: number
}

export interface CountOptions {
  /**
   * 'always' (the default): pages that are there at every step, as in the paper's experiments. 'all': also those that
   * come or go.
   */
  readonly pages?: 'always' | 'all'
  /** By which titles, texts and queries become words. Default 'standard'. */
  readonly analyzer?: PresetName
  /** Told every step that was read. */
  readonly onStep?: (step: number) => void
}

type CountedQueries = Iterable<{ readonly query: string; readonly count: number }>

export async function countWorld(
  world: World,
  queries: CountedQueries,
  { pages, analyzer, onStep }: CountOptions = {},
): Promise<CountedWorld> {
  const considered = choiceOption('pages', pages, 'always', ['always', 'all'])
  const preset = choiceOption('analyzer', analyzer, 'standard', PRESET_NAMES)
  const counted = await withPresetTokens(preset, (tokensOf) => countAll(world, queries, tokensOf, onStep))
  return considered === 'all' ? counted : withPagesThroughout(counted)
}

async function countAll(
  world: World,
  queries: CountedQueries,
  tokensOf: TokenReader,
  onStep: ((step: number) => void) | undefined,
): Promise<CountedWorld> {
  const workload = numberQueries(queries, tokensOf)
  const counter = new WordCounter(workload.words, tokensOf)
  const counted: CountedPage[] = []
  const onVersion = (page: WorldPage) => counted.push(countPage(counter, page))
  const timeline = await readTimeline(world, onStep === undefined ? { onVersion } : { onVersion, onStep })
  return { timeline, counted, workload, leftOut: 0 }
}

function withPagesThroughout({ timeline, counted, workload }: CountedWorld): CountedWorld {
  const selection = selectPages(timeline, presentThroughout(timeline))
  if (selection.timeline.urls.length === 0) {
    throw new RangeError("no page of the world is there at every step: with pages: 'all' those that come or go count")
  }
  return {
    timeline: selection.timeline,
    counted: Array.from(selection.origins, (at) => counted[at]!),
    workload,
    leftOut: timeline.urls.length - selection.timeline.urls.length,
  }
}

/**
 * Lends the body a reader, sync or async, of the tokens that an index has of a text. They come from the core itself.
 */
export async function withPresetTokens<T>(
  analyzer: PresetName,
  body: (tokensOf: TokenReader) => T | Promise<T>,
): Promise<T> {
  const { Index } = loadAddon()
  const settings = resolveOpenOptions({ key: 'url', fields: { text: {} }, analyzer })
  const native = new Index(nativeConfig(settings, 0n))
  try {
    return await body(queryWords(() => native, analyzer, 0n).tokensOf)
  } finally {
    native.close()
  }
}
