/**
 * Signals: what a site says of changes of its pages, and what was heard of a page since its last refresh, in the
 * columns of the ledger.
 */
import type { LedgerColumnArrays, LedgerColumns } from './column-arrays.js'
import { LEDGER } from './columns.js'

/**
 * The ways in which a site can say that a page may have changed. Their order is that of the bits in the column
 * `signalKinds`.
 */
export const SIGNAL_KINDS = ['sitemap', 'etag', 'last-modified', 'feed', 'push'] as const
export type SignalKind = (typeof SIGNAL_KINDS)[number]

/** The number of sets of kinds. A set is a number below it, with a bit for each kind. */
export const KIND_SETS = 2 ** SIGNAL_KINDS.length

/** Kinds that can say when the page changed. */
const DATED_KINDS: ReadonlySet<SignalKind> = new Set(['sitemap', 'last-modified', 'feed'])

export function isDated(kind: SignalKind): boolean {
  return DATED_KINDS.has(kind)
}

export function kindBit(kind: SignalKind): number {
  return 1 << SIGNAL_KINDS.indexOf(kind)
}

/** The kinds of a set, in their order. */
export function kindsOf(set: number): SignalKind[] {
  return SIGNAL_KINDS.filter((kind) => (set & kindBit(kind)) !== 0)
}

/** The signals of a page since its last refresh. */
export interface PendingSignals {
  /** No more than 255. */
  readonly count: number
  readonly kinds: readonly SignalKind[]
  /** When the first of them was heard, in milliseconds since 1970. */
  readonly firstAt: number
}

/** False for a signal from before the last refresh, which says nothing any more. */
export function addSignal(columns: LedgerColumnArrays, doc: number, kind: SignalKind, atMs: number): boolean {
  if (atMs < columns.refreshedMs[doc]!) return false
  const signals = columns.signals[doc]!
  columns.signalMs[doc] = signals === 0 ? atMs : Math.min(atMs, columns.signalMs[doc]!)
  columns.signals[doc] = Math.min(LEDGER.signals.max, signals + 1)
  columns.signalKinds[doc] = columns.signalKinds[doc]! | kindBit(kind)
  return true
}

export function pendingSignals(columns: LedgerColumns, doc: number): PendingSignals | undefined {
  const count = columns.signals[doc]!
  if (count === 0) return undefined
  return { count, kinds: kindsOf(columns.signalKinds[doc]!), firstAt: columns.signalMs[doc]! }
}
