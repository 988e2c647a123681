/**
 * What is known about a page, and what a refresh of it is worth, in a few sentences for people. The facts are the same
 * whichever policy has ordered the pages.
 */
import { thousands } from '../../base/counts.js'
import { ago, capitalized, percent, times } from '../../base/wording.js'
import type { StakeQuery } from '../../engine.js'
import type { Ledger } from '../../ledger/ledger.js'
import type { LedgerRow } from '../../ledger/rows.js'
import type { CurrentModel } from '../model/current-model.js'

export interface RefreshFacts {
  readonly ageMs: number
  /** Refreshes with an interval, and how many of them found a change. */
  readonly visits: number
  readonly changes: number
  /** Failed attempts since the last success. */
  readonly errors: number
  /** The time since the first signal of a change; undefined without a signal. */
  readonly signalledMs: number | undefined
  /**
   * The activity of the page's section since the last refresh: 1 on average, more when the section was busy.
   */
  readonly sectionPace: number
  /** What a change in the page's section gains, relative to a change of any page with the same stake. */
  readonly sectionGainFactor: number
  /** The share of changes that the site of the page signals; 0 where nothing is known about signals. */
  readonly recall: number
  /** From 0 to 1. */
  readonly currentProbability: number
  /** Whether any query is known. */
  readonly hasQueries: boolean
  /** The page's share of today's answers, 0 to 1; undefined while nothing is known to be at stake. */
  readonly stake: number | undefined
  /** The queries that make the stake, the largest share first. */
  readonly stakeQueries: readonly StakeQuery[]
  /** The page's share of all that refreshing everything now would gain. */
  readonly expectedGain: number
}

/** The silence of a site is mentioned if the site signals at least this share of its changes. */
const TELLING_RECALL = 0.7
/** A section is mentioned if its activity, or the gain of its changes, is off by at least these factors. */
const TELLING_PACE = 1.5
const TELLING_FACTOR = 1.5
/** How many queries are named, and the least share of the stake for which a query after the first is. */
const NAMED_QUERIES = 2
const TELLING_SHARE = 0.1

/** The facts that an index knows about a page. */
export interface JudgedState {
  readonly ageMs: number
  readonly stake: number
  readonly expectedGain: number
  readonly currentProbability: number
}

export interface QueryFacts {
  readonly hasQueries: boolean
  readonly stakeQueries: readonly StakeQuery[]
}

export function refreshFacts(
  { ledger, gains }: { readonly ledger: Ledger; readonly gains: CurrentModel },
  row: LedgerRow,
  { ageMs, stake, expectedGain, currentProbability }: JudgedState,
  queries: QueryFacts,
  atMs: number,
): RefreshFacts {
  return {
    ...queries,
    ...{ ageMs, currentProbability, expectedGain },
    stake: ledger.totals().sumStake > 0 ? stake : undefined,
    sectionPace: gains.sectionPace(row.doc, atMs),
    sectionGainFactor: gains.sectionFactor(row.doc),
    visits: row.rated,
    changes: row.changes,
    errors: row.errors,
    signalledMs: row.signals === 0 ? undefined : Math.max(0, atMs - row.signalMs),
    recall: row.site === 0 ? 0 : ledger.trust.recall(row.site),
  }
}

export function refreshSentence(facts: RefreshFacts): string {
  return [worth(facts), past(facts), gain(facts)].filter((sentence) => sentence !== '').join(' ')
}

function worth({ hasQueries, stake, stakeQueries }: RefreshFacts): string {
  if (!hasQueries) return 'No queries are known, so all pages count alike.'
  if (stake === undefined) return 'The queries that are known say nothing about any page yet.'
  if (stake === 0) return 'No known query finds it.'
  const ranks = namedQueries(stakeQueries)
  const carried = `carries ${percent(stake)} of today's answers.`
  return capitalized(ranks === '' ? carried : `${ranks}; ${carried}`)
}

function namedQueries(queries: readonly StakeQuery[]): string {
  const named = queries.filter(({ query, share }, nth) => query !== undefined && (nth === 0 || share >= TELLING_SHARE))
  return named
    .slice(0, NAMED_QUERIES)
    .map(({ query = '', weight, rank1 }) => `rank ${thousands(rank1)} for ${quoted(query)}${asked(weight)}`)
    .join(', and ')
}

/** A query that is nearly forgotten was asked too long ago for a number. */
function asked(weight: number): string {
  return weight < 0.5 ? '' : `, asked ${times(weight)}`
}

/** Text of people, on one line; several words are marked as belonging together. */
function quoted(query: string): string {
  const line = query.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim()
  const short = line.length > MAX_QUERY ? `${line.slice(0, MAX_QUERY - 1)}…` : line
  return /^[\p{L}\p{N}_-]+$/u.test(short) ? short : `"${short}"`
}

const MAX_QUERY = 60

function past({ ageMs, visits, changes, errors, currentProbability, ...news }: RefreshFacts): string {
  const fetched = visits === 0 ? `fetched ${ago(ageMs)} and not refreshed since` : `last fetched ${ago(ageMs)}`
  const parts = [
    fetched,
    ...(visits === 0 ? [] : [found(visits, Math.min(changes, visits))]),
    ...(errors === 0 ? [] : [`could not be fetched ${times(errors)} since`]),
    ...heard(news),
    current(currentProbability),
  ]
  return `${capitalized(parts.join('; '))}.`
}

function found(visits: number, changes: number): string {
  const outcome = changes === 0 ? 'unchanged' : 'changed'
  if (visits === 1) return `${outcome} at its only visit`
  if (changes > 0 && changes < visits) return `changed at ${thousands(changes)} of ${thousands(visits)} visits`
  return `${outcome} at ${visits === 2 ? 'both' : `all ${thousands(visits)}`} visits`
}

function heard({ signalledMs, recall, sectionPace }: Pick<RefreshFacts, 'signalledMs' | 'recall' | 'sectionPace'>) {
  if (signalledMs !== undefined) return [`a change was signalled ${ago(signalledMs)}`]
  if (recall >= TELLING_RECALL) return [`its site signals ${percent(recall)} of its changes and has signalled none`]
  if (sectionPace >= TELLING_PACE) return ['its folder has changed more than usual since']
  return sectionPace * TELLING_PACE <= 1 ? ['its folder has changed less than usual since'] : []
}

function current(probability: number): string {
  if (probability >= 1) return 'the copy is current'
  if (probability <= 0) return 'the copy is out of date'
  return `the copy is current with a probability of ${percent(probability)}`
}

function gain({ stake, expectedGain, sectionGainFactor }: RefreshFacts): string {
  if (stake === undefined) return ''
  if (expectedGain === 0) return 'A refresh would gain nothing.'
  return `A refresh would bring ${percent(expectedGain)} of all that can be gained now${effect(sectionGainFactor)}.`
}

function effect(sectionGainFactor: number): string {
  if (sectionGainFactor >= TELLING_FACTOR) return ', as changes in its folder move answers more than others do'
  return sectionGainFactor * TELLING_FACTOR <= 1 ? ', although changes in its folder move answers less than others' : ''
}
