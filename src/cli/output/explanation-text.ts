/** Why documents have their refresh priority and how they change, as text. */
import { DAY_MS } from '../../base/time.js'
import { times } from '../../base/wording.js'
import type {
  ChangeBehaviour,
  ChangeExplanation,
  ChangeStats,
  EffectExplanation,
  PastRefresh,
  PendingSignals,
  PolicyExplanation,
  Quartiles,
  RefreshExplanation,
  RefreshState,
  StakeQuery,
} from '../../index.js'
import { isoTime } from '../input/values.js'
import { COLUMNS } from './advice-text.js'
import { formulaText, termText, termValue } from './term-words.js'
import {
  count,
  oneLine,
  percent,
  percentCell,
  plainNumber,
  shortened,
  significant,
  table,
  thousands,
  timeSpan,
  wrapped,
} from './wording.js'

/** The state of a hit, on one line. */
export function stateText({ priority, ageMs, stake, expectedGain, currentProbability }: RefreshState): string {
  return [
    `priority ${plainNumber(priority)}`,
    `stake ${percent(stake)}`,
    `expected gain ${percent(expectedGain)}`,
    `${timeSpan(ageMs)} old`,
    `current with a probability of ${percent(currentProbability)}`,
  ].join(', ')
}

export function explanationText(explanation: RefreshExplanation): string {
  const { sentence, key, history, stakeQueries, queries, policy, priority } = explanation
  return [
    ...wrapped(oneLine(sentence), COLUMNS),
    '',
    oneLine(String(key)),
    ...summary(explanation),
    ...(stakeQueries.length === 0 ? [] : ['', ...stakes(stakeQueries)]),
    ...(history.length === 0 ? [] : ['', ...pastRefreshes(history, gainUnit(explanation))]),
    '',
    ...effects(queries),
    '',
    ...account(policy, priority),
  ].join('\n')
}

function summary(explanation: RefreshExplanation): string[] {
  const { ageMs, refreshedAt, stake, expectedGain, createdAt, refreshes, changes, errors, lastOutcome } = explanation
  const rows = [
    ['age', `${timeSpan(ageMs)}, last refreshed at ${isoTime(refreshedAt)}`],
    ['current', `with a probability of ${percent(explanation.currentProbability)}`],
    ['stake', `${percent(stake)} of the answers of today`],
    ['expected gain', `${percent(expectedGain)} of what refreshing everything now would gain`],
    ['known since', isoTime(createdAt)],
    ['refreshes', `${thousands(refreshes)}, of which ${thousands(changes)} brought a change`],
    ['last outcome', lastOutcome],
    ...changeRows(explanation.change),
    ...signalRows(explanation.signals),
    ...(errors === 0 ? [] : [['failures', `${count(errors, 'attempt')} since the last success`]]),
  ]
  return indented(rows)
}

/** What turns a gain ΔQ_A into a share of all that can be gained now; undefined while nothing can. */
function gainUnit({ expected, expectedGain }: RefreshExplanation): number | undefined {
  return expected.deltaQuality > 0 && expectedGain > 0 ? expectedGain / expected.deltaQuality : undefined
}

function signalRows(signals: PendingSignals | undefined): string[][] {
  if (signals === undefined) return []
  const { count: number, kinds, firstAt } = signals
  return [['signals', `${thousands(number)} of a change, by ${kinds.join(', ')}, since ${isoTime(firstAt)}`]]
}

/** How many queries of the stake are listed; the JSON has all that are known. */
const MAX_QUERIES = 8

function stakes(queries: readonly StakeQuery[]): string[] {
  const rows = queries
    .slice(0, MAX_QUERIES)
    .map(({ query, rank1, weight, share }) => [
      thousands(rank1),
      timesAsked(weight),
      percentCell(share),
      query === undefined ? '(its text is not kept)' : shortened(oneLine(query), 60),
    ])
  return ['The queries that make its stake', ...indented([['rank', 'asked', 'share', 'query'], ...rows], 3)]
}

function timesAsked(weight: number): string {
  return weight < 0.5 ? 'less than once' : times(weight)
}

