/** S', the score to expect of a page that is not fetched: which queries it may answer, and how well (Crawl ordering by search impact, sections 5.3 and 6.1). */
import { PAIR_FEATURES, type QueryClues, writePairFeatures } from '../../frontier/expected-score.js'
import { meanTopScore } from '../../frontier/impact.js'
import { NgramIndex } from '../../frontier/ngram-index.js'
import { type Ngrams, ngramsOf } from '../../frontier/ngrams.js'
import { VISIBLE_RANKS } from '../../frontier/query-sketch.js'
import { growTree, leafOf, type RegressionTree } from '../../frontier/regression-tree.js'
import { type CrawlScene, scoreOf, type TopAnswers, topAnswers } from './crawl-scene.js'
import { KnownClues } from './known-clues.js'

const WIDTH = PAIR_FEATURES.length
/** Of the tree: a leaf is a mean over so many pairs at least. */
const TREE = { maxDepth: 8, minLeafRows: 50 }

/** The frontier of a scene as queries see it. */
export class FrontierMatches {
  readonly scene: CrawlScene
  readonly clues: KnownClues
  /** By query. */
  readonly ngrams: readonly Ngrams[]
  /** Of the fetched pages. */
  readonly top: TopAnswers
  readonly index = new NgramIndex()
  readonly #queryClues: readonly QueryClues[]
  readonly #row = new Float64Array(WIDTH)

  constructor(scene: CrawlScene) {
    const { input, versions, isCrawled, frontier } = scene
    this.scene = scene
    this.clues = new KnownClues(scene)
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
