/**
 * S', the score to expect of a page that is not fetched: which queries it may answer, and how well (Crawl ordering by
 * search impact, sections 5.3 and 6.1).
 */
import {
  PAIR_FEATURES,
  type PageClues,
  type QueryClues,
  writePairFeatures,
} from '../../../frontier/impact/expected-score.js'
import { meanTopScore } from '../../../frontier/impact/impact.js'
import { NgramIndex } from '../../../frontier/impact/ngram-index.js'
import { MAX_ANCHORS, type Ngrams, ngramsOf, textWords, urlNgrams } from '../../../frontier/impact/ngrams.js'
import { VISIBLE_RANKS } from '../../../frontier/impact/query-sketch.js'
import { growTree, leafOf, type RegressionTree } from '../../../frontier/impact/regression-tree.js'
import { NO_VERSION } from '../../quality/timeline.js'
import { forEachLink } from './page-links.js'
import { type CrawlScene, forEachMatch, scoreOf, type TopAnswers, topAnswers } from './scenes.js'

const WIDTH = PAIR_FEATURES.length
/** The bounds of the tree: a leaf is a mean over at least so many pairs. */
const TREE = { maxDepth: 8, minLeafRows: 50 }

/** The frontier of a scene as queries see it. */
export class FrontierMatches {
  readonly scene: CrawlScene
  readonly clues: FeaturesBeforeFetch
  /** By query. */
  readonly ngrams: readonly Ngrams[]
  /** The best answers among the fetched pages. */
  readonly top: TopAnswers
  readonly index = new NgramIndex()
  readonly #queryClues: readonly QueryClues[]
  readonly #row = new Float64Array(WIDTH)

  constructor(scene: CrawlScene) {
    const { input, versions, isCrawled, frontier } = scene
    this.scene = scene
    this.clues = new FeaturesBeforeFetch(scene)
    this.ngrams = input.queryWords.map((words) => ngramsOf([words], input.spec.ngramWords))
    this.top = topAnswers(input.scores, versions, (page) => isCrawled[page] === 1)
    this.#queryClues = this.ngrams.map((ngrams, query) => ({
      ngrams,
      words: input.queryWords[query]!.length,
      bestScore: this.top.scores[query * VISIBLE_RANKS]!,
      meanTopScore: meanTopScore(this.top.scores, VISIBLE_RANKS, query * VISIBLE_RANKS),
    }))
    for (const page of frontier) {
      const { urlNgrams, anchorNgrams } = this.clues.of(page)
      for (const ngrams of [urlNgrams, ...anchorNgrams]) this.index.add(page, ngrams)
    }
  }

  matching(query: number): Uint32Array {
    return this.index.matching(this.ngrams[query]!, this.scene.input.spec.rho)
  }

  meanTopScore(query: number): number {
    return this.#queryClues[query]!.meanTopScore
  }

  expectedScore(tree: RegressionTree, page: number, query: number): number {
    return tree.means[this.#leaf(tree, page, query)]!
  }

  /** Equally likely scores. */
  likelyScores(tree: RegressionTree, page: number, query: number): readonly number[] {
    return tree.values[this.#leaf(tree, page, query)]!
  }

  /** A tree over all pairs that match, with what the pages really score. Undefined where none does. */
  teach(): RegressionTree | undefined {
    const { input, versions } = this.scene
    const features: number[] = []
    const targets: number[] = []
    this.ngrams.forEach((_, query) => {
      for (const page of this.matching(query)) {
        this.#write(page, query)
        features.push(...this.#row)
        targets.push(scoreOf(input.scores, versions[page]!, query))
      }
    })
    if (targets.length === 0) return undefined
    return growTree(Float64Array.from(features), Float64Array.from(targets), WIDTH, TREE)
  }

  #leaf(tree: RegressionTree, page: number, query: number): number {
    this.#write(page, query)
    return leafOf(tree, this.#row)
  }

  #write(page: number, query: number): void {
    writePairFeatures(this.#row, 0, this.clues.of(page), this.#queryClues[query]!)
  }
}

interface FolderSums {
  pages: number
  matches: number
  scores: number
}

/**
 * What a crawler knows of pages without having fetched them: their URLs, and the links from pages that it has fetched.
 * Nothing here comes from the text or the title of the page itself. A site has one host, so what the expected score
 * takes for the host is the folder of the page.
 */
export class FeaturesBeforeFetch {
  readonly #scene: CrawlScene
  readonly #folders = new Map<string, FolderSums>()
  readonly #clues = new Map<number, PageClues>()

  constructor(scene: CrawlScene) {
    this.#scene = scene
    const { input, versions, isCrawled } = scene
    versions.forEach((version, page) => {
      if (version === NO_VERSION || isCrawled[page] !== 1) return
      const sums = this.#folderOf(page)
      sums.pages++
      forEachMatch(input.scores, version, (_, score) => {
        sums.matches++
        sums.scores += score
      })
    })
  }

  of(page: number): PageClues {
    const known = this.#clues.get(page)
    if (known !== undefined) return known
    const clues = this.#read(page)
    this.#clues.set(page, clues)
    return clues
  }

  /** How important a page is without any query: the logarithm of the fetched pages that link to it. */
  importance(page: number): number {
    return Math.log1p(this.of(page).inlinks)
  }

  #read(page: number): PageClues {
    const { input, isCrawled } = this.#scene
    const url = input.timeline.urls[page]!
    const maxWords = input.spec.ngramWords
    const sources = new Set<number>()
    const anchors = new Set<string>()
    forEachLink(input.links, page, (source, anchor) => {
      if (isCrawled[source] !== 1) return
      sources.add(source)
      if (anchors.size < MAX_ANCHORS) anchors.add(anchor)
    })
    const { pages, matches, scores } = this.#folderOf(page)
    return {
      url,
      urlNgrams: urlNgrams(url, { maxWords }),
      anchorNgrams: Array.from(anchors, (anchor) => ngramsOf([textWords(anchor)], maxWords)),
      inlinks: sources.size,
      hostPages: pages,
      hostMeanScore: matches === 0 ? 0 : scores / matches,
    }
  }

  #folderOf(page: number): FolderSums {
    const url = this.#scene.input.timeline.urls[page]!
    const folder = url.replace(/\/[^/]*\/?$/, '')
    let sums = this.#folders.get(folder)
    if (sums === undefined) {
      sums = { pages: 0, matches: 0, scores: 0 }
      this.#folders.set(folder, sums)
    }
    return sums
  }
}
