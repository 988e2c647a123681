/**
 * What a process that does not write has learnt, on its way through the inbox to the process that does. The file is
 * described in docs/file-format.md.
 */

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
