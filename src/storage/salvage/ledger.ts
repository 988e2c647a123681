/**
 * What a damaged index knew besides its documents, as far as its rows can be read and make sense: refresh histories and
 * reviews, signals and trust, clusters, workload and frontier. A document whose history is lost begins anew.
 *
 * Documents get other numbers, and so do terms: what names documents by number is renumbered, and change profiles,
 * whose sketches are made of term numbers, go on from a new sketch with the curve that fitted them.
 */
import type { Key } from '../../base/keys.js'
import { WaitingChanges } from '../../catalog/ledger-changes.js'
import { LEDGER_COLUMNS } from '../../catalog/ledger-rows.js'
import {
  CLUSTER_COLUMNS,
  CLUSTERING_COLUMNS,
  QUESTION_COLUMNS,
  REVIEW_COLUMNS,
} from '../../catalog/prioritizer-rows.js'
import { SKETCH_MINIMA } from '../../change/sketches.js'
import { NO_DOCUMENT, type PreparedBatch } from '../../engine.js'
import { NO_VISITS } from '../../ledger/cluster-visits.js'
import { EFFECT_BYTES, MAX_EFFECTS } from '../../ledger/effects.js'
import { Ledger } from '../../ledger/ledger.js'
import { type OpenQuestions, validQuestions } from '../../ledger/questions.js'
import { type LedgerRow, NO_ROWS, packEffects, packRows, unpackRow } from '../../ledger/rows.js'
import { type ClusterCommit, type ValidClusters, validClusters } from '../../refresh/clusters/cluster-rows.js'
import { type ReviewCommit, validReviewDays } from '../../refresh/review/review-days.js'
import type { PrioritizerRows, PrioritizerStore } from '../../refresh/rows.js'
import type { SalvageSource } from './source.js'
import {
  SalvagedFrontier,
  type SalvagedSignals,
  type SalvagedWorkload,
  salvageSignals,
  salvageWorkload,
} from './tables.js'

/** Rows that made no sense or could not be read are lost, as far as it is known that they were there. */
export interface KeptAndLost {
  readonly kept: number
  readonly lost: number
}

export interface SalvagedRefresh {
  /** Documents of the new index with their refresh history; the lost ones begin anew. */
  readonly histories: KeptAndLost
  /** Change profiles: what was observed is kept as a curve. */
  readonly profiles: KeptAndLost
  /** Sites, with what was learnt of their signals. */
  readonly sites: KeptAndLost
  readonly clusters: KeptAndLost
  /** Days of the review. */
  readonly reviews: KeptAndLost
  readonly queries: KeptAndLost
  /** Pages of the frontier. */
  readonly pages: KeptAndLost
  /** What fetched pages have taught: 1 or 0. */
  readonly lessons: KeptAndLost
}

/** A document of the new index. */
export interface Salvaged {
  /** The number that it had. */
  readonly number: number
  /** Whether it is as it was last written. */
  readonly isNewest: boolean
}

export class SalvagedRefreshes {
  readonly #source: SalvageSource
  readonly #nowMs: number
  readonly #ledger = new Ledger()
  readonly #rowOf: (number: number) => readonly unknown[] | undefined
  readonly #effectsOf: (number: number) => Uint8Array
  readonly #signals: SalvagedSignals
  readonly #clusters: SalvagedClusters
  readonly #clusterNumbers: ReadonlySet<number>
  readonly #reviews: SalvagedReviews
  readonly #workload: SalvagedWorkload
  readonly #questions: OpenQuestions
  readonly #frontier: SalvagedFrontier
  /** Documents that are in a cluster: old number, new number, cluster. */
  readonly #members: (readonly [before: number, after: number, cluster: number])[] = []
  /** Documents may have no history although none was lost. */
  readonly #isUnrecorded: boolean
  readonly #histories = { kept: 0, lost: 0 }
  readonly #profiles = { kept: 0, lost: 0 }

