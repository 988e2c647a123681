/** Sites and what is known of their signals, as far as their rows can be read: see salvaged-refresh.ts. */

import type { Key } from '../../base/keys.js'
import { FRONTIER_COLUMNS } from '../../catalog/frontier-rows.js'
import { soundWorkload, TRUST_COLUMNS } from '../../catalog/prioritizer-rows.js'
import { pageOfRow } from '../../frontier/frontier-page.js'
import type { FrontierRows, StoredFrontierPage } from '../../frontier/frontier-state.js'
import { Lessons } from '../../frontier/lessons.js'
import { EVIDENCE_KINDS } from '../../ledger/site-trust.js'
import { type SignalCommit, soundSignals } from '../../ledger/sites.js'
import { wordHashesOf } from '../../workload/query-log.js'
import type { QueryPrivacy, StoredClicks, StoredQuery, StoredWorkload } from '../../workload/workload-state.js'
import type { SalvageSource } from './source.js'

export interface SalvagedSignals {
  readonly commit: SignalCommit | undefined
  readonly counts: { readonly kept: number; readonly lost: number }
  has(site: number): boolean
}

export function salvageSignals(source: SalvageSource): SalvagedSignals {
  if (source.columnsOf('sites').size === 0) return { commit: undefined, counts: { kept: 0, lost: 0 }, has: () => false }
  const sites = [...source.rows('SELECT id, name FROM sites WHERE id > ? ORDER BY id LIMIT 1', 'site')]
  // By their keys: the table has no numbers of its own to go on from behind a damaged row.
  const trustOf = source.lookup(
    `SELECT ${TRUST_COLUMNS} FROM signal_trust WHERE site = ? AND kind = ?`,
    'what is known of signals',
  )
  const trust = sites.flatMap(([site]) => EVIDENCE_KINDS.map((kind) => trustOf(site, kind)))
  const sound = soundSignals({ sites, trust: trust.filter((row) => row !== undefined) })
  source.problems.push(...sound.faults)
  const known = new Set(sound.sites.map(({ number }) => number))
  return {
    commit: known.size === 0 ? undefined : { isAll: true, sites: sound.sites, trust: sound.trust },
    counts: { kept: known.size, lost: sites.length - known.size },
    has: (site) => known.has(site),
  }
}

/** The workload of a damaged index, as far as its rows can be read: see salvaged-refresh.ts. */

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

/** The frontier of a damaged index, as far as its rows can be read: see salvaged-refresh.ts. */

/** Pages of one commit. */
const PORTION = 1000

export class SalvagedFrontier {
  readonly pages = { kept: 0, lost: 0 }
  readonly lessons = { kept: 0, lost: 0 }
  readonly #source: SalvageSource
  readonly #isThere: boolean

  constructor(source: SalvageSource) {
    this.#source = source
    this.#isThere = source.columnsOf('frontier').size > 0
  }

  /** Everything, in portions. A page that waits must be no document of the new index. */
  *commits(isDocument: (key: Key) => boolean): Generator<FrontierRows> {
    if (!this.#isThere) return
    const lessons = this.#lessons()
    if (lessons !== undefined) yield { ...NOTHING, lessons }
    let put: StoredFrontierPage[] = []
    for (const page of this.#sound(isDocument)) {
      put.push(page)
      if (put.length < PORTION) continue
      yield { ...NOTHING, put }
      put = []
    }
    if (put.length > 0) yield { ...NOTHING, put }
  }

  *#sound(isDocument: (key: Key) => boolean): Generator<StoredFrontierPage> {
    const urls = new Set<string>()
    const text = `SELECT ${FRONTIER_COLUMNS} FROM frontier WHERE id > ? ORDER BY id LIMIT 1`
    for (const values of this.#source.rows(text, 'page of the frontier')) {
      const page = pageOfRow(values)
      const isSound =
        page !== undefined && !urls.has(page.url) && (page.fetchedMs !== undefined || !isDocument(page.url))
      this.pages[isSound ? 'kept' : 'lost']++
      if (!isSound) continue
      urls.add(page.url)
      yield page
    }
    if (this.pages.lost > 0) this.#source.problems.push(`${this.pages.lost} pages of the frontier make no sense`)
  }

  /** Undefined when there are none. */
  #lessons(): Uint8Array | undefined {
    const what = 'what was learnt from the frontier'
    const row = this.#source.lookup('SELECT lessons FROM frontier_state', what)()
    const bytes = row?.[0]
    if (bytes instanceof Uint8Array && bytes.length === 0) return undefined
    const isSound = Lessons.unpack(bytes) !== undefined
    this.lessons[isSound ? 'kept' : 'lost']++
    if (!isSound) this.#source.problems.push(`${what} is damaged`)
    return isSound ? (bytes as Uint8Array) : undefined
  }
}

const NOTHING: FrontierRows = { removed: [], put: [], fetched: [], fetchedMs: 0, lessons: undefined }
