/**
 * The expected quality of the answers, as a share of their quality with all copies current (docs/refresh-model.md): the
 * part of today's answers that comes from copies which are still what their pages say,
 *
 *   quality = Σ stake · currentProbability
 *
 * with stakes as shares. Refreshing a page adds stake · (1 - currentProbability). Without queries nothing is at stake,
 * and all pages count alike.
 */
import type { JudgedDocuments } from '../refresh/refresh.js'

export interface QualityScale {
  /** The quality if nothing is refreshed. */
  readonly now: number
  /** What refreshing the page adds to the quality. */
  gainOf(doc: number): number
}

/** The scale of the documents as they are at this moment. Looks at every document. */
export async function qualityScale(
  { history }: JudgedDocuments,
  atMs: number,
  pauseIfDue: () => Promise<void>,
): Promise<QualityScale> {
  const { ledger, gains } = history
  const { pages, sumStake } = ledger.totals()
  const unit = sumStake > 0 ? 1 / sumStake : 1 / Math.max(1, pages)
  const missingOf = (doc: number) => {
    const weight = sumStake > 0 ? (ledger.columns.stake[doc] as number) : 1
    return weight === 0 ? 0 : weight * unit * gains.expected(doc, atMs).changeChance
  }
  let missing = 0
  for (let doc = 0; doc < ledger.rows; doc++) {
    if (doc % PORTION === 0) await pauseIfDue()
    if (ledger.columns.present[doc] === 1) missing += missingOf(doc)
  }
  return { now: Math.max(0, 1 - missing), gainOf: missingOf }
}

/** Documents between two looks at the clock. */
const PORTION = 256
