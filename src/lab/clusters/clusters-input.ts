/** What tasks of the cluster experiment need of a folder, read once. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { shuffledNumbers } from '../../clusters/counted-draws.js'
import { urlWordsOf } from '../../clusters/page-facts.js'
import type { SparseMatrix } from '../../clusters/unit-rows.js'
import { wordMatrix } from '../../clusters/word-clusters.js'
import type { AskedQuery } from '../generated-workload.js'
import { countWorld } from '../quality/counted-world.js'
import type { ScoredWorld } from '../quality/repository-quality.js'
import { presentThroughout, selectPages } from '../quality/timeline.js'
import { scoreVersions } from '../quality/version-scores.js'
import { type LinkSources, readLinkSources } from '../worlds/folder-inlinks.js'
import { readFolderQueries } from '../worlds/folder-queries.js'
import { withLongerSteps } from '../worlds/longer-steps.js'
import { openWorld } from '../worlds/open-world.js'
import { LINKS_FILE } from '../worlds/snapshot-format.js'
import { type ClustersSpec, checkClustersSpec } from './clusters-spec.js'
import { linkFacts } from './page-rank.js'
import { pathSites } from './path-sites.js'
import { FeatureReading, type VersionFeatures } from './version-features.js'

/** Plain data and typed arrays: it can be sent to another thread. */
export interface ClustersInput extends ScoredWorld {
  readonly spec: ClustersSpec
  readonly features: VersionFeatures
  /** By page. */
  readonly sites: readonly string[]
  readonly siteSegments: number
  /** Of the pages of the first step. */
  readonly words: { readonly url: CountedWords; readonly content: CountedWords }
}

interface CountedWords {
  readonly matrix: SparseMatrix
  readonly width: number
}

export interface ClustersProgress {
  readonly stage: 'reading' | 'scoring'
  readonly done: number
  readonly total: number | undefined
}

/** FreshdexError for files that are missing or damaged, TypeError or RangeError for a spec that cannot be. */
export async function loadClustersInput(
  spec: ClustersSpec,
  onProgress: (progress: ClustersProgress) => void = () => {},
): Promise<ClustersInput> {
  checkClustersSpec(spec)
  const world = withLongerSteps(await openWorld(spec.data), spec.cycleWeeks)
  const queries = drawn(await readFolderQueries(spec.data), spec.queries, spec.seed)
  const sources = await linksOf(spec.data)
  const onStep = (step: number) => onProgress({ stage: 'reading', done: step + 1, total: undefined })
  const reading = new FeatureReading()
  const whole = await reading.read(world, onStep)
  const counted = await countWorld(world, queries, { pages: 'always', onStep })
  const { timeline } = counted
  if (timeline.atMs.length < 2)
    throw new RangeError(`cycleWeeks must leave at least one cycle, received ${spec.cycleWeeks}`)
  onProgress({ stage: 'scoring', done: 0, total: timeline.atMs.length })
  const selection = selectPages(whole, presentThroughout(whole))
  const links = sources === undefined ? undefined : linkFacts(timeline.urls, sources)
  const { sites, segments } = pathSites(timeline.urls, spec.siteSegments)
  return {
    spec,
    timeline,
    scores: scoreVersions(counted, scoringOf(timeline.urls, links?.pageRanks)),
    features: reading.finish(selection, links, spec.seed),
    sites,
    siteSegments: segments,
    words: {
      url: plain(wordMatrix(timeline.urls.map(urlWordsOf))),
      content: plain(wordMatrix(reading.firstWords(selection))),
    },
  }
}

/** Without replacement, in the order of the file. */
function drawn(queries: readonly AskedQuery[], count: number, seed: number): AskedQuery[] {
  const chosen = shuffledNumbers(queries.length, seed).slice(0, count).sort()
  return Array.from(chosen, (at) => queries[at]!)
}

async function linksOf(folder: string): Promise<LinkSources | undefined> {
  return existsSync(path.join(folder, LINKS_FILE)) ? readLinkSources(folder) : undefined
}

/** Half TF-IDF and half PageRank (Tan and Mitra, Eq. 7). A PageRank is taken in multiples of the mean one: else, among many pages, it would count for nothing. */
function scoringOf(urls: readonly string[], pageRanks: Float64Array | undefined) {
  if (pageRanks === undefined) return { model: 'tfidf' } as const
  const inlinks = new Map(urls.map((url, page) => [url, pageRanks[page]! * urls.length]))
  return { model: 'tfidf', alpha: 0.5, beta: 0.5, inlinks } as const
}

function plain({ matrix, width }: CountedWords): CountedWords {
  return { matrix, width }
}
