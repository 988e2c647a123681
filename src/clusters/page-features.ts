/**
 * The 48 features by which pages are clustered (Tan and Mitra, Clustering-based incremental web crawling, sections 3.1
 * and 3.2): 17 of the content, 17 of the URL, 4 of links, and 10 of how a page has changed. An unknown feature
 * is NaN, and becomes the mean of the known ones when features are scaled, so that it has no influence. Before
 * the second visit all dynamic features are unknown.
 */

import { finish, type Steps } from '../base/turns.js'
import { type ChangeWeighting, packedChangeFrequency } from './change-weights.js'
import {
  bytesOf,
  depthOf,
  emailsOf,
  FILE_TYPES,
  fileTypeOf,
  type PageFacts,
  similarityOf,
  topLevelDomainOf,
  urlWordsOf,
  type VersionFacts,
  type WordCounts,
  wordCountOf,
  wordsOf,
} from './page-facts.js'
import {
  learnWordClustersInSteps,
  WORD_FEATURES,
  type WordClusterOptions,
  type WordClusters,
  wordClusterOf,
  writeWordFeatures,
} from './word-clusters.js'

const DOMAINS = ['com', 'edu', 'gov', 'org', 'net', 'mil'] as const
const LANDMARKS = Array.from({ length: WORD_FEATURES }, (_, at) => at + 1)

const CONTENT_WORDS = LANDMARKS.map((rank1) => `content words ${rank1}`)
const URL_WORDS = LANDMARKS.map((rank1) => `url words ${rank1}`)
const STATIC = [
  'images',
  'tables',
  'words',
  'bytes',
  ...FILE_TYPES.map((type) => `is ${type}`),
  'depth',
  ...DOMAINS.map((domain) => `is .${domain}`),
  'page rank',
  'inlinks',
  'outlinks',
  'emails',
]
const CHANGE_OF = 'change of '
const DYNAMIC = [
  'similarity to the version before',
  ...['images', 'tables', 'bytes', 'words', 'page rank', 'inlinks', 'outlinks', 'emails'].map(
    (name) => `${CHANGE_OF}${name}`,
  ),
  'change frequency',
]
const ALL = [...CONTENT_WORDS, ...URL_WORDS, ...STATIC, ...DYNAMIC]

export const PAGE_FEATURES = ALL.length

/** Pairs of columns of a row of features: an amount, and how it changed. */
export const AMOUNT_CHANGES = DYNAMIC.flatMap((name): (readonly [amount: number, change: number])[] =>
  name.startsWith(CHANGE_OF) ? [[ALL.indexOf(name.slice(CHANGE_OF.length)), ALL.indexOf(name)]] : [],
)

/**
 * As in Figure 2 of the paper, where static are all static features but those of words. (It counts 28 of them; by its
 * own list they are 18.)
 */
const GROUPS = {
  url: URL_WORDS,
  content: CONTENT_WORDS,
  'url+content': [...CONTENT_WORDS, ...URL_WORDS],
  static: STATIC,
  dynamic: DYNAMIC,
  combined: ALL,
} as const satisfies Record<string, readonly string[]>

export type FeatureGroup = keyof typeof GROUPS
export const FEATURE_GROUPS = Object.keys(GROUPS) as readonly FeatureGroup[]

export function featureNames(group: FeatureGroup = 'combined'): readonly string[] {
  return GROUPS[group]
}

/** Positions in a row of features. */
export function featureColumns(group: FeatureGroup = 'combined'): readonly number[] {
  return GROUPS[group].map((name) => ALL.indexOf(name))
}

export interface FeatureOptions extends WordClusterOptions {
  /** The weights of cycles in the change frequency. Default 'nad', all cycles alike. */
  readonly weighting?: ChangeWeighting
}

/** What is needed to compute the features of other pages later, as plain data. */
export interface FeatureSpace {
  readonly content: WordClusters
  readonly url: WordClusters
  readonly weighting: ChangeWeighting
}

