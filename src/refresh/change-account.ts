/**
 * How a document changes, as far as its profile tells (Recrawl scheduling based on information longevity, section 3): by being
 * overwritten, or by taking up new items and letting old ones go; how much of it, and how long what it says stays.
 */
import { DAY_MS } from '../base/time.js'
import type { LedgerColumns } from './ledger-columns.js'
import { type ChangeProfile, curveOf, profileOf } from './profile.js'

/** 'still': not seen to change. 'churn': what changes is replaced as a whole. 'scroll': new items push out the oldest ones. */
export type ChangeKind = 'still' | 'churn' | 'scroll'

export interface ChangeBehaviour {
  readonly kind: ChangeKind
  /** Updates that a fragment survives before it goes, the dominant K: 1 for churn, more for scroll, 0 for a document that is still. */
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

/** Undefined for a document of which no version was sketched. */
export function explainChange(columns: LedgerColumns, doc: number): ChangeExplanation | undefined {
  const profile = profileOf(columns, doc)
  return profile && { ...profile, behaviour: behaviourOf(columns, doc) }
}

export function behaviourOf(columns: LedgerColumns, doc: number): ChangeBehaviour | undefined {
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
