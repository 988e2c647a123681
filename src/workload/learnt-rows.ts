/**
 * What a process that does not write has learnt, on its way through the inbox to the process that does. The file is
 * described in docs/file-format.md.
 */
import { isAmount } from '../base/checks.js'

/** How a query is named: by its text, or by hashes of its words. */
export type QueryPrivacy = 'text' | 'hash'

/** A query that was asked `count` times, the last time at `atMs`. */
export interface LearntQuery {
  readonly kind: QueryPrivacy
  readonly name: string
  readonly count: number
  readonly atMs: number
  /** Whether its last search found anything; undefined where nobody looked. */
  readonly isAnswered: boolean | undefined
}

/** Clicks on the answer at a rank, counting from 1. */
export interface LearntClicks {
  readonly kind: 'click'
  readonly rank1: number
  readonly count: number
}

export type LearntRow = LearntQuery | LearntClicks

/** How far an inbox has been taken over: of which file, up to which row, and how many asks that it dropped. */
export interface InboxMark {
  /** Drawn at random when the file is made. '' before any. */
  readonly generation: string
  readonly row: number
  readonly dropped: number
}

export const NOTHING_TAKEN: InboxMark = { generation: '', row: 0, dropped: 0 }

/** Rows behind a mark. */
export interface InboxPortion {
  readonly rows: readonly LearntRow[]
  /** Rows that make no sense. */
  readonly faulty: number
  /** How far the inbox is taken over with these rows. */
  readonly mark: InboxMark
  readonly hasMore: boolean
}

/** Where a process that does not write leaves what it has learnt. */
export interface Outbox {
  /**
   * 'kept': on disk. 'later': somebody else was at it, or there was no room; nothing happened. 'unavailable': this
   * process may not write there.
   */
  append(rows: readonly LearntRow[]): 'kept' | 'later' | 'unavailable'
  /** Whether anything can be left at all, as far as is known. */
  readonly isAvailable: boolean
  /** How many rows the writer has not taken over, as far as can be told now. */
  waiting(after: InboxMark): number
  close(): void
}

/** What other processes have left for the one that writes. */
export interface Inbox {
  /**
   * Undefined when there is nothing that was not taken. A file that cannot be read is replaced, and `failure` says so.
   */
  take(after: InboxMark): Promise<InboxPortion | undefined>
  /** Removes what was taken. REQUIRES: what was taken, and the mark, are durable. */
  clear(mark: InboxMark): Promise<void>
  /** Why the last inbox was replaced; undefined when none was. */
  readonly failure: string | undefined
}

/** Kind, name, count, time, answered (0, 1 or null), rank: the values of a row as they are stored. */
export type StoredLearntRow = readonly [unknown, unknown, unknown, unknown, unknown, unknown]

export function toStoredRow(row: LearntRow): StoredLearntRow {
  if (row.kind === 'click') return ['click', '', row.count, 0, null, row.rank1]
  return [row.kind, row.name, row.count, row.atMs, row.isAnswered === undefined ? null : Number(row.isAnswered), null]
}

/** Undefined for values that no process of ours left. */
export function fromStoredRow([kind, name, count, atMs, answered, rank1]: readonly unknown[]): LearntRow | undefined {
  if (!isAmount(count) || count === 0) return undefined
  if (kind === 'click') return isAmount(rank1) && rank1 >= 1 ? { kind, rank1, count } : undefined
  if ((kind !== 'text' && kind !== 'hash') || typeof name !== 'string' || name === '' || !isAmount(atMs))
    return undefined
  return { kind, name, count, atMs, isAnswered: toAnswered(answered) }
}

/** Of a stored value: 1 and 0 are true and false, anything else is not known. */
export function toAnswered(value: unknown): boolean | undefined {
  return value === 1 ? true : value === 0 ? false : undefined
}
