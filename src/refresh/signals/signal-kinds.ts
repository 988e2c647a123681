/** The ways in which a site can say that a page may have changed. Their order is that of the bits in the column `signalKinds`. */
export const SIGNAL_KINDS = ['sitemap', 'etag', 'last-modified', 'feed', 'push'] as const
export type SignalKind = (typeof SIGNAL_KINDS)[number]

/** As many as there are sets of kinds: every set is a number below it, a bit for each kind. */
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
