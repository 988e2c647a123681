/** The rows of the inbox as SQLite has them, and whether a search was answered as a column has it. */
import { isAmount } from '../base/checks.js'
import type { LearntRow } from '../workload/learnt-rows.js'

/** Kind, name, count, time, answered (0, 1 or null), rank. */
export type LearntColumns = readonly [string, string, number, number, 0 | 1 | null, number | null]

export function toLearntColumns(row: LearntRow): LearntColumns {
  if (row.kind === 'click') return ['click', '', row.count, 0, null, row.rank1]
  return [row.kind, row.name, row.count, row.atMs, answeredColumn(row.isAnswered), null]
}

/** Undefined for values that no process of ours left. */
export function fromLearntColumns(values: readonly unknown[]): LearntRow | undefined {
  const [kind, name, count, atMs, answered, rank1] = values
  if (!isAmount(count) || count === 0) return undefined
  if (kind === 'click') return isAmount(rank1) && rank1 >= 1 ? { kind, rank1, count } : undefined
  if ((kind !== 'text' && kind !== 'hash') || typeof name !== 'string' || name === '' || !isAmount(atMs))
    return undefined
  return { kind, name, count, atMs, isAnswered: toAnswered(answered) }
}

export function answeredColumn(isAnswered: boolean | undefined): 0 | 1 | null {
  if (isAnswered === undefined) return null
  return isAnswered ? 1 : 0
}

/** Of a stored value: 1 and 0 are true and false, anything else is not known. */
export function toAnswered(value: unknown): boolean | undefined {
  return value === 1 ? true : value === 0 ? false : undefined
}
