/** The quality experiment in generated worlds, as tables. */
import type { QualityRow, TrialQualitySpec } from '../experiments/quality-experiment.js'
import type { Trial, TrialCheck, TrialComparison } from '../experiments/trial-comparison.js'
import { TRIAL_WORLD_TITLES } from '../worlds/trial-worlds.js'
import type { Report } from './html-report.js'
import { agesTable, byBudgetTable, curvesOf, sharesOf, withInterval } from './quality-tables.js'
import { decimals, NOTHING, shareText, type Table } from './table.js'

export interface TrialsResult {
  readonly spec: TrialQualitySpec
  readonly trials: readonly Trial<QualityRow>[]
  readonly comparisons: readonly TrialComparison[]
  readonly checks: readonly TrialCheck[]
  readonly defaultPolicy: string
}

/** A line for each policy and mode, a column for each budget and one for all of them. */
export function againstUniformTable(comparisons: readonly TrialComparison[]): Table {
  const budgets = comparisons.flatMap((one) => (one.budgetShare === null ? [] : [{ budgetShare: one.budgetShare }]))
  const shares = sharesOf(budgets)
  const columns = [...shares, null]
  return {
    columns: [
      { name: 'policy' },
      { name: 'mode' },
      ...columns.map((share) => ({ name: share === null ? 'all budgets' : shareText(share), isNumber: true })),
    ],
    rows: curvesOf(comparisons).map((curve) => [
      curve[0]!.policy,
      curve[0]!.mode,
      ...columns.map((share) => {
        const found = curve.find(({ budgetShare }) => budgetShare === share)
        return found === undefined ? '' : withInterval(found.ratio, found.interval, 2)
      }),
    ]),
  }
}

export function trialChecksTable(checks: readonly TrialCheck[]): Table {
  const verdict = ({ holds }: TrialCheck) => (holds === null ? NOTHING : holds ? 'yes' : 'no')
  return {
    columns: [{ name: 'what should hold' }, { name: 'does it' }, { name: 'at least', isNumber: true }],
    rows: checks.map((check) => [check.name, verdict(check), decimals(check.value, 2)]),
  }
}

export function trialsReport({ spec, trials, comparisons, checks, defaultPolicy }: TrialsResult): Report {
  const { data, scoring } = spec
  return {
    title: `Quality of answers in a generated world: ${data.world}`,
    settings: [
      ['world', `${data.world}: ${TRIAL_WORLD_TITLES[data.world]}`],
      ['pages', String(data.pages)],
      ['steps', String(data.steps)],
      ['scoring', scoring],
      ['seeds', trials.map(({ seed }) => seed).join(', ')],
      ['default policy', defaultPolicy],
    ],
    sections: [
      {
        heading: 'Loss by that of uniform',
        notes: [
          'Geometric means over the seeds with intervals of 95%, over the queries where there is one seed. Below 1, less is lost than by refreshing all pages alike.',
        ],
        table: againstUniformTable(comparisons),
      },
      { heading: 'What should hold', table: trialChecksTable(checks) },
      ...trials.flatMap(({ seed, rows }) => [
        {
          heading: `Share of the loss that is left, seed ${seed}`,
          table: byBudgetTable(rows, ({ lossShare }) => decimals(lossShare, 3)),
        },
        {
          heading: `Age of the copies at the end in days, seed ${seed}: half, 90%, 99%, highest`,
          table: agesTable(rows),
        },
      ]),
    ],
  }
}
