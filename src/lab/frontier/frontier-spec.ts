/** What the experiment with pages never fetched is about. */
import { choiceOption, numberOption } from '../../option-checks.js'
import { QUALITY_SCORINGS, type QualityScoring } from '../experiments/quality-spec.js'

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
export function checkFrontierSpec(spec: FrontierSpec): void {
  choiceOption('scoring', spec.scoring, 'tfidf', QUALITY_SCORINGS)
  numberOption('queries', spec.queries, 1, { min: 1, integer: true })
  numberOption('heldBack', spec.heldBack, 0, { min: 0, max: 0.5 })
  numberOption('rho', spec.rho, 1, { min: 0, max: 1 })
  numberOption('ngramWords', spec.ngramWords, 3, { min: 1, max: 10, integer: true })
  numberOption('seed', spec.seed, 0, { min: 0, max: 2 ** 32 - 1, integer: true })
}
