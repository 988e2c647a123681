/** The workload of a damaged index, as far as its rows can be read: see salvaged-refresh.ts. */
import {
  type QueryPrivacy,
  type StoredClicks,
  type StoredQuery,
  type StoredWorkload,
  soundWorkload,
} from '../catalog/refresh-rows.js'
import { wordHashesOf } from '../workload/query-name.js'
import type { SalvageSource } from './salvage-source.js'

export interface SalvagedWorkload extends StoredWorkload {
  readonly counts: { readonly kept: number; readonly lost: number }
}

const NONE: SalvagedWorkload = {
  queries: [],
  nextQueryId: 1,
  privacy: 'text',
  clicks: [],
  counts: { kept: 0, lost: 0 },
}

export function salvageWorkload(source: SalvageSource): SalvagedWorkload {
  if (source.columnsOf('refresh_state').size === 0) return NONE
  const [next, privacy] =
    source.lookup('SELECT next_query, privacy FROM refresh_state', 'state of the workload')() ?? []
  if (privacy !== 'text' && privacy !== 'hash')
    source.problems.push('whether queries are kept as texts or as hashes is not known: from now on it is hashes')
  const queryRows = [
    ...source.rows('SELECT id, name, weight, at_ms FROM queries WHERE id > ? ORDER BY id LIMIT 1', 'query'),
  ]
  const clickRows = source.rows('SELECT rank, count FROM clicks WHERE rank > ? ORDER BY rank LIMIT 1', 'clicks at rank')
  const sound = soundWorkload({
    queries: queryRows.map(([id, name, weight, atMs]) => ({ id, name, weight, atMs }) as StoredQuery),
    ...{ nextQueryId: next, privacy },
    clicks: Array.from(clickRows, ([rank1, count]) => ({ rank1, count }) as StoredClicks),
  })
  const queries = sound.queries.filter(({ name }) => isOf(sound.privacy, name))
  const lastId = queries.reduce((last, { id }) => Math.max(last, id), 0)
  return {
    ...sound,
    queries,
    nextQueryId: Math.max(sound.nextQueryId, lastId + 1),
    counts: { kept: queries.length, lost: queryRows.length - queries.length },
  }
}

/** A text among hashes would tell what nobody was to know. */
function isOf(privacy: QueryPrivacy, name: string): boolean {
  return privacy === 'text' || wordHashesOf(name) !== undefined
}
