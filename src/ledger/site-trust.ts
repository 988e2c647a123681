/** How far the signals of each site can be believed, learnt from the refreshes that confirm or refute them. */
import { KIND_SETS, kindBit, SIGNAL_KINDS, type SignalKind } from './signals.js'

/** What evidence is kept of: each kind of signal, and 'any', a signal of whatever kind. */
export type EvidenceKind = SignalKind | 'any'
export const EVIDENCE_KINDS: readonly EvidenceKind[] = [...SIGNAL_KINDS, 'any']

/** How many refreshes found a page changed, or the same, after a signal or after none. */
export interface SignalCounts {
  readonly signalledChanged: number
  readonly signalledSame: number
  readonly silentChanged: number
  readonly silentSame: number
}

/** Counts of Beta priors: as if so many pages of each sort had been seen. */
const PRIOR: SignalCounts = { signalledChanged: 1, silentChanged: 1, signalledSame: 0.5, silentSame: 4.5 }

const NOTHING: SignalCounts = { signalledChanged: 0, signalledSame: 0, silentChanged: 0, silentSame: 0 }

/** No signals say more than this, or less than its inverse: counts are never that certain. */
const MAX_RATIO = 1e3

/**
 * What refreshes have shown of the signals of one site, kind by kind and for signals of any kind: a table of four
 * counts each.
 *
 *                changed              same
 *   signalled    signalledChanged     signalledSame
 *   silent       silentChanged        silentSame
 *
 * P(signal | changed) and P(signal | same) are the shares of the columns, smoothed by Beta priors: before anything is
 * known, half of all changes are taken to be signalled (worth two refreshes), and one page in ten that is the same
 * (worth five).
 *
 * Signalled pages are refreshed sooner, so both shares come out larger than among all pages. The odds ratio of the
 * table, by which signalled and silent pages of a site are told apart, does not depend on how many of each are
 * refreshed. Evidence never changes: what is learnt makes a new one.
 */
export class SiteEvidence {
  readonly #counts: ReadonlyMap<EvidenceKind, SignalCounts>
  #ratios: Float64Array | undefined

  constructor(counts: ReadonlyMap<EvidenceKind, SignalCounts> = new Map()) {
    this.#counts = counts
  }

  /** For each kind that the site uses, and for 'any'. */
  get counts(): ReadonlyMap<EvidenceKind, SignalCounts> {
    return this.#counts
  }

  /** The number of refreshes that have shown something. */
  get refreshes(): number {
    const { signalledChanged, signalledSame, silentChanged, silentSame } = this.#counts.get('any') ?? NOTHING
    return signalledChanged + signalledSame + silentChanged + silentSame
  }

  /** The share of changes that was signalled in any way, smoothed; 0 while none has ever been. */
  get recall(): number {
    const any = this.#counts.get('any')
    return any === undefined ? 0 : signalChance(any).ifChanged
  }

  /** The site uses this kind: from now on silence means something, too. */
  withKind(kind: SignalKind): SiteEvidence {
    if (this.#counts.has(kind) && this.#counts.has('any')) return this
    const counts = new Map(this.#counts)
    for (const each of [kind, 'any'] as const) if (!counts.has(each)) counts.set(each, NOTHING)
    return new SiteEvidence(counts)
  }

  /** A refresh, before which the kinds of the set were heard, found the page changed or the same. */
  withRefresh(kinds: number, isChanged: boolean): SiteEvidence {
    const counts = new Map<EvidenceKind, SignalCounts>()
    for (const [kind, before] of this.#counts) {
      const isHeard = kind === 'any' ? kinds !== 0 : (kinds & kindBit(kind)) !== 0
      const cell = cellOf(isHeard, isChanged)
      counts.set(kind, { ...before, [cell]: before[cell] + 1 })
    }
    return new SiteEvidence(counts)
  }

  /** P(these kinds heard, the others not | changed) / P(the same | same), as if kinds were independent. */
  likelihoodRatio(kinds: number): number {
    this.#ratios ??= Float64Array.from({ length: KIND_SETS }, (_, set) => this.#ratioOf(set))
    return this.#ratios[kinds] ?? 1
  }

  #ratioOf(kinds: number): number {
    let ratio = 1
    for (const kind of SIGNAL_KINDS) {
      const isHeard = (kinds & kindBit(kind)) !== 0
      const counts = this.#counts.get(kind)
      // Silence says nothing of a kind that the site does not use.
      if (counts === undefined && !isHeard) continue
      const { ifChanged, ifSame } = signalChance(counts ?? NOTHING)
      ratio *= isHeard ? ifChanged / ifSame : (1 - ifChanged) / (1 - ifSame)
    }
    return Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, ratio))
  }
}