export interface LearntFeatures {
  readonly space: FeatureSpace
  /** Row after row, PAGE_FEATURES for each page, in the order of featureNames(); NaN is not known. */
  readonly features: Float64Array
  /** The cluster of each page by words alone; -1 without words. */
  readonly contentClusters: Int32Array
  readonly urlClusters: Int32Array
}

export function learnFeatures(pages: readonly PageFacts[], options: FeatureOptions): LearntFeatures {
  return finish(learnFeaturesInSteps(pages, options))
}

/** The same, in steps. */
export function* learnFeaturesInSteps(pages: readonly PageFacts[], options: FeatureOptions): Steps<LearntFeatures> {
  const contentWords: (WordCounts | undefined)[] = []
  for (const page of pages) {
    contentWords.push(wordsOf(page))
    yield
  }
  const content = yield* learnWordClustersInSteps(contentWords, options)
  const url = yield* learnWordClustersInSteps(
    pages.map((page) => urlWordsOf(page.url)),
    options,
  )
  const space = { content: content.model, url: url.model, weighting: options.weighting ?? 'nad' }
  const features = new Float64Array(pages.length * PAGE_FEATURES)
  for (const [at, page] of pages.entries()) {
    const row = features.subarray(at * PAGE_FEATURES, (at + 1) * PAGE_FEATURES)
    writeFeatures(row, space, page, contentWords[at], content.assignment[at]!, url.assignment[at]!)
    yield
  }
  return { space, features, contentClusters: content.assignment, urlClusters: url.assignment }
}

/**
 * The features of a page, which may be new: its words are assigned to the nearest of the learnt clusters. They are
 * written into `row`, which the caller may take from the rows of all pages.
 */
export function featuresOf(
  space: FeatureSpace,
  page: PageFacts,
  row: Float64Array = new Float64Array(PAGE_FEATURES),
): Float64Array {
  const words = wordsOf(page)
  const contentCluster = words === undefined ? -1 : wordClusterOf(space.content, words)
  const urlCluster = wordClusterOf(space.url, urlWordsOf(page.url))
  return writeFeatures(row, space, page, words, contentCluster, urlCluster)
}

function writeFeatures(
  row: Float64Array,
  { content, url, weighting }: FeatureSpace,
  page: PageFacts,
  words: WordCounts | undefined,
  contentCluster: number,
  urlCluster: number,
): Float64Array {
  writeWordFeatures(content, contentCluster, row, 0)
  writeWordFeatures(url, urlCluster, row, WORD_FEATURES)
  const domain = topLevelDomainOf(page.url)
  const type = fileTypeOf(page)
  const now = amountsOf(page, words)
  const [images, tables, bytes, wordCount, ...links] = now
  const history = page.history?.cycles ? packedChangeFrequency(page.history, weighting) : undefined
  const known: readonly (number | boolean | undefined)[] = [
    ...[images, tables, wordCount, bytes],
    ...FILE_TYPES.map((other) => other === type),
    depthOf(page.url),
    ...DOMAINS.map((other) => other === domain),
    ...links,
    similarityOf(page, words),
    ...changesOf(now, page.before),
    history,
  ]
  // One by one: an array for each of a million pages would have to be collected.
  for (const [at, value] of known.entries())
    row[2 * WORD_FEATURES + at] = value === undefined ? Number.NaN : Number(value)
  return row
}

/** Images, tables, bytes, words, page rank, inlinks, outlinks, emails: in the order of the dynamic features. */
function amountsOf(facts: VersionFacts, words?: WordCounts): readonly (number | undefined)[] {
  return [
    facts.images,
    facts.tables,
    bytesOf(facts),
    wordCountOf(facts, words),
    facts.pageRank,
    facts.inlinks,
    facts.outlinks,
    emailsOf(facts),
  ]
}

/** The size of each change, whether the amount grew or shrank. */
function changesOf(
  now: readonly (number | undefined)[],
  before: VersionFacts | undefined,
): readonly (number | undefined)[] {
  const earlier = before === undefined ? [] : amountsOf(before)
  return now.map((amount, at) => {
    const other = earlier[at]
    return amount === undefined || other === undefined ? undefined : Math.abs(amount - other)
  })
}