  /** `nowMs` dates documents of which nothing is known. */
  constructor(source: SalvageSource, nowMs: number) {
    this.#source = source
    this.#nowMs = nowMs
    const waiting = readWaiting(source)
    const rowOf = source.lookup(`SELECT ${LEDGER_COLUMNS} FROM ledger WHERE doc = ?`, 'refresh histories')
    this.#rowOf = (number) => waiting.over(number, rowOf(number))
    const effectsOf = source.lookup('SELECT effects FROM ledger WHERE doc = ?', 'effects of refreshes')
    this.#effectsOf = (number) => waiting.effectsOver(number, bytesOrNone(effectsOf(number)?.[0]))
    this.#signals = salvageSignals(source)
    this.#clusters = readClusters(source)
    this.#clusterNumbers = new Set(this.#clusters.clusters.map(({ number }) => number))
    this.#reviews = readReviews(source)
    this.#workload = salvageWorkload(source)
    this.#questions = readQuestions(source)
    this.#isUnrecorded = readUnrecorded(source)
    this.#frontier = new SalvagedFrontier(source)
  }

  get report(): SalvagedRefresh {
    return {
      histories: this.#histories,
      profiles: this.#profiles,
      sites: this.#signals.counts,
      clusters: this.#clusters.counts,
      reviews: this.#reviews.counts,
      queries: this.#workload.counts,
      pages: this.#frontier.pages,
      lessons: this.#frontier.lessons,
    }
  }

