/** What a process that does not write has learnt and not left in the inbox yet. */
import type { LearntRow } from './learnt-rows.js'

/** Rows that wait; what comes beyond them is lost, and counted. */
const MAX_ROWS = 10_000

export class OutgoingRows {
  readonly #rows = new Map<string, LearntRow>()
  #lost = 0

  /** Queries and clicks that could not be left. */
  get lost(): number {
    return this.#lost
  }

  /** What was asked at about the same time is one row. */
  add(row: LearntRow): void {
    const key = row.kind === 'click' ? `click ${row.rank1}` : `${row.kind} ${minuteOf(row.atMs)} ${row.name}`
    const known = this.#rows.get(key)
    if (known !== undefined) this.#rows.set(key, merged(known, row))
    else if (this.#rows.size < MAX_ROWS) this.#rows.set(key, row)
    else this.#lost += row.count
  }

  take(): LearntRow[] {
    const rows = [...this.#rows.values()]
    this.#rows.clear()
    return rows
  }

  /** They cannot be left anywhere. */
  lose(rows: readonly LearntRow[]): void {
    for (const { count } of rows) this.#lost += count
  }
}

/** REQUIRES: of the same kind, and of the same name or rank. */
function merged(before: LearntRow, row: LearntRow): LearntRow {
  const count = before.count + row.count
  if (row.kind === 'click' || before.kind === 'click') return { ...row, count }
  return { ...row, count, isAnswered: row.isAnswered ?? before.isAnswered }
}

function minuteOf(atMs: number): number {
  return Math.floor(atMs / 60_000)
}
