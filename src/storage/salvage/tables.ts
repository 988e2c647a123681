/**
 * Sites, workload and frontier of a damaged index, as far as their rows can be read and make sense. Rows that could not
 * be read are not counted: nobody knows of them.
 */

import { count } from '../../base/counts.js'
import type { Key } from '../../base/keys.js'
import { FRONTIER_COLUMNS } from '../../catalog/frontier-rows.js'
import { SITE_COLUMNS, TRUST_COLUMNS } from '../../catalog/prioritizer-rows.js'
import { QUERY_COLUMNS, STATE_COLUMNS, toQueryRow, validWorkload } from '../../catalog/workload-rows.js'
import { type FrontierPage, pageOfRow } from '../../frontier/frontier-page.js'
import type { FrontierRows } from '../../frontier/frontier-state.js'
import { Lessons } from '../../frontier/lessons.js'
import { EVIDENCE_KINDS } from '../../ledger/site-trust.js'
import { type SignalCommit, validSignals } from '../../ledger/sites.js'
import { NOTHING_TAKEN, type QueryPrivacy } from '../../workload/learnt-rows.js'
import { wordHashesOf } from '../../workload/query-log.js'
import type { WorkloadChanges } from '../../workload/stored-workload.js'
import type { ClickRow } from '../../workload/view-likelihood.js'
import type { SalvageSource } from './source.js'

export interface SalvagedSignals {
  readonly commit: SignalCommit | undefined
  readonly counts: { readonly kept: number; readonly lost: number }
  has(site: number): boolean
}

export function salvageSignals(source: SalvageSource): SalvagedSignals {
  const sites = [...source.rows(`SELECT ${SITE_COLUMNS} FROM sites WHERE id > ? ORDER BY id LIMIT 1`, 'site')]
  // Looked up by key: the table has no numbers of its own to go on from behind a damaged row.
  const trustOf = source.lookup(
    `SELECT ${TRUST_COLUMNS} FROM signal_trust WHERE site = ? AND kind = ?`,
    'what is known of signals',
  )
  const trust = sites.flatMap(([site]) => EVIDENCE_KINDS.map((kind) => trustOf(site, kind)))
  const valid = validSignals({ sites, trust: trust.filter((row) => row !== undefined) })
  source.tell(valid.faults)
  const known = new Set(valid.sites.map(({ number }) => number))
  return {
    commit: known.size === 0 ? undefined : { isAll: true, sites: valid.sites, trust: valid.trust },
    counts: { kept: known.size, lost: sites.length - known.size },
    has: (site) => known.has(site),
  }
}

export interface SalvagedWorkload {
  readonly changes: WorkloadChanges
  readonly counts: { readonly kept: number; readonly lost: number }
}

export function salvageWorkload(source: SalvageSource): SalvagedWorkload {
  const [next, privacy] =
    source.lookup('SELECT next_query, privacy FROM refresh_state', 'state of the workload')() ?? []
  if (privacy !== 'text' && privacy !== 'hash')
    source.problems.push('whether queries are kept as texts or as hashes is not known: from now on it is hashes')
  const queryRows = [...source.rows(`SELECT ${QUERY_COLUMNS} FROM queries WHERE id > ? ORDER BY id LIMIT 1`, 'query')]
  const clickRows = source.rows('SELECT rank, count FROM clicks WHERE rank > ? ORDER BY rank LIMIT 1', 'clicks at rank')
  const valid = validWorkload({
    queries: queryRows.map(toQueryRow),
    nextQueryId: next,
    privacy,
    clicks: Array.from(clickRows, ([rank1, count]) => ({ rank1, count }) as ClickRow),
    state: source.lookup(`SELECT ${STATE_COLUMNS} FROM workload_state`, 'bounds of the workload')(),
  })
  const senseless = queryRows.length - valid.queries.length
  if (senseless > 0) source.problems.push(`damaged in the workload: ${count(senseless, 'query', 'queries')}`)
  const queries = valid.queries.filter(({ name }) => isOf(valid.privacy, name))
  const lastId = queries.reduce((last, { id }) => Math.max(last, id), 0)
  return {
    changes: {
      rows: queries,
      droppedIds: [],
      isAny: true,
      nextQueryId: Math.max(valid.nextQueryId, lastId + 1),
      privacy: valid.privacy,
      clicks: valid.clicks,
      kept: { ...valid.kept, inbox: NOTHING_TAKEN },
    },
    counts: { kept: queries.length, lost: queryRows.length - queries.length },
  }
}

/** A text among hashes would tell what nobody was to know. */
function isOf(privacy: QueryPrivacy, name: string): boolean {
  return privacy === 'text' || wordHashesOf(name) !== undefined
}

/** Pages of one commit. */
const PORTION = 1000

export class SalvagedFrontier {
  readonly pages = { kept: 0, lost: 0 }
  readonly lessons = { kept: 0, lost: 0 }
  readonly #source: SalvageSource

  constructor(source: SalvageSource) {
    this.#source = source
  }

  /** Everything, in portions. A page that waits must be no document of the new index. */
  *commits(isDocument: (key: Key) => boolean): Generator<FrontierRows> {
    const lessons = this.#lessons()
    if (lessons !== undefined) yield { ...NOTHING, lessons }
    let put: FrontierPage[] = []
    for (const page of this.#valid(isDocument)) {
      put.push(page)
      if (put.length < PORTION) continue
      yield { ...NOTHING, put }
      put = []
    }
    if (put.length > 0) yield { ...NOTHING, put }
  }

  *#valid(isDocument: (key: Key) => boolean): Generator<FrontierPage> {
    const urls = new Set<string>()
    const text = `SELECT ${FRONTIER_COLUMNS} FROM frontier WHERE id > ? ORDER BY id LIMIT 1`
    for (const values of this.#source.rows(text, 'page of the frontier')) {
      const page = pageOfRow(values)
      const isValid =
        page !== undefined && !urls.has(page.url) && (page.fetchedMs !== undefined || !isDocument(page.url))
      this.pages[isValid ? 'kept' : 'lost']++
      if (!isValid) continue
      urls.add(page.url)
      yield page
    }
    if (this.pages.lost > 0) this.#source.problems.push(`${this.pages.lost} pages of the frontier make no sense`)
  }

  /** Undefined when nothing was learnt, or what was learnt is damaged. */
  #lessons(): Uint8Array | undefined {
    const what = 'what was learnt from the frontier'
    const row = this.#source.lookup('SELECT lessons FROM frontier_state', what)()
    const bytes = row?.[0]
    if (bytes instanceof Uint8Array && bytes.length === 0) return undefined
    const isValid = Lessons.unpack(bytes) !== undefined
    this.lessons[isValid ? 'kept' : 'lost']++
    if (!isValid) this.#source.problems.push(`${what} is damaged`)
    return isValid ? (bytes as Uint8Array) : undefined
  }
}

const NOTHING: FrontierRows = { removed: [], put: [], fetched: [], fetchedMs: 0, lessons: undefined }
