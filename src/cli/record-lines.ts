/** Records, one a line: JSON objects, or CSV below a line of names. */
import { describe } from '../describe.js'
import { parseCsvLine } from './csv-text.js'
import { requiredLines } from './input-lines.js'
import { LineRefused } from './line-fault.js'

export const RECORD_FORMATS = ['jsonl', 'csv'] as const
export type RecordFormat = (typeof RECORD_FORMATS)[number]

export interface RecordLine {
  readonly record: Readonly<Record<string, unknown>>
  /** A fault of the record, naming its line. */
  readonly refuse: (message: string, code?: string) => LineRefused
}

/** Blank lines are passed over; LineRefused for a line that is no record. */
export async function* recordLines(file: string, format: RecordFormat): AsyncGenerator<RecordLine> {
  let names: readonly string[] | undefined
  for await (const { source, number: line, text } of requiredLines(file)) {
    if (text.trim() === '') continue
    const refuse = (message: string, code?: string) =>
      new LineRefused({ source, line, message, ...(code === undefined ? {} : { code }) })
    if (format === 'jsonl') yield { record: jsonRecord(text, refuse), refuse }
    else if (names === undefined) names = columnNames(text, refuse)
    else yield { record: csvRecord(cellsOf(text, refuse), names, refuse), refuse }
  }
}

type Refuse = RecordLine['refuse']

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

/** An empty cell says nothing. One that begins like a JSON list is one; one that looks like a number is one, but for keys. */
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
