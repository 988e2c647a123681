/**
 * Query logs as text: one query a line, optionally followed by a tab and how often it was asked (default 1). What
 * follows the last tab is the count, so that a query may contain tabs. Blank lines are ignored. There are no
 * comments: '#' begins many a real query.
 */
import { describe } from '../base/describe.js'

export interface QueryLine {
  readonly text: string
  readonly count: number
  /** Counts from 1. */
  readonly line: number
}

const COUNT = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * Lines may end with CR, and the first may begin with a byte order mark. RangeError, with its number, for a faulty
 * line.
 */
export async function* readQueryLines(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<QueryLine> {
  let line = 0
  for await (const raw of lines) {
    line++
    const text = line === 1 ? raw.replace(/^\ufeff/, '') : raw
    if (text.trim() !== '') yield parseLine(text.replace(/\r$/, ''), line)
  }
}

function parseLine(raw: string, line: number): QueryLine {
  const tab = raw.lastIndexOf('\t')
  if (tab === -1) return { text: raw.trim(), count: 1, line }
  const text = raw.slice(0, tab).trim()
  if (text === '') throw new RangeError(`line ${line}: there must be a query before the tab, received ${describe(raw)}`)
  const digits = raw.slice(tab + 1).trim()
  const count = COUNT.test(digits) ? Number(digits) : Number.NaN
  if (count > 0 && Number.isFinite(count)) return { text, count, line }
  throw new RangeError(`line ${line}: the count behind the tab must be a number above 0, received ${describe(raw)}`)
}
