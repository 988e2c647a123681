/** The quality experiment in generated worlds, as tables, a report and JSON. */

import { count } from '../../../base/counts.js'
import { checkTable } from '../../report/checks.js'
import type { Report } from '../../report/report.js'
import { decimals, distinctValues, shareText, type Table } from '../../report/table.js'
import { TRIAL_WORLD_TITLES } from '../../worlds/trial-worlds.js'
import { rowJson } from './report.js'
import { agesTable, byBudgetTable, curvesOf, withInterval } from './tables.js'
import type { TrialComparison, TrialsResult } from './trials.js'

/** A line for each policy and mode, a column for each budget and one for all of them. */
function againstUniformTable(comparisons: readonly TrialComparison[]): Table {
  const shares = distinctValues(comparisons.flatMap(({ budgetShare }) => budgetShare ?? []))
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

export function trialsReport({ spec, trials, comparisons, checks, defaultPolicy }: TrialsResult): Report {
  const { data, scoring } = spec
  const over = trials.length === 1 ? 'queries' : 'seeds'
  const counts = [count(data.pages, 'page'), count(data.steps, 'step'), count(trials.length, 'seed')]
  return {
    title: `Quality of answers in a generated world: ${data.world}`,
    summary: `${data.world}: ${[...counts, scoring].join(', ')}`,
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
        printed: `Loss by that of uniform, with the 95% interval over the ${over}`,
        notes: [
          'Geometric means over the seeds with intervals of 95%, over the queries where there is one seed. Below 1, ' +
            'less is lost than by refreshing all pages alike.',
        ],
        table: againstUniformTable(comparisons),
      },
      { heading: 'What should hold', printed: 'What should hold', table: checkTable(checks, 'what should hold', 2) },
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

export function trialsJson({ spec, trials, comparisons, checks, defaultPolicy }: TrialsResult): object {
  const { data, scoring, signals } = spec
  return {
    ...data,
    ...{ scoring, seeds: trials.map(({ seed }) => seed), signals, defaultPolicy },
    rows: trials.flatMap(({ seed, rows }) => rows.map((row) => ({ seed, ...rowJson(row) }))),
    againstUniform: comparisons,
    checks,
  }
}
