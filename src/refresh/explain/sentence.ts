/**
 * What is known about a page, and what a refresh of it is worth, as one sentence for people. The facts are the same
 * whichever policy has ordered the pages.
 */

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.js'
import type { Ledger } from '../../ledger/ledger.js'
import type { LedgerRow } from '../../ledger/rows.js'
import type { CurrentModel } from '../model/current-model.js'
import { counted, number, percent } from './wording.js'

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
  readonly changeChance: number
  /** The page's share of the value of today's answers, 0 to 1; undefined without queries. */
  readonly stakeShare: number | undefined
  /** The share of the quality of all answers that a refresh is expected to win back. */
  readonly qualityGain: number
}

/** The silence of a site is mentioned if the site signals at least this share of its changes. */
const TELLING_RECALL = 0.7
/** A section is mentioned if its activity, or the gain of its changes, is off by at least these factors. */
const TELLING_PACE = 1.5
const TELLING_FACTOR = 1.5

/** The facts that an index knows about a page. */
export interface JudgedState {
  readonly ageMs: number
  /** The page's share of the value of today's answers. */
  readonly stake: number
  readonly expected: { readonly changeChance: number; readonly deltaQuality: number }
}

export function refreshFacts(
  { ledger, gains }: { readonly ledger: Ledger; readonly gains: CurrentModel },
  row: LedgerRow,
  state: JudgedState,
  atMs: number,
): RefreshFacts {
  const { sumStake } = ledger.totals()
  return {
    sectionPace: gains.sectionPace(row.doc, atMs),
    sectionGainFactor: gains.sectionFactor(row.doc),
    ageMs: state.ageMs,
    visits: row.rated,
    changes: row.changes,
    errors: row.errors,
    signalledMs: row.signals === 0 ? undefined : Math.max(0, atMs - row.signalMs),
    recall: row.site === 0 ? 0 : ledger.trust.recall(row.site),
    changeChance: state.expected.changeChance,
    stakeShare: sumStake > 0 ? state.stake : undefined,
    qualityGain: sumStake > 0 ? state.expected.deltaQuality / sumStake : 0,
  }
}

export function refreshSentence(facts: RefreshFacts): string {
  return `${past(facts)}${news(facts)}, so ${chance(facts.changeChance)}; ${worth(facts)}.`
}

function past({ ageMs, visits, changes, errors }: RefreshFacts): string {
  const failures = errors === 0 ? '' : `, could not be fetched ${times(errors)} since,`
  if (visits === 0) return `Fetched ${ago(ageMs)}${failures} and not refreshed yet`
  return `Refreshed ${ago(ageMs)}${failures} and ${found(visits, Math.min(changes, visits))}`
}

function found(visits: number, changes: number): string {
  const outcome = changes === 0 ? 'unchanged' : 'changed'
  if (visits === 1) return `${outcome} at its only visit`
  if (changes > 0 && changes < visits) return `changed at ${number(changes)} of ${number(visits)} visits`
  return `${outcome} at ${visits === 2 ? 'both' : `all ${number(visits)}`} visits`
}

function news({ signalledMs, recall, sectionPace }: RefreshFacts): string {
  if (signalledMs !== undefined) return `, with a change signalled ${ago(signalledMs)}`
  if (recall >= TELLING_RECALL)
    return `, with no signal from a site that gives one for ${percent(recall)} of its changes`
  if (sectionPace >= TELLING_PACE) return ', in a folder that has changed more than usual since'
  return sectionPace * TELLING_PACE <= 1 ? ', in a folder that has changed less than usual since' : ''
}

function chance(changeChance: number): string {
  if (changeChance === 0) return 'it is as it was'
  return `it has changed with a chance of ${percent(changeChance)}`
}

function worth({ stakeShare, sectionGainFactor, qualityGain }: RefreshFacts): string {
  if (stakeShare === undefined) return 'no queries are known, so that all pages count alike'
  const stake = stakeShare === 0 ? 'no known query finds it' : `it is worth ${percent(stakeShare)} of today's answers`
  if (qualityGain === 0) return `${stake}, and a refresh would win back nothing`
  return `${stake}${effect(sectionGainFactor)}, and a refresh should win back ${percent(qualityGain)} of their quality`
}

function effect(sectionGainFactor: number): string {
  if (sectionGainFactor >= TELLING_FACTOR) return ', changes in its folder move answers more than others do'
  return sectionGainFactor * TELLING_FACTOR <= 1 ? ', changes in its folder move answers less than others do' : ''
}

function ago(ms: number): string {
  if (ms < MINUTE_MS) return 'just now'
  if (ms < 2 * HOUR_MS) return `${counted(ms / MINUTE_MS, 'minute')} ago`
  return `${ms < 2 * DAY_MS ? counted(ms / HOUR_MS, 'hour') : counted(ms / DAY_MS, 'day')} ago`
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${number(count)} times`
}
