import { choiceOption, numberOption, readOptions } from '../base/checks.js'
import type { Key } from '../base/keys.js'
import { HOUR_MS, MAX_TIME_MS, type Time, timeOption, toldTimeOption } from '../base/time.js'
import type { StakeQuery } from '../engine.js'
import type { EffectExplanation } from '../ledger/effects.js'
import type { Outcome, PastRefresh } from '../ledger/rows.js'
import { isDated, type PendingSignals, SIGNAL_KINDS, type SignalKind } from '../ledger/signals.js'
import type { AnyFilter } from '../search/filter.js'
import type { Query } from '../search/query.js'
import type { RefreshState } from '../search/search-result.js'
import type { ChangeExplanation } from './explain/change-behaviour.js'
import type { Observation, ObservedOutcome } from './observations.js'
import type { PolicyExplanation } from './policies/policy.js'
import { type PolicyChoice, policyOf } from './policies/registry.js'

export type { StakeQuery }

export interface SignalOptions {
  /**
   * How the news came: a sitemap's lastmod, an ETag or Last-Modified that is another, an entry of a feed, or a push.
   */
  readonly kind: SignalKind
  /** When it was heard. Default now. */
  readonly at?: Time
  /**
   * Of 'sitemap', 'last-modified' and 'feed': when the document changed, as they say. Counts only if that is after its
   * last refresh.
   */
  readonly value?: Time
}

export interface SignalNews {
  readonly kind: SignalKind
  readonly atMs: number
  readonly valueMs: number | undefined
}

export function readObserveOptions(options: unknown, nowMs: number): Omit<Observation, 'doc' | 'key'> {
  const { outcome, at } = readOptions('observe', options, ['outcome', 'at'])
  if (outcome === undefined) throw new TypeError("observe needs an outcome: 'same', 'changed', 'gone' or 'error'")
  const known = choiceOption('outcome', outcome, 'same', ['same', 'changed', 'gone', 'error'] as const)
  return { outcome: known, atMs: toldTimeOption('at', at, nowMs) }
}

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
    atMs: toldTimeOption('at', at, nowMs),
    valueMs: value === undefined ? undefined : timeOption('value', value, 0),
  }
}

export interface NextOptions {
  /** How many documents to name, 0 or more. */
  readonly budget: number
  /** The moment for which to decide. Default now. */
  readonly at?: Time
  /** Default: the policy that the index was opened with. */
  readonly policy?: PolicyChoice
  /** Only documents that match this query. */
  readonly where?: Query
  /** Only documents whose columns pass. */
  readonly filter?: AnyFilter | string
  /** No more than this many documents of one host. */
  readonly perHost?: number
  /**
   * How long to wait at most until queries that are new have a say, in milliseconds. After that the answer is by those
   * that have one: see `learntShare`. Default 500.
   */
  readonly waitMs?: number
  /** Documents that were refreshed less than this ago are not named. Default one hour. */
  readonly minIntervalMs?: number
}

/** The options of `next` after validation. */
export interface NextRequest {
  readonly budget: number
  readonly atMs: number
  readonly policy: PolicyChoice | undefined
  readonly where: unknown
  readonly filter: unknown
  /** Undefined without a limit. */
  readonly perHost: number | undefined
  readonly waitMs: number
  readonly minIntervalMs: number
}

const NEXT_OPTIONS = ['budget', 'at', 'policy', 'where', 'filter', 'perHost', 'waitMs', 'minIntervalMs'] as const
export const DEFAULT_WAIT_MS = 500
/** Of `next` and of plans. */
export const DEFAULT_MIN_INTERVAL_MS = HOUR_MS

/** TypeError or RangeError for options that are not valid. The query of `where` is not looked at. */
export function readNextOptions(options: unknown, nowMs: number): NextRequest {
  const given = readOptions('next', options, NEXT_OPTIONS)
  const { budget, at, policy, where, filter, perHost, waitMs, minIntervalMs } = given
  if (budget === undefined) throw new TypeError('next needs a budget: how many documents to name')
  if (policy !== undefined) policyOf(policy as PolicyChoice)
  return {
    budget: numberOption('budget', budget, 0, { min: 0, integer: true, max: Number.MAX_SAFE_INTEGER }),
    atMs: timeOption('at', at, nowMs),
    policy: policy as PolicyChoice | undefined,
    where,
    filter,
    perHost: perHost === undefined ? undefined : numberOption('perHost', perHost, 1, { min: 1, integer: true }),
    waitMs: numberOption('waitMs', waitMs, DEFAULT_WAIT_MS, { min: 0, max: MAX_TIME_MS }),
    minIntervalMs: numberOption('minIntervalMs', minIntervalMs, DEFAULT_MIN_INTERVAL_MS, { min: 0, max: MAX_TIME_MS }),
  }
}

/**
 * What the advice stands on. 'no-history': there are no documents. 'no-queries': no query is known, so that all
 * documents count alike. 'learnt': queries say what is at stake.
 */
export type AdviceBasis = 'no-queries' | 'no-history' | 'learnt'

/** The answer of `next`. */
export interface Advice {
  /** The documents to refresh, best first. */
  readonly pages: readonly SuggestedPage[]
  readonly basis: AdviceBasis
  /** The share of the workload, by weight, whose queries are measured: 1 when all are, 0 without queries. */
  readonly learntShare: number
  /** The share of what refreshing everything now would gain that these pages are expected to gain, 0 to 1. */
  readonly expectedGain: number
  /** What the pages recover, or what is missing and what helps, for people to read. */
  readonly sentence: string
}

/** A document that `next` names. */
export interface SuggestedPage {
  readonly key: Key
  /** What the list is sorted by. Its unit depends on the policy. */
  readonly priority: number
  /** The share of today's answers that the document carries, 0 to 1. */
  readonly stake: number
  /** The share of what refreshing everything now would gain, 0 to 1: 1 over all documents. */
  readonly expectedGain: number
  /** The expected gain of this document and all before it in the list. */
  readonly cumulativeGain: number
  /** The time since the last refresh. */
  readonly ageMs: number
  /** How likely the copy is still what the document says, 0 to 1. */
  readonly currentProbability: number
  /** What is known of the document and what a refresh is worth, for people to read. */
  readonly why: string
}

export interface JudgeOptions {
  /** Default now. */
  readonly at?: Time
  readonly policy?: PolicyChoice
}

export interface ObserveOptions {
  /**
   * 'same': nothing new, such as an answer 304. 'changed': new, but not written here. 'gone': no more there. 'error':
   * no answer.
   */
  readonly outcome: ObservedOutcome
  /** Default now. */
  readonly at?: Time
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
  /** The queries that make its stake, the largest share first; whether or not it ever changed. */
  readonly stakeQueries: readonly StakeQuery[]
  /** What the last refresh that changed the document did, query by query: the largest gains. */
  readonly queries: readonly EffectExplanation[]
}
