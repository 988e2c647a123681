/**
 * What refreshes have shown of the signals of one site, kind by kind and for signals of any kind: a table of four counts each.
 *
 *                changed              same
 *   signalled    signalledChanged     signalledSame
 *   silent       silentChanged        silentSame
 *
 * P(signal | changed) and P(signal | same) are the shares of the columns, smoothed by Beta priors: before anything is known, half
 * of all changes are taken to be signalled (worth two refreshes), and one page in ten that is the same (worth five).
 *
 * Signalled pages are refreshed sooner, so both shares come out larger than among all pages. The odds ratio of the table, by
 * which signalled and silent pages of a site are told apart, does not depend on how many of each are refreshed.
 */
import { KIND_SETS, kindBit, SIGNAL_KINDS, type SignalKind } from './signal-kinds.js'

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

/** 'any': a signal of whatever kind. */
export type EvidenceKind = SignalKind | 'any'
export const EVIDENCE_KINDS: readonly EvidenceKind[] = [...SIGNAL_KINDS, 'any']

/** Never changed: what is learnt makes a new one. */
export class SiteEvidence {
  readonly #counts: ReadonlyMap<EvidenceKind, SignalCounts>
  #ratios: Float64Array | undefined

  constructor(counts: ReadonlyMap<EvidenceKind, SignalCounts> = new Map()) {
    this.#counts = counts
  }

  /** Of the kinds that the site uses, and of any kind. */
  get counts(): ReadonlyMap<EvidenceKind, SignalCounts> {
    return this.#counts
  }

  /** Refreshes that have shown something. */
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
      // Of a kind that the site does not use silence says nothing.
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
