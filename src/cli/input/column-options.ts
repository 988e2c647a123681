/** Options that name columns. */
import { InvalidArgumentError } from 'commander'
import type { ColumnKind, DateInterval, Facet, SortBy } from '../../index.js'

type Columns = Readonly<Record<string, ColumnKind>>
type AnyFacet = Facet<Record<string, unknown>>

const KINDS: readonly string[] = ['keyword', 'number', 'date', 'boolean']
const INTERVALS: readonly string[] = ['year', 'quarter', 'month', 'week', 'day', 'hour']

/** `section:keyword`. A name may have colons. */
export function addColumn(text: string, sofar: Columns = {}): Columns {
  const [name, kind] = splitLast(text)
  if (name === '' || kind === undefined || !KINDS.includes(kind))
    throw new InvalidArgumentError(`It must be a property and its kind, such as section:keyword: ${KINDS.join(', ')}.`)
  if (Object.hasOwn(sofar, name)) throw new InvalidArgumentError(`The column "${name}" was given before.`)
  return { ...sofar, [name]: kind as ColumnKind }
}

/** `section`, `published:month`, `words:..100,100..500,500..`: a range has its first number, and not its last. */
export function addFacet(text: string, sofar: readonly AnyFacet[] = []): readonly AnyFacet[] {
  const [name, how] = splitLast(text)
  if (how === undefined) return [...sofar, text]
  if (INTERVALS.includes(how)) return [...sofar, { column: name, interval: how as DateInterval }]
  const ranges = how.split(',').map(rangeOf)
  if (ranges.every((range) => range !== undefined)) return [...sofar, { column: name, ranges }]
  throw new InvalidArgumentError(
    `It must be a column, alone or with ${INTERVALS.join(', ')}, or ranges such as words:..100,100..500,500..`,
  )
}

/** Undefined for what is no range. Ends are numbers, or dates as text. */
function rangeOf(text: string): { readonly gte?: string | number; readonly lt?: string | number } | undefined {
  const [, from, to] = /^(.*?)\.\.(.*)$/.exec(text) ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  return { ...(from === '' ? {} : { gte: endOf(from) }), ...(to === '' ? {} : { lt: endOf(to) }) }
}

/** A year alone is a number: write 2026-01. */
function endOf(text: string): string | number {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

/** `published:desc,score`. */
export function sortBy(text: string): readonly SortBy<Record<string, ColumnKind>>[] {
  return text.split(',').map((order) => {
    if (order === 'score' || order === 'priority') return order
    const [name, direction] = splitLast(order)
    if (name !== '' && (direction === 'asc' || direction === 'desc')) return { [name]: direction }
    throw new InvalidArgumentError('It must be score, priority, column:asc or column:desc, with commas between them.')
  })
}

/** `section:3`. */
export function groupBy(text: string): { readonly by: string; readonly size?: number } {
  const [name, size] = splitLast(text)
  if (size === undefined) return { by: text }
  if (name !== '' && /^\d{1,3}$/.test(size)) return { by: name, size: Number(size) }
  throw new InvalidArgumentError('It must be a column, and how many hits of each value, such as section:3.')
}

function splitLast(text: string): readonly [name: string, rest: string | undefined] {
  const at = text.lastIndexOf(':')
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
