/**
 * How a document changes, according to its profile (Recrawl scheduling based on information longevity, section 3):
 * whether it is overwritten, or takes up new items and drops old ones; how much of it changes, and how long its content
 * stays.
 */

import { DAY_MS } from '../../base/time.js'
import { type KindOfChange, kindOfChange, stillProbability } from '../../change/change-kind.js'
import type { DivergenceCurve } from '../../change/divergence-curve.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import { PROFILE_OBSERVATIONS } from '../../ledger/columns.js'
import type { Ledger } from '../../ledger/ledger.js'
import { type ChangeProfile, curveOf, profileOf } from '../../ledger/profile.js'

/**
 * 'still': not seen to change. 'churn': what changes is replaced as a whole. 'scroll': new items push out the oldest
 * ones.
 */
export type ChangeKind = 'still' | 'churn' | 'scroll'

export interface ChangeBehaviour {
  readonly kind: ChangeKind
  /**
   * How likely the kind is the right one. Few refreshes, or updates that are much faster or slower than refreshes, say
   * little: then it is near one half. Undefined where only the curve of an earlier profile is left.
   */
  readonly probability: number | undefined
  /**
   * Updates that a fragment survives before it goes, the dominant K: 1 for churn, more for scroll, 0 for a document
   * that is still.
   */
  readonly items: number
  /** How often the part that changes is updated; 0 for a document that is still. */
  readonly updatesPerDay: number
  /** How far the document ends up from an old version of it, from 0 to 1. */
  readonly share: number
  /** How long a fragment of the part that changes stays, on average; undefined for a document that is still. */
  readonly longevityMs: number | undefined
}

export interface ChangeExplanation extends ChangeProfile {
  /** Undefined while there are too few refreshes to tell. */
  readonly behaviour: ChangeBehaviour | undefined
}

/** The behaviour of a document; undefined if no version of it was sketched. */
export function explainChange(columns: LedgerColumns, doc: number): ChangeExplanation | undefined {
  const profile = profileOf(columns, doc)
  return profile && { ...profile, behaviour: behaviourOf(columns, doc) }
}

/** By all that was seen, weighed by how likely each kind makes it: a few milliseconds. */
function behaviourOf(columns: LedgerColumns, doc: number): ChangeBehaviour | undefined {
  const curve = curveOf(columns, doc)
  if (curve === undefined) return undefined
  const observations = profileOf(columns, doc)?.observations ?? []
  const agesMs = observations.map(({ ageMs }) => ageMs)
  if (curve.share === 0) {
    const probability = agesMs.length === 0 ? undefined : stillProbability(agesMs.at(-1)!, columns.rated[doc]!)
    return { kind: 'still', probability, items: 0, updatesPerDay: 0, share: 0, longevityMs: undefined }
  }
  const divergences = observations.map(({ divergence }) => divergence)
  const isSeen = divergences.length > 1 && divergences.some((divergence) => divergence > 0)
  return isSeen ? moving(kindOfChange({ agesMs, divergences, changed: changesOf(columns, doc) })) : closest(curve)
}

/** Whether each observation of the profile found a change; undefined where some made room and may not be in order. */
function changesOf(columns: LedgerColumns, doc: number): boolean[] | undefined {
  const count = columns.observations[doc]!
  if (count >= PROFILE_OBSERVATIONS) return undefined
  return Array.from({ length: count }, (_, at) => ((columns.changeBits[doc]! >>> (count - 1 - at)) & 1) === 1)
}

/** That of the closest curve alone: quick, and often wrong where a page churns. */
function closest({ items, ratePerMs, share }: DivergenceCurve): ChangeBehaviour {
  return moving({ kind: items === 1 ? 'churn' : 'scroll', probability: undefined, items, ratePerMs, share })
}

type Moving = Omit<KindOfChange, 'probability'> & Pick<ChangeBehaviour, 'probability'>

function moving({ kind, probability, items, ratePerMs, share }: Moving): ChangeBehaviour {
  return {
    kind,
    probability,
    items,
    updatesPerDay: ratePerMs * DAY_MS,
    share,
    longevityMs: items / ratePerMs,
  }
}

/** How the documents of an index change, taken together. */
export interface ChangeStats {
  readonly documents: number
  /** Documents by how they change; 'unknown' while there are too few refreshes to tell, or no profile. */
  readonly kinds: Readonly<Record<ChangeKind | 'unknown', number>>
  /** Documents that change, counted by the updates that their fragments survive, ascending. */
  readonly items: readonly { readonly items: number; readonly documents: number }[]
  /** How long fragments stay, over the documents that change; undefined when none does. */
  readonly longevityMs: Quartiles | undefined
  /** How far documents that change end up from old versions. */
  readonly share: Quartiles | undefined
  /** How often documents that change are updated. */
  readonly updatesPerDay: Quartiles | undefined
}

export interface Quartiles {
  readonly lower: number
  readonly median: number
  readonly upper: number
}

/** Rows that are read between two pauses. */
const PORTION = 2048

/** Reads the ledger in portions with pauses between them. Documents written meanwhile may or may not count. */
export async function changeStats(ledger: () => Ledger, pause: () => Promise<void>): Promise<ChangeStats> {
  const kinds = { still: 0, churn: 0, scroll: 0, unknown: 0 }
  const changing: ChangeBehaviour[] = []
  for (let doc = 0; doc < ledger().rows; doc++) {
    if (doc % PORTION === PORTION - 1) await pause()
    const { columns } = ledger()
    if (columns.present[doc] !== 1) continue
    // Of all documents: there is no time for more than curves.
    const curve = curveOf(columns, doc)
    const behaviour = curve !== undefined && curve.share > 0 ? closest(curve) : undefined
    kinds[behaviour?.kind ?? (curve === undefined ? 'unknown' : 'still')]++
    if (behaviour !== undefined) changing.push(behaviour)
  }
  return {
    documents: kinds.still + kinds.churn + kinds.scroll + kinds.unknown,
    kinds,
    items: countsOf(changing.map(({ items }) => items)),
    longevityMs: quartilesOf(changing.map(({ longevityMs = 0 }) => longevityMs)),
    share: quartilesOf(changing.map(({ share }) => share)),
    updatesPerDay: quartilesOf(changing.map(({ updatesPerDay }) => updatesPerDay)),
  }
}

function countsOf(all: readonly number[]): ChangeStats['items'] {
  const counts = new Map<number, number>()
  for (const items of all) counts.set(items, (counts.get(items) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => a - b).map(([items, documents]) => ({ items, documents }))
}

/** Quartiles that are values of the list, without interpolation. */
function quartilesOf(values: readonly number[]): Quartiles | undefined {
  if (values.length === 0) return undefined
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!
  return { lower: at(0.25), median: at(0.5), upper: at(0.75) }
}
