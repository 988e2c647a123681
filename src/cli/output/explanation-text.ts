/** Why documents have their refresh priority and how they change, as text. */
import { DAY_MS } from '../../base/time.js'
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
} from '../../index.js'
import { isoTime } from '../input/values.js'
import { count, oneLine, percent, significant, table, thousands, timeSpan } from './wording.js'

/** The state of a hit, on one line. */
export function stateText({ priority, ageMs, expectedGain }: RefreshState): string {
  return `priority ${significant(priority)}, ${timeSpan(ageMs)} old, expected gain ${percent(expectedGain)}`
}

export function explanationText(explanation: RefreshExplanation): string {
  const { sentence, key, priority, at } = explanation
  return [
    sentence,
    '',
    `${oneLine(String(key))} has the priority ${significant(priority)} at ${isoTime(at)}`,
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
    ['stake', `${percent(stake)} of the answers of today`],
    ['expected gain', `${percent(expectedGain)} of what refreshing everything would gain`],
    ['known since', isoTime(createdAt)],
    ['refreshes', `${thousands(refreshes)}, of which ${thousands(changes)} brought a change`],
    ['last outcome', lastOutcome],
    ['last gain', gainText(lastDeltaQuality)],
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

function gainText(deltaQuality: number | undefined): string {
  return deltaQuality === undefined ? 'not measured' : significant(deltaQuality)
}

/** The name of a term ends with its unit. */
function isTimeSpan(term: string): boolean {
  return term.endsWith('Ms') && !term.endsWith('PerMs')
}

function pastRefreshes(history: readonly PastRefresh[]): string[] {
  const rows = history.map(({ intervalMs, deltaQuality }) => [
    `after ${timeSpan(intervalMs)}`,
    deltaQuality === undefined ? 'changed, gain not measured' : `gain ${significant(deltaQuality)}`,
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

function behaviourText({ kind, items, updatesPerDay, share, longevityMs }: ChangeBehaviour): string {
  if (longevityMs === undefined) return 'nothing so far'
  const way = kind === 'churn' ? 'churn' : `scroll, fragments survive ${thousands(items)} updates`
  const often = `an update every ${timeSpan(DAY_MS / updatesPerDay)}`
  return `${way}, ${often}; fragments stay ${timeSpan(longevityMs)}, ${percent(share)} of it in the long run`
}

function quartiles({ lower, median, upper }: Quartiles, text: (value: number) => string): string {
  return `${text(median)} (half of them ${text(lower)} to ${text(upper)})`
}
