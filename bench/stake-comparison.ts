/**
 * What pages have at stake: kept up to date by score shifts alone over some weeks, then computed anew from fresh
 * curves, then exactly, from the whole answer lists.
 */
import type { Freshdex, ScoringModel } from 'freshdex'
import {
  ExactSite,
  exactWorkload,
  openMeasured,
  type Pair,
  pairSpearman,
  relativeDifference,
  WEEK_MS,
} from './experiment-parts.js'
import type { CountedQuery, History, Page } from './snapshot-data.js'

const WEEKS = 4

interface Nearness {
  readonly spearman: number
  /** Sum of the differences by sum of the values. */
  readonly relativeDifference: number
}

export interface StakeComparison {
  readonly weeks: number
  readonly keptVsRefit: Nearness
  readonly refitVsExact: Nearness
  /** keptVsRefit.relativeDifference by weeks. */
  readonly driftPerWeek: number
  /** That the index made by itself during the weeks, and curves that these renewed. */
  readonly fits: number
  readonly curvesRefitted: number
}

export async function compareStakes(
  { weeks }: History,
  counted: readonly CountedQuery[],
  scoring: ScoringModel,
  pieces: number,
): Promise<StakeComparison> {
  const site = new ExactSite(exactWorkload(counted))
  const index = await openMeasured(weeks[0]!, counted, { terms: 'full', scoring, pieces })
  await index.refresh.fit()
  const before = index.stats().measurement
  const last = Math.min(WEEKS, weeks.length - 1)
  for (const [number, week] of weeks.slice(0, last + 1).entries()) {
    const { added, replaced, gone } = week
    if (number > 0) await index.write({ put: [...added, ...replaced], remove: gone }, { at: number * WEEK_MS })
    site.pages.apply(site.pages.changesOf(week))
  }
  const urls = [...site.pages.urls()]
  const kept = stakesOf(index, urls)
  const after = index.stats().measurement
  await index.refresh.fit()
  const refitted = stakesOf(index, urls)
  const exactByNumber = site.freeze(scoring, [index]).full.stakes(site.pages.numberLimit)
  // Stakes are shares of all answers.
  const total = exactByNumber.reduce((sum, stake) => sum + stake, 0)
  const exact = urls.map((url) => exactByNumber[site.pages.get(url)!.number]! / total)
  await index.close()
  const keptVsRefit = nearnessOf(kept, refitted)
  return {
    weeks: last,
    keptVsRefit,
    refitVsExact: nearnessOf(refitted, exact),
    driftPerWeek: keptVsRefit.relativeDifference / last,
    fits: after.fits - before.fits,
    curvesRefitted: after.curves - before.curves,
  }
}

function stakesOf(index: Freshdex<Page>, urls: readonly string[]): number[] {
  return urls.map((url) => index.refresh.explain(url)!.stake)
}

function nearnessOf(estimates: readonly number[], exacts: readonly number[]): Nearness {
  const pairs: Pair[] = estimates.map((estimate, at) => ({ estimate, exact: exacts[at]! }))
  return { spearman: pairSpearman(pairs), relativeDifference: relativeDifference(pairs) }
}
