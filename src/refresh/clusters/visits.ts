/**
 * What a build saw of each document, so that the next one can say how the document has changed since: the dynamic
 * features of Tan and Mitra, Clustering-based incremental web crawling, section 3.2, which compare a page in two
 * consecutive download cycles. A build ends a cycle here. A document that was not refreshed since keeps the changes
 * that it had, as there is no other copy to compare with.
 */
import { AMOUNT_CHANGES } from '../../clusters/page-features.js'
import { type ClusterVisits, VISIT_AMOUNTS, VISIT_WIDTH } from '../../ledger/cluster-visits.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'

/** Undefined for bytes that are no visit. */
export function readVisit(bytes: unknown): Float64Array | undefined {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 8 * VISIT_WIDTH) return undefined
  return new Float64Array(Uint8Array.from(bytes).buffer)
}

/**
 * Writes the changes of a document into its features, and what there is to remember into `visit`. `before` is what the
 * last build saw under this number, perhaps of another document.
 */
export function compareVisits(
  features: Float64Array,
  visit: Float64Array,
  before: Float64Array | undefined,
  { createdMs, refreshes }: Pick<LedgerColumns, 'createdMs' | 'refreshes'>,
  doc: number,
): void {
  const isSame = before !== undefined && before[0] === createdMs[doc] && before[1]! <= refreshes[doc]!
  const isRefreshed = isSame && before[1]! < refreshes[doc]!
  visit[0] = createdMs[doc]!
  visit[1] = refreshes[doc]!
  AMOUNT_CHANGES.forEach(([amount, change], nth) => {
    const [now, earlier] = [2 + nth, 2 + VISIT_AMOUNTS + nth]
    const isKept = isSame && !isRefreshed
    visit[now] = isKept ? before[now]! : features[amount]!
    visit[earlier] = isKept ? before[earlier]! : isRefreshed ? Math.abs(visit[now]! - before[now]!) : Number.NaN
    features[change] = visit[earlier]!
  })
}

export function visitsByDocument({ docs, rows }: ClusterVisits): ReadonlyMap<number, Float64Array> {
  return new Map(
    Array.from(docs, (doc, nth) => [doc, rows.subarray(nth * VISIT_WIDTH, (nth + 1) * VISIT_WIDTH)] as const),
  )
}
