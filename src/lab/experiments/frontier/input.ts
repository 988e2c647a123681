/** What tasks of the frontier experiment need of a folder, read once. */

import { choiceOption, numberOption } from '../../../base/checks.js'
import { textWords } from '../../../frontier/impact/ngrams.js'
import type { LoadProgress } from '../../frame/experiment.js'
import { countWorld } from '../../quality/counted-world.js'
import type { ScoredWorld } from '../../quality/repository-quality.js'
import { scoreVersions } from '../../quality/version-scores.js'
import { type FolderLink, folderLinks } from '../../worlds/folder-tables.js'
import { openSource, QUALITY_SCORINGS, type QualityScoring } from '../quality/spec.js'
import { type PageLinks, pageLinks } from './page-links.js'
import { drawPages, firstPages } from './scenes.js'

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
  readonly seed: number
  /** Fetches per step, new and known pages together, as shares of the pages. */
  readonly budgets: readonly number[]
}

/** Throws TypeError or RangeError for a spec that cannot be. */
export function checkFrontierSpec(spec: FrontierSpec): void {
  choiceOption('scoring', spec.scoring, 'tfidf', QUALITY_SCORINGS)
  numberOption('queries', spec.queries, 1, { min: 1, integer: true })
  numberOption('heldBack', spec.heldBack, 0, { min: 0, max: 0.5 })
  numberOption('rho', spec.rho, 1, { min: 0, max: 1 })
  numberOption('ngramWords', spec.ngramWords, 3, { min: 1, max: 10, integer: true })
  for (const budget of spec.budgets) numberOption('budgets', budget, 1, { min: 0, max: 1, aboveMin: true })
  numberOption('seed', spec.seed, 0, { min: 0, max: 2 ** 32 - 1, integer: true })
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
  return {
    spec,
    timeline,
    scores: scoreVersions(counted, source.scoring),
    queryWords: workload.queries.map(({ words }) => words.flatMap((word) => textWords(workload.words[word]!))),
    links: pageLinks(timeline.urls, links),
    isHeldBack: drawPages(firstPages(timeline), heldBack, seed, timeline.urls.length),
  }
}
