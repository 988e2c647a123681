import { meanTopScore } from './impact.js'
import { VISIBLE_RANKS } from './query-sketch.js'

/**
 * S' before anything was learnt: as the query's best answers score in the mean, 1 for a query without answers; half of it if neither the URL nor any one anchor
 * has all of the query.
 */
export function unlearntScore(urlShare: number, anchorShare: number, scores: ArrayLike<number>): number {
  const visible = Math.min(scores.length, VISIBLE_RANKS)
  const mean = visible === 0 ? 1 : meanTopScore(scores, visible)
  return mean * (0.5 + 0.5 * Math.max(urlShare, anchorShare))
}
