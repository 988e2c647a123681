import { choiceOption, numberOption, readOptions } from '../base/checks.js'
import type { Key } from '../base/keys.js'
import { MAX_TIME_MS } from '../base/time.js'
import type { EffectExplanation } from '../ledger/effects.js'
import type { Outcome, PastRefresh } from '../ledger/rows.js'
import { isDated, type PendingSignals, SIGNAL_KINDS, type SignalKind } from '../ledger/signals.js'
import type { Query } from '../search/query.js'
import type { RefreshState } from '../search/search-result.js'
import type { ChangeExplanation } from './explain/change-behaviour.js'
import type { ObservedOutcome } from './observations.js'
import type { PolicyExplanation } from './policies/policy.js'
import type { PolicyChoice } from './policies/registry.js'

export interface SignalOptions {
  /**
   * How the news came: a sitemap's lastmod, an ETag or Last-Modified that is another, an entry of a feed, or a push.
   */
  readonly kind: SignalKind
  /** When it was heard, in milliseconds since 1970. Default now. */
  readonly at?: number
  /**
   * Of 'sitemap', 'last-modified' and 'feed': when the document changed, as they say. Counts only if that is after its
   * last refresh.
   */
  readonly value?: number
}

export interface SignalNews {
  readonly kind: SignalKind
  readonly atMs: number
  readonly valueMs: number | undefined
}

const TIME_RANGE = { min: 0, max: MAX_TIME_MS } as const

export function readSignalOptions(options: unknown, nowMs: number): SignalNews {
  const { kind, at, value } = readOptions('signal', options, ['kind', 'at', 'value'])
  if (kind === undefined) throw new TypeError(`signal needs a kind: ${SIGNAL_KINDS.join(', ')}`)
  const known = choiceOption<SignalKind>('kind', kind, 'push', SIGNAL_KINDS)
  if (value !== undefined && !isDated(known)) {
    const dated = SIGNAL_KINDS.filter(isDated).join(', ')
    throw new TypeError(`value is the time that a signal of kind ${dated} has, received one with kind ${known}`)
  }
  return {
    kind: known,
    atMs: numberOption('at', at, nowMs, TIME_RANGE),
    valueMs: value === undefined ? undefined : numberOption('value', value, 0, TIME_RANGE),
  }
}

export interface NextOptions {
  /** How many documents to name, 0 or more. */
  readonly budget: number
  /** The moment for which to decide, in milliseconds since 1970. Default now. */
  readonly at?: number
  /** Default: the policy that the index was opened with. */
  readonly policy?: PolicyChoice
  /** Only documents that match this query. */
  readonly where?: Query
  /** No more than this many documents of one host. */
  readonly perHost?: number
}

export interface JudgeOptions {
  /** In milliseconds since 1970. Default now. */
  readonly at?: number
  readonly policy?: PolicyChoice
}

export interface RefreshSuggestion extends RefreshState {
  readonly key: Key
  readonly refreshedAt: number
  readonly refreshes: number
  readonly lastOutcome: Outcome
}

export interface ObserveOptions {
  /**
   * 'same': nothing new, such as an answer 304. 'changed': new, but not written here. 'gone': no more there. 'error':
   * no answer.
   */
  readonly outcome: ObservedOutcome
  /** In milliseconds since 1970. Default now. */
  readonly at?: number
}

export interface RefreshExplanation extends RefreshState {
  readonly key: Key
  readonly at: number
  /** What is known of the document and what a refresh is worth, for people to read. */
  readonly sentence: string
  readonly policy: PolicyExplanation & { readonly name: string }
  readonly createdAt: number
  readonly refreshedAt: number
  readonly refreshes: number
  readonly changes: number
  /** Failed attempts since the last success. */
  readonly errors: number
  readonly lastOutcome: Outcome
  /**
   * ΔQ_A of the last refresh with an interval; 0 before the first, undefined when it found a change that could not be
   * measured.
   */
  readonly lastDeltaQuality: number | undefined
  /** Signals that it has changed since; undefined without any. */
  readonly signals: PendingSignals | undefined
  /** The last refreshes, newest first. */
  readonly history: readonly PastRefresh[]
  /** How it changes; undefined when the index keeps no profile of it. */
  readonly change: ChangeExplanation | undefined
  /** What the last refresh that changed the document did, query by query: the largest gains. */
  readonly queries: readonly EffectExplanation[]
}

export const NEXT_OPTIONS = ['budget', 'at', 'policy', 'where', 'perHost'] as const
