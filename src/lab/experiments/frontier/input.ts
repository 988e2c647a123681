/** What tasks of the frontier experiment need of a folder, read once. */

import { choiceOption, numberOption } from '../../../base/checks.js'
import { textWords } from '../../../frontier/impact/ngrams.js'
import { countWorld } from '../../quality/counted-world.js'
import type { ScoredWorld } from '../../quality/repository-quality.js'
import { scoreVersions } from '../../quality/version-scores.js'
import { type FolderLink, folderLinks } from '../../worlds/folder-tables.js'
import type { QualityProgress } from '../quality/input.js'
import { openSource, QUALITY_SCORINGS, type QualityScoring } from '../quality/spec.js'
import { drawPages, firstPages } from './scenes.js'

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
  onProgress: (progress: QualityProgress) => void = () => {},
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
  const { model, inlinks } = source
  return {
    spec,
    timeline,
    scores: scoreVersions(counted, inlinks === undefined ? { model } : { alpha: 0, beta: 1, inlinks }),
    queryWords: workload.queries.map(({ words }) => words.flatMap((word) => textWords(workload.words[word]!))),
    links: pageLinks(timeline.urls, links),
    isHeldBack: drawPages(firstPages(timeline), heldBack, seed, timeline.urls.length),
  }
}

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
}

/** TypeError or RangeError for what cannot be. */
function checkFrontierSpec(spec: FrontierSpec): void {
  choiceOption('scoring', spec.scoring, 'tfidf', QUALITY_SCORINGS)
  numberOption('queries', spec.queries, 1, { min: 1, integer: true })
  numberOption('heldBack', spec.heldBack, 0, { min: 0, max: 0.5 })
  numberOption('rho', spec.rho, 1, { min: 0, max: 1 })
  numberOption('ngramWords', spec.ngramWords, 3, { min: 1, max: 10, integer: true })
  numberOption('seed', spec.seed, 0, { min: 0, max: 2 ** 32 - 1, integer: true })
}

/** Which pages link to which, and with which words, by numbers of pages. */

/** Ordered by the page that is linked to. Plain data. */
export interface PageLinks {
  /** By page: where the links to it end in the columns below. */
  readonly ends: Uint32Array
  readonly sources: Uint32Array
  readonly anchors: readonly string[]
}

/** Each once, whatever the weeks it is told of; links from or to other pages are passed over. */
export function pageLinks(urls: readonly string[], links: Iterable<FolderLink>): PageLinks {
  const numbers = new Map(urls.map((url, page) => [url, page]))
  const byTarget = urls.map(() => new Map<string, { readonly source: number; readonly anchor: string }>())
  for (const { from, to, anchor } of links) {
    const [source, target] = [numbers.get(from), numbers.get(to)]
    if (source === undefined || target === undefined || source === target) continue
    byTarget[target]!.set(`${source} ${anchor}`, { source, anchor })
  }
  const all = byTarget.flatMap((own) => [...own.values()])
  let end = 0
  return {
    ends: Uint32Array.from(byTarget, (own) => {
      end += own.size
      return end
    }),
    sources: Uint32Array.from(all, ({ source }) => source),
    anchors: all.map(({ anchor }) => anchor),
  }
}

/** Calls back for every link to a page. */
export function forEachLink(
  { ends, sources, anchors }: PageLinks,
  page: number,
  visit: (source: number, anchor: string) => void,
): void {
  for (let at = page === 0 ? 0 : ends[page - 1]!; at < ends[page]!; at++) visit(sources[at]!, anchors[at]!)
}