function pastRefreshes(history: readonly PastRefresh[], unit: number | undefined): string[] {
  const rows = history.map(({ intervalMs, deltaQuality }) => [
    `after ${timeSpan(intervalMs)}`,
    gain(deltaQuality, unit),
  ])
  return ['Its last refreshes, newest first', ...indented(rows)]
}

function gain(deltaQuality: number | undefined, unit: number | undefined): string {
  if (deltaQuality === undefined) return 'changed; what it gained could not be measured'
  if (deltaQuality === 0) return 'gained nothing'
  if (unit === undefined) return 'gained something'
  const share = percent(deltaQuality * unit)
  return `gained ${/^\d/.test(share) ? `as much as ${share}` : share} of what refreshing everything now would gain`
}

function effects(queries: readonly EffectExplanation[]): string[] {
  if (queries.length === 0) return ['No known query gained by its last change.']
  const rows = queries.map(({ query, rankBefore, rankAfter, share }) => [
    percentCell(share),
    `${rank(rankBefore)} → ${rank(rankAfter)}`,
    query === undefined ? '(no longer in the workload)' : shortened(oneLine(query), 60),
  ])
  return [
    'What its last change did, as shares of what it gained',
    ...indented([['share', 'rank', 'query'], ...rows], 1),
  ]
}

function rank(rank1: number | undefined): string {
  return rank1 === undefined ? 'none' : thousands(rank1)
}

function account({ name, formula, terms }: PolicyExplanation & { readonly name: string }, priority: number): string[] {
  const rows = Object.entries(terms).map(([term, value]) => [termText(term), termValue(term, value)])
  const equation = `The priority by ${name}: ${plainNumber(priority)} = ${formulaText(formula)}`
  return [...wrapped(equation, COLUMNS), ...indented(rows)]
}

function indented(rows: readonly (readonly string[])[], toTheRight = 0): string[] {
  return table(rows, toTheRight)
    .split('\n')
    .map((line) => `  ${line}`)
}

export function changesText({ documents, kinds, items, longevityMs, share, updatesPerDay }: ChangeStats): string {
  const part = (number: number) => `${count(number, 'document')}, ${percent(documents === 0 ? 0 : number / documents)}`
  return table([
    ['still', part(kinds.still)],
    ['churn', part(kinds.churn)],
    ['scroll', part(kinds.scroll)],
    ['not known yet', part(kinds.unknown)],
    ...(longevityMs === undefined ? [] : [['fragments stay', quartiles(longevityMs, timeSpan)]]),
    ...(share === undefined ? [] : [['ends up different', quartiles(share, percent)]]),
    ...(updatesPerDay === undefined ? [] : [['updates a day', quartiles(updatesPerDay, significant)]]),
    ...items.map(({ items: survived, documents: number }) => [`survives ${survived}`, count(number, 'document')]),
  ])
}

/** How one document changes, as rows of a table. */
function changeRows(change: ChangeExplanation | undefined): string[][] {
  if (change === undefined) return []
  const last = change.observations.at(-1)
  return [
    ['changes by', change.behaviour === undefined ? 'not known yet' : behaviourText(change.behaviour)],
    ...(last === undefined ? [] : [['moved', movedText(last)]]),
  ]
}

function movedText({ divergence, ageMs }: ChangeExplanation['observations'][number]): string {
  return `${percent(divergence)} away from its version of ${timeSpan(ageMs)} before its last refresh`
}

function behaviourText({ kind, probability, items, updatesPerDay, share, longevityMs }: ChangeBehaviour): string {
  if (longevityMs === undefined) return 'nothing so far'
  const sure = probability === undefined ? '' : ` (${percent(probability)} sure)`
  const way = kind === 'churn' ? `churn${sure}` : `scroll${sure}, fragments survive ${thousands(items)} updates`
  const often = `an update every ${timeSpan(DAY_MS / updatesPerDay)}`
  return `${way}, ${often}; fragments stay ${timeSpan(longevityMs)}, ${percent(share)} of it in the long run`
}

function quartiles({ lower, median, upper }: Quartiles, text: (value: number) => string): string {
  return `${text(median)} (half of them ${text(lower)} to ${text(upper)})`
}
