/** A plan for people: its actions, the reasons, what it amounts to, and what more or less would buy. */
import type { CurvePoint, Plan, PlannedAction, StalenessReport } from '../../index.js'
import { COLUMNS, noQueries, reasons, relative } from './advice-text.js'
import { plot } from './plot.js'
import {
  count,
  oneLine,
  percentCell,
  shortenedKey,
  significant,
  table,
  thousands,
  timeSpan,
  wrapped,
} from './wording.js'

const KEY_COLUMNS = 44
/** So many actions are listed where the question is how large the budget must be; --json and --keys have all. */
const LISTED_OF_TARGET = 10
const REASONS_UNLESS_TOLD = 5

const HEADER = ['rank', 'priority', 'stake', 'gain', 'together', 'current', 'age', 'kind', 'page']

export interface PlanQuestion {
  /** The folder of the index, as the command was told it. */
  readonly dir: string
  readonly hasReasons: boolean
  /** Whether actions have prices of their own. */
  readonly hasPrices: boolean
  readonly isUnicode: boolean
}

export function planText(plan: Plan, { dir, hasReasons, hasPrices, isUnicode }: PlanQuestion): string {
  const { actions, curve, staleness } = plan
  const listed = curve === undefined ? actions : actions.slice(0, LISTED_OF_TARGET)
  const isShort = actions.length <= REASONS_UNLESS_TOLD
  return [
    ...(curve === undefined ? [] : [...curveLines(curve, isUnicode), '']),
    ...(listed.length === 0 ? [] : [actionTable(listed, hasPrices), '']),
    ...(listed.length === actions.length ? [] : [`and ${count(actions.length - listed.length, 'more action')}`, '']),
    ...wrapped(planSentence(plan, dir), COLUMNS),
    ...(staleness === undefined ? [] : wrapped(stalenessText(staleness), COLUMNS)),
    ...(listed.length > 0 && (hasReasons || isShort) ? ['', ...reasons(listed)] : []),
  ].join('\n')
}

function actionTable(actions: readonly PlannedAction[], hasPrices: boolean): string {
  // A document that is due may come before better ones.
  const best = actions.reduce((most, { priority }) => Math.max(most, priority), 0)
  const rows = actions.map((action, nth) => [
    ...[thousands(nth + 1), relative(action.priority, best)],
    ...[percentCell(action.stake), percentCell(action.expectedGain), percentCell(action.cumulativeGain)],
    ...(action.kind === 'new' ? ['', ''] : [percentCell(action.currentProbability), timeSpan(action.ageMs)]),
    ...(hasPrices ? [significant(action.cost)] : []),
    kindText(action),
    shortenedKey(oneLine(String(action.key)), KEY_COLUMNS),
  ])
  const header = hasPrices ? [...HEADER.slice(0, 7), 'cost', ...HEADER.slice(7)] : HEADER
  return table([header, ...rows], hasPrices ? 8 : 7)
}

function kindText(action: PlannedAction): string {
  return action.kind === 'new' || !action.isDue ? action.kind : `${action.kind}, due`
}

/** What the plan says, and what helps where something is missing: commands, not calls. */
function planSentence({ sentence }: Plan, dir: string): string {
  return sentence.replace(/No queries are known.*$/, noQueries(dir))
}

function stalenessText({ maxStalenessMs, late, isKept, needed }: StalenessReport): string {
  const limit = timeSpan(maxStalenessMs)
  const now = late === 0 ? '' : `${count(late, 'document')} older than ${limit} already; `
  if (isKept) return `${now}with this budget in every cycle no document becomes older than ${limit}`
  const hosts = needed.perHost === undefined ? '' : ` and ${thousands(needed.perHost)} actions on a host`
  return `${now}too little for a limit of ${limit}: that takes ${significant(needed.cost)}${hosts} in every cycle`
}

/** What each budget would reach. */
function curveLines(curve: readonly CurvePoint[], isUnicode: boolean): string[] {
  const points = curve.map(({ budget, quality }) => ({ x: budget, y: 100 * quality }))
  return [
    'Expected quality of the answers, by budget',
    ...plot([{ name: 'expected', points }], {
      width: 90,
      height: 9,
      xText: (budget) => (Number.isInteger(budget) ? thousands(budget) : ''),
      yText: (quality) => `${Number(quality.toFixed(2))}%`,
      xName: 'budget',
      isUnicode,
    }),
  ]
}
