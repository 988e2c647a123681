/** Records, one on each line: JSON objects, or CSV below a line of names. */

import { describe } from '../../base/describe.js'
import { filledLines, type Refuse } from './lines.js'

export const RECORD_FORMATS = ['jsonl', 'csv'] as const
export type RecordFormat = (typeof RECORD_FORMATS)[number]

export interface RecordLine {
  readonly record: Readonly<Record<string, unknown>>
  readonly refuse: Refuse
}

/** The records of a file. Blank lines are passed over; LineRefused for a line that is no record. */
export async function* recordLines(file: string, format: RecordFormat): AsyncGenerator<RecordLine> {
  let names: readonly string[] | undefined
  for await (const { text, refuse } of filledLines(file)) {
    if (format === 'jsonl') yield { record: jsonRecord(text, refuse), refuse }
    else if (names === undefined) names = columnNames(text, refuse)
    else yield { record: csvRecord(cellsOf(text, refuse), names, refuse), refuse }
  }
}

function jsonRecord(text: string, refuse: Refuse): Record<string, unknown> {
  const value = parsedJson(text, refuse)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw refuse(`it must be a JSON object, received ${describe(value)}`)
}

function columnNames(text: string, refuse: Refuse): string[] {
  const names = cellsOf(text, refuse).map((name) => name.trim())
  const wrong = names.find((name, at) => name === '' || names.indexOf(name) !== at)
  if (wrong === undefined) return names
  throw refuse(`columns must have names, each its own, received ${describe(wrong)}`)
}

/** Empty cells are left out. A cell that begins with `[` is JSON; one that looks like a number is one, but for keys. */
function csvRecord(cells: readonly string[], names: readonly string[], refuse: Refuse): Record<string, unknown> {
  if (cells.length !== names.length) {
    throw refuse(`it must have ${names.length} cells, as the first line has, received ${cells.length}`)
  }
  const filled = names.map((name, at) => [name, cells[at]!.trim()] as const).filter(([, cell]) => cell !== '')
  return Object.fromEntries(
    filled.map(([name, cell]) => {
      if (name === 'key') return [name, cell]
      if (cell.startsWith('[')) return [name, parsedJson(cell, refuse)]
      return [name, Number.isNaN(Number(cell)) ? cell : Number(cell)]
    }),
  )
}

function cellsOf(text: string, refuse: Refuse): string[] {
  try {
    return parseCsvLine(text)
  } catch (error) {
    throw refuse((error as Error).message)
  }
}

function parsedJson(text: string, refuse: Refuse): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refuse(`it is not JSON: ${(error as Error).message}`)
  }
}

/**
 * The cells of a line of comma-separated values, as RFC 4180 has them, except that a cell ends on the line where it
 * begins. Throws for a quote that is not closed or does not enclose the whole cell.
 */
export function parseCsvLine(line: string): string[] {
  const cells: string[] = []
  for (let at = 0; at <= line.length; at++) {
    if (line[at] !== '"') {
      const comma = line.indexOf(',', at)
      const end = comma === -1 ? line.length : comma
      cells.push(line.slice(at, end))
      at = end
      continue
    }
    const quoted = /"((?:[^"]|"")*)"(?=,|$)/y
    quoted.lastIndex = at
    const found = quoted.exec(line)
    if (found === null) throw new Error('a quote must enclose a whole cell, and be closed on its line')
    cells.push(found[1]!.replaceAll('""', '"'))
    at = quoted.lastIndex
  }
  return cells
}

export function csvLine(cells: readonly (string | number)[]): string {
  return cells.map((cell) => csvCell(String(cell))).join(',')
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
