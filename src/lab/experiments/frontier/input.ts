/** What tasks of the frontier experiment need of a folder, read once. */

import { choiceOption, numberOption } from '../../../base/checks.js'
import { textWords } from '../../../frontier/impact/ngrams.js'
import type { LoadProgress } from '../../frame/experiment.js'
import { countWorld } from '../../quality/counted-world.js'
import type { ScoredWorld } from '../../quality/repository-quality.js'
import type { Timeline } from '../../quality/timeline.js'
import { scoreVersions } from '../../quality/version-scores.js'
import { type FolderLink, folderLinks } from '../../worlds/folder-tables.js'
import { openSource, QUALITY_SCORINGS, type QualityScoring } from '../quality/spec.js'
import { inlinksAtFirstSight, type PageLinks, pageLinks } from './page-links.js'
import { drawPages, firstPages } from './scenes.js'

/**
 * `orders`: what each order of fetching brings, Figures 2 and 5 of the paper. `sketches`: Figures 7 to 9. `split`: one
 * budget for new and known pages.
 */
export const FRONTIER_PARTS = ['orders', 'sketches', 'split'] as const

export type FrontierPart = (typeof FRONTIER_PARTS)[number]

/** What the experiment with pages never fetched is about. */
export interface FrontierSpec {
  /** A snapshot folder with a queries.tsv and a links.ndjson.gz. */
  readonly data: string
  readonly scoring: QualityScoring
  /** So many queries of queries.tsv, the first ones. */
  readonly queries: number
  /** The share of the pages of the first step that are taken for not fetched, besides those that come later. */
  readonly heldBack: number
  /** ρ: the share of a query's n-grams that URL and anchors of a page must have. */
  readonly rho: number
  /** g: words of the longest n-gram. */
  readonly ngramWords: number
  /** Of everything that is left to chance; parts that are repeated take the ones after it, too. */
  readonly seed: number
  /** How often what orders of fetching bring is found out, by a seed each. 1 unless told. */
  readonly seeds?: number
  /** All of FRONTIER_PARTS unless told. */
  readonly parts?: readonly FrontierPart[]
  /** Fetches per step, new and known pages together, as shares of the pages. */
  readonly budgets: readonly number[]
}

/** So that the last of the seeds is still a number of 32 bits. */
export const MOST_SEEDS = 100

/** Throws TypeError or RangeError for a spec that cannot be. */
export function checkFrontierSpec(spec: FrontierSpec): void {
  choiceOption('scoring', spec.scoring, 'tfidf', QUALITY_SCORINGS)
  numberOption('queries', spec.queries, 1, { min: 1, integer: true })
  numberOption('heldBack', spec.heldBack, 0, { min: 0, max: 0.5 })
  numberOption('rho', spec.rho, 1, { min: 0, max: 1 })
  numberOption('ngramWords', spec.ngramWords, 3, { min: 1, max: 10, integer: true })
  for (const budget of spec.budgets) numberOption('budgets', budget, 1, { min: 0, max: 1, aboveMin: true })
  numberOption('seeds', spec.seeds, 1, { min: 1, max: MOST_SEEDS, integer: true })
  numberOption('seed', spec.seed, 0, { min: 0, max: 2 ** 32 - MOST_SEEDS, integer: true })
  for (const part of spec.parts ?? []) choiceOption('parts', part, 'orders', FRONTIER_PARTS)
}

/** Plain data and typed arrays: it can be sent to another thread. */
export interface FrontierInput extends ScoredWorld {
  readonly spec: FrontierSpec
  /** By query: its words, each once, in the order in which they are asked. */
  readonly queryWords: readonly (readonly string[])[]
  readonly links: PageLinks
  /** By page: 1 for one of the first step that is taken for not fetched. */
  readonly isHeldBack: Uint8Array
}

/** FreshdexError for files that are missing or damaged, TypeError or RangeError for a spec that cannot be. */
export async function loadFrontierInput(
  spec: FrontierSpec,
  onProgress: (progress: LoadProgress) => void = () => {},
): Promise<FrontierInput> {
  checkFrontierSpec(spec)
  const { data, scoring, queries, heldBack, seed } = spec
  const source = await openSource({ data, scoring, queries, pages: 'all', seed })
  const links: FolderLink[] = []
  for await (const link of folderLinks(data)) links.push(link)
  const counted = await countWorld(source.world, source.queries, {
    pages: 'all',
    onStep: (step) => onProgress({ stage: 'reading', done: step + 1, total: undefined }),
  })
  const { timeline, workload } = counted
  onProgress({ stage: 'scoring', done: 0, total: timeline.atMs.length })
  // Inlinks of the first step are none for every page that comes later.
  const byLinks = scoring === 'inlinks' ? { inlinks: inlinksAtFirstSight(timeline, links) } : {}
  return {
    spec,
    timeline,
    scores: scoreVersions(counted, { ...source.scoring, ...byLinks }),
    queryWords: workload.queries.map(({ words }) => words.flatMap((word) => textWords(workload.words[word]!))),
    links: pageLinks(timeline.urls, links),
    isHeldBack: heldBackPages(timeline, heldBack, seed),
  }
}

/** The same as if this seed had been asked for. */
export function withSeed(input: FrontierInput, seed: number): FrontierInput {
  if (seed === input.spec.seed) return input
  const { spec, timeline } = input
  return { ...input, spec: { ...spec, seed }, isHeldBack: heldBackPages(timeline, spec.heldBack, seed) }
}

function heldBackPages(timeline: Timeline, share: number, seed: number): Uint8Array {
  return drawPages(firstPages(timeline), share, seed, timeline.urls.length)
}
