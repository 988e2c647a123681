/** What tasks of the cluster experiment need of a folder, read once. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { hostOf } from '../../../base/hosts.js'
import { type LinkFacts, linkFactsOf } from '../../../clusters/link-facts.js'
import { urlWordsOf } from '../../../clusters/page-facts.js'
import type { SparseMatrix } from '../../../clusters/unit-rows.js'
import { wordMatrix } from '../../../clusters/word-clusters.js'
import { shuffledNumbers } from '../../../math/draws.js'
import type { LoadProgress } from '../../frame/experiment.js'
import { countWorld } from '../../quality/counted-world.js'
import type { ScoredWorld } from '../../quality/repository-quality.js'
import { presentThroughout, selectPages } from '../../quality/timeline.js'
import { scoreVersions } from '../../quality/version-scores.js'
import { controlWorld } from '../../worlds/control-worlds.js'
import { type LinkSources, readFolderQueries, readLinkSources } from '../../worlds/folder-tables.js'
import type { AskedQuery } from '../../worlds/generated-text.js'
import { openWorld, withLongerSteps } from '../../worlds/open-world.js'
import { LINKS_FILE } from '../../worlds/snapshot-format.js'
import { type ClustersSpec, checkClustersSpec } from './spec.js'
import { FeatureReading, type VersionFeatures } from './version-features.js'

/** Plain data and typed arrays: it can be sent to another thread. */
export interface ClustersInput extends ScoredWorld {
  readonly spec: ClustersSpec
  readonly features: VersionFeatures
  /** By page. */
  readonly sites: readonly string[]
  readonly siteSegments: number
  /** By page: its PageRank in multiples of the mean one; where there are links. */
  readonly pageWeights?: Float64Array
  /** Words of the pages of the first step. */
  readonly words: { readonly url: CountedWords; readonly content: CountedWords }
}

interface CountedWords {
  readonly matrix: SparseMatrix
  readonly width: number
}

/** FreshdexError for files that are missing or damaged, TypeError or RangeError for a spec that cannot be. */
export async function loadClustersInput(
  spec: ClustersSpec,
  onProgress: (progress: LoadProgress) => void = () => {},
): Promise<ClustersInput> {
  checkClustersSpec(spec)
  const source = await sourceOf(spec)
  const world = withLongerSteps(source.world, spec.cycleWeeks)
  const queries = drawn(source.queries, spec.queries, spec.seed)
  const { sources } = source
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
  const { sites, segments } = sitesByPath(timeline.urls, spec.siteSegments)
  return {
    spec,
    timeline,
    scores: scoreVersions(counted, scoringOf(timeline.urls, links?.pageRanks)),
    features: reading.finish(selection, links, spec.seed),
    ...(links === undefined ? {} : { pageWeights: links.pageRanks.map((rank) => rank * timeline.urls.length) }),
    sites,
    siteSegments: segments,
    words: {
      url: plain(wordMatrix(timeline.urls.map(urlWordsOf))),
      content: plain(wordMatrix(reading.firstWords(selection))),
    },
  }
}

async function sourceOf({ data, seed }: ClustersSpec) {
  if (typeof data !== 'string') return { ...controlWorld(data.world, { ...data, seed }), sources: undefined }
  return { world: await openWorld(data), queries: await readFolderQueries(data), sources: await linksOf(data) }
}

/** Without replacement, in the order of the file. */
function drawn(queries: readonly AskedQuery[], count: number, seed: number): AskedQuery[] {
  const chosen = shuffledNumbers(queries.length, seed).slice(0, count).sort()
  return Array.from(chosen, (at) => queries[at]!)
}

async function linksOf(folder: string): Promise<LinkSources | undefined> {
  return existsSync(path.join(folder, LINKS_FILE)) ? readLinkSources(folder) : undefined
}

/**
 * Half TF-IDF and half PageRank (Tan and Mitra, Eq. 7). A PageRank is taken in multiples of the mean one: else, among
 * many pages, it would count for nothing.
 */
function scoringOf(urls: readonly string[], pageRanks: Float64Array | undefined) {
  if (pageRanks === undefined) return { model: 'tfidf' } as const
  const inlinks = new Map(urls.map((url, page) => [url, pageRanks[page]! * urls.length]))
  return { model: 'tfidf', alpha: 0.5, beta: 0.5, inlinks } as const
}

function plain({ matrix, width }: CountedWords): CountedWords {
  return { matrix, width }
}

/** Links from or to other pages than these do not count. */
export function linkFacts(urls: readonly string[], sources: LinkSources): LinkFacts {
  const numbers = new Map(urls.map((url, page) => [url, page]))
  const linking = urls.map((url) =>
    [...(sources.get(url) ?? [])].flatMap((from) => numbers.get(from) ?? []).sort((a, b) => a - b),
  )
  return linkFactsOf(linking)
}

/** Between fewer sites than this there is no choice to make. */
const LEAST_SITES = 5
const MOST_SEGMENTS = 8

export interface SitesByPath {
  /** By page. */
  readonly sites: readonly string[]
  /** Segments of a path that are part of the name of a site; 0: a site is a host. */
  readonly segments: number
}

/**
 * The sites to sample (Tan and Mitra, section 6: "SLS"), also where all pages are of one host: hosts, or hosts with the
 * first segments of the path, as few as make five sites. Where no number of segments does, the one that makes most.
 */
export function sitesByPath(urls: readonly string[], segments?: number): SitesByPath {
  if (segments !== undefined) return { sites: urls.map((url) => siteOf(url, segments)), segments }
  let best: SitesByPath | undefined
  let most = 0
  for (let tried = 0; tried <= MOST_SEGMENTS && most < LEAST_SITES; tried++) {
    const sites = urls.map((url) => siteOf(url, tried))
    const count = new Set(sites).size
    if (count > most) best = { sites, segments: tried }
    most = Math.max(most, count)
  }
  return best!
}

/** The last segment names the page itself, unless a slash follows it. */
function siteOf(url: string, segments: number): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '')
  const folders = path.split('/').slice(1, -1)
  return [hostOf(url), ...folders.slice(0, segments)].join('/')
}
