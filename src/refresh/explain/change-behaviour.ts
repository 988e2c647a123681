/**
 * How a document changes, according to its profile (Recrawl scheduling based on information longevity, section 3):
 * whether it is overwritten, or takes up new items and drops old ones; how much of it changes, and how long its content
 * stays.
 */

import { DAY_MS } from '../../base/time.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
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

function behaviourOf(columns: LedgerColumns, doc: number): ChangeBehaviour | undefined {
  const curve = curveOf(columns, doc)
  if (curve === undefined) return undefined
  const { items, ratePerMs, share } = curve
  if (share === 0) return { kind: 'still', items: 0, updatesPerDay: 0, share: 0, longevityMs: undefined }
  return {
    kind: items === 1 ? 'churn' : 'scroll',
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
  const moving: ChangeBehaviour[] = []
  for (let doc = 0; doc < ledger().rows; doc++) {
    if (doc % PORTION === PORTION - 1) await pause()
    const { columns } = ledger()
    if (columns.present[doc] !== 1) continue
    const behaviour = behaviourOf(columns, doc)
    kinds[behaviour?.kind ?? 'unknown']++
    if (behaviour !== undefined && behaviour.kind !== 'still') moving.push(behaviour)
  }
  return {
    documents: kinds.still + kinds.churn + kinds.scroll + kinds.unknown,
    kinds,
    items: countsOf(moving.map(({ items }) => items)),
    longevityMs: quartilesOf(moving.map(({ longevityMs = 0 }) => longevityMs)),
    share: quartilesOf(moving.map(({ share }) => share)),
    updatesPerDay: quartilesOf(moving.map(({ updatesPerDay }) => updatesPerDay)),
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
