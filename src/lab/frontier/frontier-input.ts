/** What tasks of the frontier experiment need of a folder, read once. */
import { textWords } from '../../frontier/ngrams.js'
import type { QualityProgress } from '../experiments/quality-input.js'
import { openSource } from '../experiments/quality-spec.js'
import { countWorld } from '../quality/counted-world.js'
import type { ScoredWorld } from '../quality/repository-quality.js'
import { scoreVersions } from '../quality/version-scores.js'
import { type FolderLink, folderLinks } from '../worlds/folder-links.js'
import { checkFrontierSpec, type FrontierSpec } from './frontier-spec.js'
import { drawPages, firstPages } from './held-back.js'
import { type PageLinks, pageLinks } from './page-links.js'

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
