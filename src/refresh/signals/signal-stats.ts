/** The sites that send signals, in numbers. */
import type { EvidenceKind, SignalCounts } from './site-evidence.js'
import type { SiteTrust } from './site-trust.js'
import type { Site } from './sites.js'

export interface SiteSignalStats {
  /** The host of its documents' keys. */
  readonly site: string
  /** Of each kind that the site has sent, and of any kind. */
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
