/** How reliable the signals of each site are. */
import type { EvidenceKind, SignalCounts, SiteEvidence, SiteTrust } from '../../ledger/site-trust.js'
import type { Site } from '../../ledger/sites.js'

export interface SiteSignalStats {
  /** The host of the keys of the site's documents. */
  readonly site: string
  /** Counts for each kind of signal that the site has sent, and for all kinds together. */
  readonly kinds: Readonly<Partial<Record<EvidenceKind, SignalKindStats>>>
}

/** Counts are of refreshes: signalled before or not, and found changed or the same. */
export interface SignalKindStats extends SignalCounts {
  /** The share of signalled documents that had changed; undefined without any. */
  readonly precision: number | undefined
  /** The share of changed documents that were signalled; undefined without any. */
  readonly recall: number | undefined
}

/** Sites whose signals were answered most often come first. */
export function signalStats(sites: readonly Site[], trust: SiteTrust): SiteSignalStats[] {
  const known = sites.flatMap(({ number, name }) => {
    const evidence = trust.sites.get(number)
    return evidence === undefined ? [] : [{ name, evidence }]
  })
  known.sort((a, b) => b.evidence.refreshes - a.evidence.refreshes || (a.name < b.name ? -1 : 1))
  return known.map(({ name, evidence }) => ({
    site: name,
    kinds: Object.fromEntries(Array.from(evidence.counts, ([kind, counts]) => [kind, kindStats(counts)])),
  }))
}

function kindStats(counts: SignalCounts): SignalKindStats {
  const { signalledChanged, signalledSame, silentChanged } = counts
  return {
    ...counts,
    precision: shareOf(signalledChanged, signalledSame),
    recall: shareOf(signalledChanged, silentChanged),
  }
}

function shareOf(part: number, rest: number): number | undefined {
  return part + rest === 0 ? undefined : part / (part + rest)
}

/** The kinds of signals that a probe yields: headers that a server sends with a page. */
const HEADER_KINDS = ['etag', 'last-modified'] as const
/** The prior trust in a site's headers weighs as much as this many refreshes after a signal by them. */
const PRIOR_RIGHT = 4

/**
 * The share of the pages reported as changed by the headers of a site that have changed: above 0, and 1 where
 * nothing is known. An ETag that is new at every deployment comes near 0.
 */
export function probePrecision(evidence: SiteEvidence | undefined): number {
  let right = PRIOR_RIGHT
  let all = PRIOR_RIGHT
  for (const kind of HEADER_KINDS) {
    const counts = evidence?.counts.get(kind)
    if (counts === undefined) continue
    right += counts.signalledChanged
    all += counts.signalledChanged + counts.signalledSame
  }
  return right / all
}
