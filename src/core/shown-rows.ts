/** Which hits of a result are shown, and in which order: as they are, by their priorities, or without one. */
import type { Key } from '../base/keys.js'
import { finish, type Steps } from '../base/turns.js'
import { BestPlaces } from '../math/heap.js'
import type { Deadline } from '../search/deadline.js'
import type { RefreshState } from '../search/search-result.js'
import type { Snippet } from '../search/snippet.js'

/** What the refresh priorities say about hits, by document number, at one moment. */
export interface HitJudge {
  stateOf(number: number): RefreshState | undefined
  /** 0 for a document that is not to be refreshed. */
  priorityOf(number: number): number
}

/** Which hits of a result to show, and in which order. */
export interface HitSelection {
  readonly judge: HitJudge | undefined
  readonly showsState: boolean
  /** Whether hits carry the documents of the buffer, which may be there for their snippets only. */
  readonly showsDocs: boolean
  /** Judging and snippets end with it, and the result is partial. */
  readonly deadline: Deadline
  /** The snippets of documents with these keys, in their order; of the first of them, where the time ends. */
  readonly snippetsOf: ((documents: readonly KeyedDocument[]) => readonly (Snippet | undefined)[]) | undefined
  /**
   * Of all hits in the buffer, those from `offset` on, at most `limit`, by their priorities; undefined: all as they
   * are.
   */
  readonly byPriority: { readonly offset: number; readonly limit: number } | undefined
  /** The hits but this document, from `offset` on, at most `limit`; it is not counted as a match. */
  readonly without?: { readonly number: number; readonly offset: number; readonly limit: number } | undefined
}

export interface KeyedDocument {
  readonly key: Key
  /** Decodes it. */
  document(): object
}

export interface ShownRows {
  readonly rows: readonly number[]
  /** The time was over before all hits were judged. */
  readonly isPartial: boolean
}

/** Hits that are judged in a step, some tens of microseconds, and before the deadline is looked at. */
const JUDGED_IN_STEP = 64

/** `numbers`: those of the documents of all hits. */
export function rowsToShow(numbers: Uint32Array, selection: HitSelection | undefined): ShownRows {
  return finish(choosingRows(numbers, selection))
}

/** The same in steps. */
export function* choosingRows(numbers: Uint32Array, selection: HitSelection | undefined): Steps<ShownRows> {
  if (selection?.byPriority !== undefined) return yield* choosingByPriority(numbers, selection, selection.byPriority)
  const rows = Array.from(numbers.keys())
  if (selection?.without === undefined) return { rows, isPartial: false }
  const { number, offset, limit } = selection.without
  return { rows: rows.filter((row) => numbers[row] !== number).slice(offset, offset + limit), isPartial: false }
}

function* choosingByPriority(
  numbers: Uint32Array,
  { judge, deadline }: HitSelection,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Steps<ShownRows> {
  const priorities = new Float64Array(numbers.length)
  // Hits of equal priority stay in the order of their scores.
  const isBefore = (a: number, b: number) => priorities[b]! - priorities[a]! || a - b
  const best = new BestPlaces(Math.min(offset + limit, numbers.length), isBefore)
  let judged = 0
  while (judged < numbers.length && !deadline.isOver) {
    for (const end = Math.min(numbers.length, judged + JUDGED_IN_STEP); judged < end; judged++) {
      priorities[judged] = judge?.priorityOf(numbers[judged]!) ?? 0
      best.offer(judged)
    }
    yield
  }
  return { rows: Array.from(best.sorted().subarray(offset)), isPartial: judged < numbers.length }
}
