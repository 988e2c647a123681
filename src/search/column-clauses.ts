/**
 * Columns in query text: `section:docs`, `words:>100`, `published:2026-01..2026-03`. A clause restricts the whole
 * query. What cannot be a value of its column is no clause but ordinary text, as people's text never is an error.
 */

import { toWellFormed } from '../base/bytes.js'
import type { ColumnSetting } from '../base/columns.js'
import { isoTimeMs } from '../base/iso-dates.js'
import type { FilterNode } from './filter-tree.js'

export interface ColumnClause {
  readonly column: number
  readonly node: FilterNode
  /** Whether it asks for one value: several of these of one column are alternatives. */
  readonly isValue: boolean
}

const COMPARISON = /^(?<operator>>=|<=|>|<)(?<value>.+)$/s
const SPAN = /^(?<from>.*?)\.\.(?<to>.*)$/s

/** Undefined for what is no value of the column. */
export function readColumnClause(column: number, { kind }: ColumnSetting, text: string): ColumnClause | undefined {
  if (text === '*') return { column, node: { kind: 'exists', column }, isValue: false }
  if (kind === 'keyword') return { column, node: { kind: 'any', column, values: [toWellFormed(text)] }, isValue: true }
  if (kind === 'boolean') {
    if (text !== 'true' && text !== 'false') return undefined
    return { column, node: { kind: 'any', column, values: [text === 'true' ? 1 : 0] }, isValue: true }
  }
  const periodOf = kind === 'number' ? numberPeriod : datePeriod
  const compared = COMPARISON.exec(text)?.groups
  if (compared !== undefined) {
    const period = periodOf(compared.value as string)
    return (
      period && { column, node: { kind: 'range', column, ...comparison(compared.operator, period) }, isValue: false }
    )
  }
  const span = SPAN.exec(text)?.groups
  if (span !== undefined) {
    const from = span.from === '' ? EVER : periodOf(span.from as string)
    const to = span.to === '' ? EVER : periodOf(span.to as string)
    if (from === undefined || to === undefined || (from === EVER && to === EVER)) return undefined
    const range = { min: from.min, isMinOpen: false, max: to.max, isMaxOpen: to.isMaxOpen }
    return { column, node: { kind: 'range', column, ...range }, isValue: false }
  }
  const period = periodOf(text)
  if (period === undefined) return undefined
  return { column, node: { kind: 'range', column, ...period, isMinOpen: false }, isValue: true }
}

/** What a value stands for: a number for itself, a date for the year, month, day, … that it names. */
interface Period {
  readonly min: number
  readonly max: number
  readonly isMaxOpen: boolean
}

const EVER: Period = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY, isMaxOpen: false }

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

function numberPeriod(text: string): Period | undefined {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? { min: value + 0, max: value + 0, isMaxOpen: false } : undefined
}

function datePeriod(text: string): Period | undefined {
  const min = isoTimeMs(text)
  if (min === undefined) return undefined
  const max = endOf(text, min)
  return max === undefined ? { min, max: min, isMaxOpen: false } : { min, max, isMaxOpen: true }
}

/** Where the next year, month, day, minute or second begins; undefined for a text that names a millisecond. */
function endOf(text: string, min: number): number | undefined {
  const parts = /^[+-]?\d+(-\d\d)?(-\d\d)?([T ]\d\d:\d\d)?(:\d\d)?([.,]\d+)?/.exec(text) ?? []
  const [, month, day, minute, second, fraction] = parts
  if (fraction !== undefined) return undefined
  if (second !== undefined) return min + 1000
  if (minute !== undefined) return min + 60_000
  const end = new Date(min)
  if (month === undefined) end.setUTCFullYear(end.getUTCFullYear() + 1)
  else if (day === undefined) end.setUTCMonth(end.getUTCMonth() + 1)
  else end.setUTCDate(end.getUTCDate() + 1)
  return end.getTime()
}

function comparison(operator: string | undefined, { min, max, isMaxOpen }: Period) {
  const from = (value: number, isMinOpen: boolean) => ({ ...EVER, min: value, isMinOpen })
  const until = (value: number, isOpen: boolean) => ({ ...EVER, max: value, isMaxOpen: isOpen, isMinOpen: false })
  if (operator === '>') return from(max, !isMaxOpen)
  if (operator === '>=') return from(min, false)
  return operator === '<' ? until(min, true) : until(max, isMaxOpen)
}

/** All clauses of a query, each with whether it is negated, as one filter. */
export function filterOfClauses(clauses: readonly (ColumnClause & { readonly isNegated: boolean })[]): FilterNode {
  const children: FilterNode[] = []
  const alternatives = new Map<number, FilterNode[]>()
  for (const { column, node, isValue, isNegated } of clauses) {
    if (isNegated) children.push({ kind: 'not', child: node })
    else if (!isValue) children.push(node)
    else alternatives.set(column, [...(alternatives.get(column) ?? []), node])
  }
  for (const nodes of alternatives.values())
    children.push(nodes.length === 1 ? (nodes[0] as FilterNode) : { kind: 'or', children: nodes })
  return children.length === 1 ? (children[0] as FilterNode) : { kind: 'and', children }
}
