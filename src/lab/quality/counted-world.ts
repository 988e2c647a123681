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

export const CONSIDERED_PAGES = ['always', 'changed', 'all'] as const

export type ConsideredPages = (typeof CONSIDERED_PAGES)[number]

export interface CountOptions {
  /**
   * 'always' (the default): pages that are there at every step, as in the paper's experiments. 'changed': of these, the
   * ones that change at least once, as in the second data set of User-centric crawling, section 6.1. 'all': also those
   * that come or go.
   */
  readonly pages?: ConsideredPages
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
  const considered = choiceOption<ConsideredPages>('pages', pages, 'always', CONSIDERED_PAGES)
  const preset = choiceOption('analyzer', analyzer, 'standard', PRESET_NAMES)
  const counted = await withPresetTokens(preset, (tokensOf) => countAll(world, queries, tokensOf, onStep))
  if (considered === 'all') return counted
  const isWanted = presentThroughout(counted.timeline)
  if (considered === 'changed') leaveOutUnchanged(counted.timeline, isWanted)
  return withPages(counted, isWanted, considered)
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

function leaveOutUnchanged({ changeEnds, changedPages }: Timeline, isWanted: Uint8Array): void {
  const changed = new Set(changedPages.subarray(changeEnds[0]))
  for (let page = 0; page < isWanted.length; page++) if (!changed.has(page)) isWanted[page] = 0
}

function withPages(
  { timeline, counted, workload }: CountedWorld,
  isWanted: Uint8Array,
  considered: 'always' | 'changed',
): CountedWorld {
  const selection = selectPages(timeline, isWanted)
  if (selection.timeline.urls.length === 0) {
    const which = considered === 'always' ? 'is there at every step' : 'is there at every step and changes'
    throw new RangeError(`no page of the world ${which}: with pages: 'all' those that come or go count`)
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