  /** Gives the rows of a prepared write of these documents, which are in the order of the write. */
  enter(prepared: PreparedBatch, documents: readonly Salvaged[]): PrioritizerRows {
    const effects = new Map<number, Uint8Array>()
    documents.forEach((document, at) => {
      const doc = prepared.numbers[at]!
      if (doc !== NO_DOCUMENT) this.#enterOne(document, doc, prepared, at, effects)
    })
    const docs = Array.from(prepared.numbers).filter((doc) => doc !== NO_DOCUMENT)
    return this.#commitOf({
      ledger: packRows(this.#ledger.columns, docs, packEffects(docs.map((doc) => effects.get(doc)))),
    })
  }

  #enterOne(
    { number, isNewest }: Salvaged,
    doc: number,
    { sketches }: PreparedBatch,
    at: number,
    effects: Map<number, Uint8Array>,
  ): void {
    const sketch = isNewest && sketches.length > 0 ? { minima: sketches, at: at * SKETCH_MINIMA } : undefined
    const row = this.#validRow(number)
    if (row === undefined) {
      this.#ledger.created(doc, this.#nowMs, sketch)
      if (!this.#isUnrecorded || this.#rowOf(number) !== undefined) this.#histories.lost++
      return
    }
    this.#histories.kept++
    this.#ledger.restore({ ...row, doc, cluster: 0 })
    this.#ledger.rebase(doc, sketch)
    if (row.profile.length > 0) this.#profiles[sketch === undefined ? 'lost' : 'kept']++
    if (row.cluster > 0) this.#members.push([number, doc, row.cluster])
    const bytes = this.#effectsOf(number)
    if (bytes.length % EFFECT_BYTES === 0 && bytes.length <= EFFECT_BYTES * MAX_EFFECTS) effects.set(doc, bytes)
  }

  /** The row of a document, which names no site and no cluster that is lost. */
  #validRow(number: number): LedgerRow | undefined {
    const values = this.#rowOf(number)
    const row = values && unpackRow(values)
    if (row === undefined) return undefined
    const cluster = this.#clusterNumbers.has(row.cluster) ? row.cluster : 0
    return { ...row, site: this.#signals.has(row.site) ? row.site : 0, cluster }
  }

  /** Everything that belongs to no document. REQUIRES: all documents were entered. */
  async finish(store: PrioritizerStore, isDocument: (key: Key) => boolean): Promise<void> {
    const workload = this.#workload.changes
    const clusters = this.#clusterCommit()
    this.#source.tell([...this.#clusters.faults, ...this.#reviews.faults])
    const { commit: signals } = this.#signals
    await store.commit(this.#commitOf({ workload, signals, clusters, reviews: this.#reviews.commit }))
    for (const frontier of this.#frontier.commits(isDocument)) await store.commit(this.#commitOf({ frontier }))
  }

  #clusterCommit(): ClusterCommit | undefined {
    const { clustering, clusters } = this.#clusters
    if (clustering === undefined) return undefined
    const numbers = new Map(this.#members.map(([before, after]) => [before, after]))
    return {
      clustering,
      clusters: clusters.map((cluster) => ({
        ...cluster,
        nearest: cluster.nearest.map((doc) => numbers.get(doc) ?? NO_DOCUMENT).filter((doc) => doc !== NO_DOCUMENT),
      })),
      assignment: Uint32Array.from(this.#members.flatMap(([, doc, cluster]) => [doc, cluster])),
      // The next build knows no changes since this one, and the one after it does.
      visits: NO_VISITS,
    }
  }

  #commitOf(changes: Partial<PrioritizerRows>): PrioritizerRows {
    return {
      ledger: NO_ROWS,
      removed: new Uint32Array(),
      stakes: new Float64Array(),
      // They are fitted anew: the documents have other numbers, and the index has another seed.
      curves: undefined,
      questions: this.#questions,
      workload: { ...this.#workload.changes, rows: [], clicks: undefined },
      signals: undefined,
      clusters: undefined,
      reviews: undefined,
      frontier: undefined,
      write: undefined,
      ...changes,
    }
  }
}

interface SalvagedClusters extends ValidClusters {
  readonly counts: KeptAndLost
}

function readClusters(source: SalvageSource): SalvagedClusters {
  const clustering = source.lookup(`SELECT ${CLUSTERING_COLUMNS} FROM clustering`, 'when documents were clustered')()
  const rows = [...source.rows(`SELECT ${CLUSTER_COLUMNS} FROM clusters WHERE id > ? ORDER BY id LIMIT 1`, 'cluster')]
  const valid = validClusters({ clustering, clusters: rows })
  const kept = valid.clusters.length
  return { ...valid, counts: { kept, lost: rows.length - kept } }
}

interface SalvagedReviews {
  readonly commit: ReviewCommit | undefined
  readonly faults: readonly string[]
  readonly counts: KeptAndLost
}

function readReviews(source: SalvageSource): SalvagedReviews {
  const text = `SELECT ${REVIEW_COLUMNS} FROM review_days WHERE day > ? ORDER BY day LIMIT 1`
  const { days, faults } = validReviewDays([...source.rows(text, 'review of day')])
  const [first] = days
  const commit = first && { isAll: true, days, firstDay: first.day }
  return { commit, faults, counts: { kept: days.length, lost: faults.length } }
}

/** Changes of histories that were not in the table of them yet. */
function readWaiting(source: SalvageSource): WaitingChanges {
  const what = 'changes of refresh histories'
  const rows = source.rows('SELECT id, bytes FROM ledger_changes WHERE id > ? ORDER BY id LIMIT 1', what)
  const waiting = new WaitingChanges(Array.from(rows, ([, bytes]) => bytes))
  if (waiting.damaged.length > 0) source.problems.push(`${what}: ${waiting.damaged.length} of them are damaged`)
  return waiting
}

function bytesOrNone(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array()
}

/** Whether documents were written without a prioritizer. */
function readUnrecorded(source: SalvageSource): boolean {
  const text = 'SELECT unrecorded FROM refresh_state'
  return source.lookup(text, 'whether documents have histories')()?.[0] === 1
}

/** What cannot be read of it is learnt anew. */
function readQuestions(source: SalvageSource): OpenQuestions {
  const text = `SELECT ${QUESTION_COLUMNS} FROM refresh_state`
  return validQuestions(source.lookup(text, 'how much of what people ask is open')() ?? [])
}
