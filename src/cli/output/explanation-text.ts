/** Why a document has its refresh priority, as something to read. */
import type {
  EffectExplanation,
  PastRefresh,
  PendingSignals,
  PolicyExplanation,
  RefreshExplanation,
  RefreshState,
} from '../../index.js'
import { isoTime } from '../input/values.js'
import { changeRows, count, oneLine, percent, significant, table, thousands, timeSpan } from './wording.js'

/** On one line, for a hit of a search. */
export function tellState({ priority, ageMs, expectedGain }: RefreshState): string {
  return `priority ${significant(priority)}, ${timeSpan(ageMs)} old, expected gain ${percent(expectedGain)}`
}

export function tellExplanation(explanation: RefreshExplanation): string {
  return [
    explanation.sentence,
    '',
    `${oneLine(String(explanation.key))} has the priority ${significant(explanation.priority)} at ${isoTime(explanation.at)}`,
    ...summary(explanation),
    '',
    ...account(explanation.policy),
    ...(explanation.history.length === 0 ? [] : ['', ...pastRefreshes(explanation.history)]),
    '',
    ...effects(explanation.queries),
  ].join('\n')
}

function summary(explanation: RefreshExplanation): string[] {
  const { ageMs, refreshedAt, stake, expectedGain, createdAt, refreshes, changes, errors, lastOutcome } = explanation
  const { lastDeltaQuality } = explanation
  const rows = [
    ['age', `${timeSpan(ageMs)}, refreshed at ${isoTime(refreshedAt)}`],
    ['stake', `${significant(stake)} in the answers of today`],
    ['expected gain', `${percent(expectedGain)} of the quality of all answers`],
    ['known since', isoTime(createdAt)],
    ['refreshes', `${thousands(refreshes)}, of which ${thousands(changes)} brought a change`],
    ['last outcome', lastOutcome],
    ['last gain', significant(lastDeltaQuality)],
    ...changeRows(explanation.change),
    ...signalRows(explanation.signals),
    ...(errors === 0 ? [] : [['failures', `${count(errors, 'attempt')} since the last success`]]),
  ]
  return indented(rows)
}

function signalRows(signals: PendingSignals | undefined): string[][] {
  if (signals === undefined) return []
  const { count: number, kinds, firstAt } = signals
  return [['signals', `${thousands(number)} of a change, by ${kinds.join(', ')}, since ${isoTime(firstAt)}`]]
}

function account({ name, formula, terms }: PolicyExplanation & { readonly name: string }): string[] {
  const rows = Object.entries(terms).map(([term, value]) =>
    isTimeSpan(term) ? [term, significant(value), timeSpan(value)] : [term, significant(value)],
  )
  return [`policy ${name}: priority = ${formula}`, ...indented(rows)]
}

/** Names of terms say their unit. */
function isTimeSpan(term: string): boolean {
  return term.endsWith('Ms') && !term.endsWith('PerMs')
}

function pastRefreshes(history: readonly PastRefresh[]): string[] {
  const rows = history.map(({ intervalMs, deltaQuality }) => [
    `after ${timeSpan(intervalMs)}`,
    `gain ${significant(deltaQuality)}`,
  ])
  return ['last refreshes, newest first', ...indented(rows)]
}

function effects(queries: readonly EffectExplanation[]): string[] {
  if (queries.length === 0) return ['no query of the workload gained by its last change']
  const rows = queries.map((effect) => [
    effect.query === undefined ? '(no longer in the workload)' : oneLine(effect.query),
    effect.weight === undefined ? '' : significant(effect.weight),
    `${significant(effect.scoreBefore)} -> ${significant(effect.scoreAfter)}`,
    `${rank(effect.rankBefore)} -> ${rank(effect.rankAfter)}`,
    significant(effect.deltaQuality),
    percent(effect.share),
  ])
  return [
    'what its last change did, query by query',
    ...indented([['query', 'weight', 'score', 'rank', 'gain', 'share'], ...rows]),
  ]
}

function rank(rank1: number | undefined): string {
  return rank1 === undefined ? 'none' : thousands(rank1)
}

function indented(rows: readonly (readonly string[])[]): string[] {
  return table(rows)
    .split('\n')
    .map((line) => `  ${line}`)
}
