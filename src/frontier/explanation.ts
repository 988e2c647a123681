/** What a page would be worth. */
export interface FrontierWorth {
  /** 0.9 of the impact by queries and 0.1 of that by inlinks, once the latter was learnt; by queries alone before. */
  readonly impact: number
  /**
   * How often people would see the page: the frequencies of the needy queries among whose 10 best answers it is
   * expected to be.
   */
  readonly queryImpact: number
  /** What pages with as many inlinks had; undefined before enough were fetched. */
  readonly inlinkImpact: number | undefined
  /**
   * ΔQ_A to be expected, the currency of refreshes: what queries promise, as far as pages fetched before kept such
   * promises.
   */
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
  /** Among today's answers and the other pages of the frontier, counting from 1; undefined beyond 10. */
  readonly expectedRank: number | undefined
  /** What the query promises, its weight included; all of them times the `gainFactor` of the page are its ΔQ_A. */
  readonly deltaQuality: number
}

export interface FrontierExplanation extends FrontierSuggestion {
  readonly at: number
  readonly anchors: readonly string[]
  /** Which part of gains of this size fetched pages had, by what is known of them; 1 before any was fetched. */
  readonly gainFactor: number
  /** Fetched pages of which gains of this size were expected; without any, those of other sizes count. */
  readonly gainPages: number
  /** The largest gains first. */
  readonly queries: readonly FrontierQuery[]
}
