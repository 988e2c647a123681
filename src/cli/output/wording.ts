/** Numbers and names as people read them on a terminal. */
import { DAY_MS, SECOND_MS } from '../../base/time.js'
import type { ChangeBehaviour, ChangeExplanation, ChangeStats, Quartiles } from '../../index.js'

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${thousands(number)} ${number === 1 ? noun : plural}`
}

export function thousands(number: number): string {
  return number.toLocaleString('en-US')
}

/** Three digits that matter, of numbers whose size says something; whole numbers from 1000 on. */
export function significant(number: number): string {
  const size = Math.abs(number)
  if (size >= 999.5) return thousands(Math.round(number))
  if (size > 0 && size < 0.001) return number.toExponential(2)
  return String(Number(number.toPrecision(3)))
}

export function percent(share: number): string {
  return `${significant(100 * share)}%`
}

/** In units of 1000, one digit behind the point from kB on. */
export function byteSize(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB']
  if (bytes < 1000) return count(bytes, 'byte')
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length)
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`
}

export function duration(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`
}

const UNITS = [
  ['year', 365.25 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 3600 * SECOND_MS],
  ['minute', 60 * SECOND_MS],
] as const

/** In the largest unit of which there are at least two, rounded down: nothing is said to be older than it is. */
export function timeSpan(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, unitMs]) => ms >= 2 * unitMs) ?? ['second', SECOND_MS]
  return count(Math.floor(ms / unitMs), unit)
}

/**
 * Text from outside on one line: a document must neither break the layout nor reach the terminal with its own escapes.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

/** Cut to so many characters, with a mark where something is missing. */
export function shortened(text: string, length: number): string {
  const characters = Array.from(text.slice(0, 2 * length + 2))
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

/** Rows of cells, each column as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((sofar, row) => {
    for (const [at, cell] of row.entries()) sofar[at] = Math.max(sofar[at] ?? 0, cell.length)
    return sofar
  }, [])
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** How documents change, as something to read. */

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
