/** Numbers and names as people read them on a terminal. */
import { count, thousands } from '../../base/counts.js'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/time.js'

export { count, thousands }

/** A number to three significant digits; from 1000 on, to the nearest whole number; what is tiny is said to be that. */
export function significant(number: number): string {
  const size = Math.abs(number)
  if (size >= 999.5) return thousands(Math.round(number))
  if (size > 0 && size < 0.001) return number < 0 ? 'more than -0.001' : 'less than 0.001'
  return String(Number(number.toPrecision(3)))
}

/** A share to three significant digits, at most two of them behind the point: nobody tells 0.00123% from nothing. */
export function percent(share: number): string {
  const value = 100 * share
  const size = Math.abs(value)
  if (size > 0 && size < 0.01) return value < 0 ? 'more than -0.01%' : 'less than 0.01%'
  return `${size < 1 ? Number(value.toFixed(2)) : significant(value)}%`
}

/** A share in a cell of a table, where a sentence would say `less than 0.1%`. */
export function percentCell(share: number): string {
  return share > 0 && share < 0.001 ? '<0.1%' : percent(share)
}

/** A number to three significant digits without an exponent, however small, as far as people tell zeros apart. */
export function plainNumber(number: number): string {
  const size = Math.abs(number)
  if (size === 0 || size >= 0.001) return significant(number)
  return size < 1e-9 ? '0.000000000' : number.toFixed(2 - Math.floor(Math.log10(size)))
}

/** The words of a name in code: `sectionGainFactor` is `section gain factor`. Its unit is left to the value. */
export function wordsOf(name: string): string {
  return name
    .replace(/(?:Per)?Ms$/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(/(\D)(\d)/g, '$1 $2')
}

/** A size in units of 1000 bytes each, with one digit behind the point from kB on. */
export function byteSize(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB']
  if (bytes < 1000) return count(bytes, 'byte')
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length)
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`
}

export function duration(ms: number): string {
  if (ms > 0 && ms < 1) return `${Math.max(1, Math.round(1000 * ms))} µs`
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`
}

const UNITS = [
  ['year', 365.25 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const

/** A length of time in the largest unit of which it has at least two, rounded down: never more than it is. */
export function timeSpan(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, unitMs]) => ms >= 2 * unitMs) ?? ['second', SECOND_MS]
  return count(Math.floor(ms / unitMs), unit)
}

/**
 * Text from outside, on one line: it must neither break the layout nor send escapes of its own to the terminal, nor
 * turn the order of what stands around it.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
}

/** A text of at most `length` characters, which ends with a mark if something was cut off. */
export function shortened(text: string, length: number): string {
  const characters = Array.from(text.slice(0, 2 * length + 2))
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

/** A key of at most `length` characters: its ends tell more than its middle. */
export function shortenedKey(key: string, length: number): string {
  if (Array.from(key).length <= length) return key
  // Where there is no room, everybody knows what a URL begins with.
  const characters = Array.from(key.replace(/^https?:\/\//, ''))
  if (characters.length <= length) return characters.join('')
  const head = Math.floor((length - 1) / 3)
  return `${characters.slice(0, head).join('')}…${characters.slice(head + 1 - length).join('')}`
}

/** A text in lines of at most so many characters, broken at spaces; a longer word has a line of its own. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Rows of cells as lines, each column as wide as its widest cell; the first `toTheRight` columns are numbers. */
export function table(rows: readonly (readonly string[])[], toTheRight = 0): string {
  const widths = rows.reduce<number[]>((sofar, row) => {
    for (const [at, cell] of row.entries()) sofar[at] = Math.max(sofar[at] ?? 0, cell.length)
    return sofar
  }, [])
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at < toTheRight ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
