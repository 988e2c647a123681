/**
 * The tables of the workload: `queries`, `clicks`, `workload_state`, and two columns of `refresh_state`. Readers give
 * values that make sense: what no writer wrote counts as never asked.
 */
import type { Database } from 'better-sqlite3'
import { MAX_AMOUNT } from '../base/amounts.js'
import { isAmount, isCount } from '../base/checks.js'
import type { Steps } from '../base/turns.js'
import type { QueryRow } from '../workload/query-log.js'
import type { KeptState, WorkloadChanges, WorkloadRows } from '../workload/stored-workload.js'
import type { ClickRow } from '../workload/view-likelihood.js'
import { inSqlite, placeBehind } from './connection.js'
import { answeredColumn, toAnswered } from './learnt-rows.js'

export const QUERY_COLUMNS = 'id, name, weight, at_ms, last_ms, answered'

export const STATE_COLUMNS =
  'max_queries, half_life_ms, dropped, dropped_weight, lost, inbox_generation, inbox_row, inbox_dropped'

/** Writes within a transaction of the caller. Texts of queries that are replaced or dropped are overwritten. */
export function prepareWorkloadWriter(db: Database): (changes: WorkloadChanges) => void {
  const put = db.prepare(`INSERT OR REPLACE INTO queries (${QUERY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`)
  const drop = db.prepare('DELETE FROM queries WHERE id = ?')
  const clearClicks = db.prepare('DELETE FROM clicks')
  const putClicks = db.prepare('INSERT INTO clicks (rank, count) VALUES (?, ?)')
  const putNames = db.prepare('UPDATE refresh_state SET next_query = ?, privacy = ?')
  const putState = db.prepare(
    `UPDATE workload_state SET (${STATE_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?), version = version + 1`,
  )
  return ({ rows, droppedIds, clicks, nextQueryId, privacy, kept, isAny }) => {
    if (!isAny) return
    // For this table alone: a stored document that is replaced need not be overwritten, and that would cost writes.
    db.pragma('secure_delete = ON')
    try {
      for (const { id, name, weight, atMs, lastMs, isAnswered } of rows)
        put.run(id, name, weight, atMs, lastMs, answeredColumn(isAnswered))
      for (const id of droppedIds) drop.run(id)
    } finally {
      db.pragma('secure_delete = OFF')
    }
    if (clicks !== undefined) {
      clearClicks.run()
      for (const { rank1, count } of clicks) putClicks.run(rank1, count)
    }
    putNames.run(nextQueryId, privacy)
    const { maxQueries = null, halfLifeMs = null, dropped, droppedWeight, lost, inbox } = kept
    putState.run(maxQueries, halfLifeMs, dropped, droppedWeight, lost, inbox.generation, inbox.row, inbox.dropped)
  }
}

/** Grows with every change of the workload. */
export function workloadVersionOf(db: Database): number {
  return inSqlite(db.name, () => db.prepare('SELECT version FROM workload_state').pluck().get() as number)
}

/** Rows that are read in one step. */
const PORTION = 256

/** All of it. What somebody writes between the steps may be missed: the version tells. */
export function* readWorkload(db: Database): Steps<WorkloadRows> {
  const queries: QueryRow[] = []
  const text = `SELECT ${QUERY_COLUMNS} FROM queries WHERE id > ? ORDER BY id LIMIT ?`
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = inSqlite(db.name, () => db.prepare(text).raw().all(last, PORTION)) as unknown[][]
    for (const row of rows) {
      queries.push(toQueryRow(row))
      yield
    }
    if (rows.length < PORTION) break
    last = placeBehind(last, rows.at(-1)?.[0], db.name)
  }
  const read = inSqlite(db.name, () => ({
    queries,
    nextQueryId: db.prepare('SELECT next_query FROM refresh_state').pluck().get(),
    privacy: db.prepare('SELECT privacy FROM refresh_state').pluck().get(),
    clicks: db.prepare('SELECT rank AS rank1, count FROM clicks').all() as ClickRow[],
    state: db.prepare(`SELECT ${STATE_COLUMNS} FROM workload_state`).raw().get() as unknown[] | undefined,
  }))
  return validWorkload(read)
}

/** Of values in the order of QUERY_COLUMNS, whatever they are. */
export function toQueryRow([id, name, weight, atMs, lastMs, answered]: readonly unknown[]): QueryRow {
  return {
    id,
    name,
    weight,
    atMs,
    lastMs: isAmount(lastMs) ? lastMs : atMs,
    isAnswered: toAnswered(answered),
  } as QueryRow
}

/** Values as the tables have them, whatever they are. */
/** The core has numbers of queries as u32. */
const MAX_QUERY_ID = 2 ** 32 - 1

export interface WorkloadTables {
  readonly queries: readonly QueryRow[]
  readonly nextQueryId: unknown
  readonly privacy: unknown
  readonly clicks: readonly ClickRow[]
  /** In the order of STATE_COLUMNS. */
  readonly state: readonly unknown[] | undefined
}

/** The workload without rows that no writer made: a query that cannot be read counts as one that was never asked. */
export function validWorkload({ queries, nextQueryId, privacy, clicks, state = [] }: WorkloadTables): WorkloadRows {
  const valid = queries.filter(
    ({ id, name, weight, atMs }) =>
      isCount(id, MAX_QUERY_ID) && typeof name === 'string' && isAmount(weight) && isAmount(atMs),
  )
  return {
    queries: [...new Map(valid.map((query) => [query.name, query])).values()],
    nextQueryId: isCount(nextQueryId, MAX_QUERY_ID) ? nextQueryId : 1,
    // In doubt no text of a query is told.
    privacy: privacy === 'text' ? 'text' : 'hash',
    clicks: clicks.filter(
      ({ rank1, count }) => isCount(rank1) && rank1 > 0 && isAmount(count, MAX_AMOUNT) && count > 0,
    ),
    kept: validState(state),
  }
}

function validState(values: readonly unknown[]): KeptState {
  const [maxQueries, halfLifeMs, dropped, droppedWeight, lost, generation, row, inboxDropped] = values
  return {
    maxQueries: isCount(maxQueries, 1e6) && maxQueries > 0 ? maxQueries : undefined,
    halfLifeMs: typeof halfLifeMs === 'number' && halfLifeMs > 0 ? halfLifeMs : undefined,
    dropped: isCount(dropped) ? dropped : 0,
    droppedWeight: isAmount(droppedWeight) ? droppedWeight : 0,
    lost: isAmount(lost) ? lost : 0,
    // No inbox has the name '': what cannot be read counts as nothing taken.
    inbox: {
      generation: typeof generation === 'string' ? generation : '',
      row: isCount(row) ? row : 0,
      dropped: isAmount(inboxDropped) ? inboxDropped : 0,
    },
  }
}
