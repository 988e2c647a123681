/** What the frontier says about a page: what it would be worth, and to which queries. */

/** What a page would be worth. */
export interface FrontierWorth {
  /**
   * 0.9 times `queryImpact` plus 0.1 times `inlinkImpact`, or as `queryWeight` says; `queryImpact` alone before the
   * latter was learnt.
   */
  readonly impact: number
  /**
   * How often people would see the page: the frequencies of the needy queries for which it is expected among the ten
   * best answers; or as `visibleRanks` and `visibility` say.
   */
  readonly queryImpact: number
  /** The mean impact of fetched pages with as many inlinks; undefined before enough pages were fetched. */
  readonly inlinkImpact: number | undefined
  /** The expected ΔQ_A, comparable with that of a refresh, calibrated by what fetched pages have gained. */
  readonly deltaQuality: number
}

export interface FrontierSuggestion extends FrontierWorth {
  readonly url: string
  readonly inlinks: number
  readonly addedAt: number
}

/** A query that a page of the frontier seems to match. */
export interface FrontierQuery {
  readonly query: string
  readonly weight: number
  /** S' */
  readonly expectedScore: number
  /** The rank among today's answers and the other pages of the frontier, counting from 1; undefined beyond K. */
  readonly expectedRank: number | undefined
  /** The gain for this query, times its weight. The sum over all queries, times `gainFactor`, is the page's ΔQ_A. */
  readonly deltaQuality: number
}

export interface FrontierExplanation extends FrontierSuggestion {
  readonly at: number
  readonly anchors: readonly string[]
  /** What fetched pages gained, relative to an expected gain of this size; 1 before any page was fetched. */
  readonly gainFactor: number
  /** Fetched pages with an expected gain of this size. Without any, those of other sizes count. */
  readonly gainPages: number
  /** Queries by gain, the largest first. */
  readonly queries: readonly FrontierQuery[]
}
