/** The last writes of an index, for whoever wants to see what they did. */
import { isAmount } from '../../base/checks.js'
import type { Key } from '../../base/keys.js'
import type { Step } from '../../base/step.js'
import type { NamedQuery } from '../../ledger/effects.js'
import { KEPT_WRITES, type WriteRow, type WrittenOutcome, type WrittenPageRow } from './write-row.js'

export interface RecentWrite {
  /** Grows with every write. */
  readonly id: number
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAt: number
  /** When its documents were fetched. */
  readonly at: number
  /** How many documents it put or removed. */
  readonly documents: number
  /** How many scores of documents it moved, over all queries. */
  readonly shifts: number
  /** CPU time in the core: what measuring took beside preparing the batch. */
  readonly overhead: { readonly indexUs: number; readonly measureUs: number; readonly ratio: number }
  /** The first few, those that gained most first. */
  readonly pages: readonly WrittenPage[]
}

export interface WrittenPage {
  readonly key: Key
  readonly outcome: WrittenOutcome
  /** ΔQ_A. */
  readonly deltaQuality: number
  /** ΔQ_A as a share of what all pages have at stake in the answers. */
  readonly share: number
  /** The queries that it moved most. */
  readonly moves: readonly RankMove[]
}

export interface RankMove {
  /** Undefined when the query is no longer in the workload. */
  readonly query: string | undefined
  /** Counting from 1; undefined where the page did not match. */
  readonly rankBefore: number | undefined
  readonly rankAfter: number | undefined
}

/** A row with its number. */
export type NumberedWrite = WriteRow & { readonly id: number }

/** The last writes of an index in memory. */
export class WritesInMemory {
  #rows: NumberedWrite[] = []
  #next = 1

  add(row: WriteRow): Step<WriteRow> {
    const before = this.#rows
    this.#rows = [...before, { ...row, id: this.#next++ }].slice(-KEPT_WRITES)
    return {
      rows: row,
      undo: () => {
        this.#rows = before
      },
    }
  }

  after(id: number): readonly NumberedWrite[] {
    return this.#rows.filter((row) => row.id > id)
  }
}

/** A row as the catalog has it, pages as JSON; undefined if no writer made it so. */
export function validWrite(values: readonly unknown[]): NumberedWrite | undefined {
  const [id, writtenMs, atMs, documents, shifts, indexUs, measureUs, stake, pages] = values
  const numbers = [id, writtenMs, documents, shifts, indexUs, measureUs, stake]
  if (!numbers.every((value) => isAmount(value)) || typeof atMs !== 'number' || typeof pages !== 'string')
    return undefined
  try {
    const read = JSON.parse(pages) as unknown
    if (!Array.isArray(read) || !read.every(isPage)) return undefined
    const [row] = [{ id, writtenMs, atMs, documents, shifts, indexUs, measureUs, stake, pages: read }]
    return row as NumberedWrite
  } catch {
    return undefined
  }
}

function isPage(value: unknown): value is WrittenPageRow {
  if (!Array.isArray(value)) return false
  const [key, outcome, deltaQuality, moves] = value as readonly unknown[]
  const isKey = typeof key === 'string' || typeof key === 'number'
  const isMove = (move: unknown) => Array.isArray(move) && move.length === 3 && move.every((each) => isAmount(each))
  return isKey && typeof outcome === 'string' && isAmount(deltaQuality) && Array.isArray(moves) && moves.every(isMove)
}

/** Rows with the texts of their queries. */
export function recentWrites(
  rows: readonly NumberedWrite[],
  queriesById: (ids: ReadonlySet<number>) => ReadonlyMap<number, NamedQuery>,
): RecentWrite[] {
  const ids = rows.flatMap(({ pages }) => pages.flatMap(([, , , moves]) => moves.map(([query]) => query)))
  const named = ids.length === 0 ? new Map<number, NamedQuery>() : queriesById(new Set(ids))
  return rows.map(({ id, writtenMs, atMs, documents, shifts, indexUs, measureUs, stake, pages }) => ({
    id,
    writtenAt: writtenMs,
    at: atMs,
    documents,
    shifts,
    overhead: { indexUs, measureUs, ratio: indexUs > 0 ? measureUs / indexUs : 0 },
    pages: pages.map(([key, outcome, deltaQuality, moves]) => ({
      key,
      outcome,
      deltaQuality,
      share: stake > 0 ? deltaQuality / stake : 0,
      moves: moves.map(([query, before, after]) => ({
        query: named.get(query)?.query,
        rankBefore: before || undefined,
        rankAfter: after || undefined,
      })),
    })),
  }))
}