function cellOf(isHeard: boolean, isChanged: boolean): keyof SignalCounts {
  if (isHeard) return isChanged ? 'signalledChanged' : 'signalledSame'
  return isChanged ? 'silentChanged' : 'silentSame'
}

function signalChance(counts: SignalCounts): { readonly ifChanged: number; readonly ifSame: number } {
  const smoothed = (cell: keyof SignalCounts) => counts[cell] + PRIOR[cell]
  const [changed, same] = [smoothed('signalledChanged'), smoothed('signalledSame')]
  return {
    ifChanged: changed / (changed + smoothed('silentChanged')),
    ifSame: same / (same + smoothed('silentSame')),
  }
}

/** What is known of a site that nothing was heard of. */
const UNKNOWN = new SiteEvidence()

/** How far signals of changes can be believed, site by site; see the columns `site` and `signalKinds`. */
export interface SignalTrust {
  /**
   * How much likelier these signals are of a page that has changed than of one that has not. 1: they say nothing.
   * `kinds` 0: silence.
   */
  likelihoodRatio(site: number, kinds: number): number
  /** The share of its changes that a site signals, from 0 to 1; 0 for a site that never sent a signal. */
  recall(site: number): number
}

/** The trust of an index that never heard a signal. */
export const NO_TRUST: SignalTrust = { likelihoodRatio: () => 1, recall: () => 0 }

/** A row of what is known of a site. */
export interface TrustRow extends SignalCounts {
  readonly site: number
  readonly kind: EvidenceKind
}

/** What has changed since the last time that changes were taken. */
export interface TrustChanges {
  readonly rows: readonly TrustRow[]
  /** Takes all of it back. REQUIRES: nothing was learnt in between. */
  undo(): void
}

export class SiteTrust implements SignalTrust {
  readonly #sites: Map<number, SiteEvidence>
  /** The evidence of each changed site, as it was before the changes. */
  #before = new Map<number, SiteEvidence | undefined>()
  #version = 0

  constructor(sites: Iterable<readonly [site: number, evidence: SiteEvidence]> = []) {
    this.#sites = new Map(sites)
  }

  get size(): number {
    return this.#sites.size
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version
  }

  get sites(): ReadonlyMap<number, SiteEvidence> {
    return this.#sites
  }

  /** Heard signals of a site that nothing is known of count by what is assumed of all; its silence says nothing. */
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

  /**
   * A page of the site was refreshed, after signals of these kinds. Of a site that never sent a signal there is nothing
   * to learn.
   */
  answered(site: number, kinds: number, isChanged: boolean): void {
    const evidence = this.#sites.get(site)
    if (evidence !== undefined) this.#set(site, evidence.withRefresh(kinds, isChanged))
  }

  /** Puts a row back as `takeChanges` gave it. */
  restore({ site, kind, ...counts }: TrustRow): void {
    this.#version++
    this.#sites.set(site, new SiteEvidence(new Map(this.#evidenceOf(site).counts).set(kind, counts)))
  }

  /** The trust that has these rows. */
  static of(rows: Iterable<TrustRow>): SiteTrust {
    const trust = new SiteTrust()
    for (const row of rows) trust.restore(row)
    return trust
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
    this.#version++
  }

  #putBack(before: ReadonlyMap<number, SiteEvidence | undefined>): void {
    this.#version++
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
 * Whether sites with more than `share` of all that was learnt say something else than before, by more than `share` of
 * itself. What was learnt of few pages of one site among many can wait: to use it, all pages have to be judged again.
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
