/** How documents change, as something to read. */
import type { ChangeBehaviour, ChangeExplanation } from '../refresh/change-account.js'
import type { ChangeStats, Quartiles } from '../refresh/change-stats.js'
import { count, percent, significant, table, thousands, timeSpan } from './wording.js'

export function tellChanges({ documents, kinds, items, longevityMs, share, updatesPerDay }: ChangeStats): string {
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

/** Rows of a table, for one document. */
export function changeRows(change: ChangeExplanation | undefined): string[][] {
  if (change === undefined) return []
  const last = change.observations.at(-1)
  return [
    ['changes by', change.behaviour === undefined ? 'not known yet' : tellBehaviour(change.behaviour)],
    ...(last === undefined
      ? []
      : [
          [
            'moved',
            `${percent(last.divergence)} away from its version of ${timeSpan(last.ageMs)} before its last refresh`,
          ],
        ]),
  ]
}

function tellBehaviour({ kind, items, updatesPerDay, share, longevityMs }: ChangeBehaviour): string {
  if (longevityMs === undefined) return 'nothing so far'
  const way = kind === 'churn' ? 'churn' : `scroll, fragments survive ${thousands(items)} updates`
  const often = `an update every ${timeSpan(86_400_000 / updatesPerDay)}`
  return `${way}, ${often}; fragments stay ${timeSpan(longevityMs)}, ${percent(share)} of it in the long run`
}

function quartiles({ lower, median, upper }: Quartiles, tell: (value: number) => string): string {
  return `${tell(median)} (half of them ${tell(lower)} to ${tell(upper)})`
}
