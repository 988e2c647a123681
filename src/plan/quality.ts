/**
 * The expected quality of the answers, as a share of their quality with all copies current (docs/refresh-model.md):
 *
 *   quality = 1 - (G - g) / (S + G)
 *
 * S is the sum of all stakes, what today's answers are worth by the copies as they are. G is the sum of the expected
 * gains ΔQ_A of all present pages: what is missing now. g is what the refreshes planned are expected to gain of it.
 *
 * Without queries nothing is at stake, and all pages count alike: the quality is the expected share of copies that are
 * current.
 */
import type { JudgedDocuments } from '../refresh/refresh.js'

export interface QualityScale {
  /** The quality if nothing is refreshed. */
  readonly now: number
  /** What refreshing the page adds to the quality. */
  gainOf(doc: number): number
}

/** The scale for gains ΔQ_A. REQUIRES: something is at stake. */
export function scaleOfGains(sumStake: number, missing: number): Pick<QualityScale, 'now'> & { readonly unit: number } {
  const unit = 1 / (sumStake + missing)
  return { now: 1 - missing * unit, unit }
}

/** The scale of the documents as they are at this moment. Looks at every document. */
export async function qualityScale(
  { history }: JudgedDocuments,
  atMs: number,
  pauseIfDue: () => Promise<void>,
): Promise<QualityScale> {
  const { ledger, gains } = history
  const { pages, sumStake } = ledger.totals()
  const isWeighed = sumStake > 0
  const missingOf = (doc: number) => {
    const { changeChance, gainIfChanged } = gains.expected(doc, atMs)
    return isWeighed ? changeChance * gainIfChanged : changeChance
  }
  let missing = 0
  for (let doc = 0; doc < ledger.rows; doc++) {
    if (doc % PORTION === 0) await pauseIfDue()
    if (ledger.columns.present[doc] === 1) missing += missingOf(doc)
  }
  if (pages === 0) return { now: 1, gainOf: () => 0 }
  const { now, unit } = isWeighed ? scaleOfGains(sumStake, missing) : { now: 1 - missing / pages, unit: 1 / pages }
  return { now, gainOf: (doc) => missingOf(doc) * unit }
}

/** Documents between two looks at the clock. */
const PORTION = 256
