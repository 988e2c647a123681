/** How far the signals of each site can be believed, learnt from the refreshes that confirm or refute them. */
import type { SignalTrust } from '../policy.js'
import { KIND_SETS, type SignalKind } from './signal-kinds.js'
import { type EvidenceKind, type SignalCounts, SiteEvidence } from './site-evidence.js'

const UNKNOWN = new SiteEvidence()

/** A row of what is known of a site. */
export interface TrustRow extends SignalCounts {
  readonly site: number
  readonly kind: EvidenceKind
}

/** What has changed since the last time that changes were taken. */
export interface TrustChanges {
  readonly rows: readonly TrustRow[]
  /** All of it is as it was before. REQUIRES: nothing was learnt in between. */
  undo(): void
}

export class SiteTrust implements SignalTrust {
  readonly #sites: Map<number, SiteEvidence>
  /** What sites with changes were before them. */
  #before = new Map<number, SiteEvidence | undefined>()

  constructor(sites: Iterable<readonly [site: number, evidence: SiteEvidence]> = []) {
    this.#sites = new Map(sites)
  }

  get size(): number {
    return this.#sites.size
  }

  get sites(): ReadonlyMap<number, SiteEvidence> {
    return this.#sites
  }

  /** Of a site that nothing is known of, heard signals count by what is assumed of all, and silence says nothing. */
  likelihoodRatio(site: number, kinds: number): number {
    return site === 0 ? 1 : this.#evidenceOf(site).likelihoodRatio(kinds)
  }

  recall(site: number): number {
    return this.#evidenceOf(site).recall
  }

  /** A signal came in. */
  heard(site: number, kind: SignalKind): void {
    this.#set(site, this.#evidenceOf(site).withKind(kind))
  }

  /** A page of the site was refreshed, after signals of these kinds. A site that never sent one has none to be judged by. */
  answered(site: number, kinds: number, isChanged: boolean): void {
    const evidence = this.#sites.get(site)
    if (evidence !== undefined) this.#set(site, evidence.withRefresh(kinds, isChanged))
  }

  /** Puts a row back as `takeChanges` gave it. */
  restore({ site, kind, ...counts }: TrustRow): void {
    this.#sites.set(site, new SiteEvidence(new Map(this.#evidenceOf(site).counts).set(kind, counts)))
  }

  rows(): TrustRow[] {
    return [...this.#sites.keys()].flatMap((site) => this.#rowsOf(site))
  }

  takeChanges(): TrustChanges {
    const before = this.#before
    this.#before = new Map()
    return { rows: [...before.keys()].flatMap((site) => this.#rowsOf(site)), undo: () => this.#putBack(before) }
  }

  /** The same trust, which does not change. */
  frozen(): SiteTrust {
    return new SiteTrust(this.#sites)
  }

  #evidenceOf(site: number): SiteEvidence {
    return this.#sites.get(site) ?? UNKNOWN
  }

  #set(site: number, evidence: SiteEvidence): void {
    const known = this.#sites.get(site)
    if (known === evidence) return
    if (!this.#before.has(site)) this.#before.set(site, known)
    this.#sites.set(site, evidence)
  }

  #putBack(before: ReadonlyMap<number, SiteEvidence | undefined>): void {
    for (const [site, evidence] of before) {
      if (evidence === undefined) this.#sites.delete(site)
      else this.#sites.set(site, evidence)
    }
  }

  #rowsOf(site: number): TrustRow[] {
    return Array.from(this.#evidenceOf(site).counts, ([kind, counts]) => ({ site, kind, ...counts }))
  }
}

/**
 * Whether sites with more than `share` of all that was learnt say something else than before, by more than `share` of itself. What
 * was learnt of few pages of one site among many can wait: to know it, all pages have to be judged again.
 */
export function hasTrustMoved(before: SiteTrust, after: SiteTrust, share: number): boolean {
  if ((before.size === 0) !== (after.size === 0)) return true
  let all = 0
  let moved = 0
  for (const [site, evidence] of after.sites) {
    all += evidence.refreshes
    const known = before.sites.get(site) ?? UNKNOWN
    if (known !== evidence && saysOtherwise(known, evidence, share)) moved += evidence.refreshes
  }
  return moved > share * all
}

function saysOtherwise(before: SiteEvidence, after: SiteEvidence, share: number): boolean {
  const isFar = (one: number, other: number) => Math.abs(one - other) > share * Math.max(one, other)
  if (isFar(before.recall, after.recall)) return true
  for (let kinds = 0; kinds < KIND_SETS; kinds++)
    if (isFar(before.likelihoodRatio(kinds), after.likelihoodRatio(kinds))) return true
  return false
}
