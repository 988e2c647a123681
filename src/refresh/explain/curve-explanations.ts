/**
 * What the score→rank curves say, for people: which queries make the stake of a document, and how well a curve fits the
 * answers that it stands for. Where nothing is measured, as in a reader, the curves that are kept answer.
 */
import type { Key } from '../../base/keys.js'
import { finish, inTurns, nextTurn, Pauses, type Steps } from '../../base/turns.js'
import type { SearchEngine, StakeQuery } from '../../engine.js'
import type { NamedQuery } from '../../ledger/effects.js'
import { encodeWorkload } from '../../workload/measured-queries.js'
import type { WorkloadState } from '../../workload/workload-state.js'
import { type CurveSource, unpackState } from '../kept-curves.js'
import { mergeFits } from '../packed-curves.js'

/** The most queries that are named of the stake of one document. */
const MAX_STAKE_QUERIES = 8

/** A score→rank curve beside the answers of today. */
export interface QueryCurve {
  /** As the workload names it: its text, or, where no texts are kept, the hashes of its words. */
  readonly query: string
  /** Answers in the list that the curve was fitted to. */
  readonly listSize: number
  /** Where its straight pieces join, best rank first; for lists of fewer than four answers, the answers. */
  readonly knots: readonly { readonly rank1: number; readonly score: number }[]
  /** The ten best answers, and further ones at ranks twice as far each. */
  readonly ranks: readonly RankedDocument[]
}

export interface RankedDocument {
  readonly key: Key
  /** By the statistics that the curve was fitted with; a search of today may score a little otherwise. */
  readonly score: number
  /** The rank that the curve gives this score, from 1 on. */
  readonly fittedRank1: number
  /** The place among all answers, from 1 on. */
  readonly exactRank1: number
}

export interface CurveExplanationSetup {
  readonly engine: SearchEngine
  readonly workload: WorkloadState
  /** Undefined in memory. */
  readonly stored: (CurveSource & { readonly version: number }) | undefined
  /** Whether the engine measures by curves of its own. */
  isMeasuring(): boolean
}

export class CurveExplanations {
  readonly #setup: CurveExplanationSetup
  /** Of what was loaded last. */
  #loadedVersion: string | undefined
  #names: ReadonlyMap<number, NamedQuery> = new Map()
  #namesVersion: number | undefined
  #preparing: Promise<void> | undefined

  constructor(setup: CurveExplanationSetup) {
    this.#setup = setup
  }

  /** The queries that make the stake of a document, the largest part first; none where nothing is known of it. */
  stakeQueries(doc: number): StakeQuery[] {
    this.#load()
    const parts = this.#setup.engine.stakeParts(doc, MAX_STAKE_QUERIES)
    if (parts === undefined) return []
    const { total, queries, ranks, weights, stakes } = parts
    const names = this.#named()
    return Array.from(queries, (id, at) => {
      const named = names.get(id)
      return {
        query: this.#setup.workload.privacy === 'text' ? named?.query : undefined,
        weight: named?.weight ?? (weights[at] as number),
        rank1: ranks[at] as number,
        share: total > 0 ? (stakes[at] as number) / total : 0,
      }
    })
  }

  /** Undefined for a query without a curve. */
  curve(query: unknown): QueryCurve | undefined {
    const { engine, workload } = this.#setup
    const known = workload.find(query)
    if (known === undefined) return undefined
    this.#load()
    const reading = engine.curveOf(known.id)
    if (reading === undefined) return undefined
    const { listSize, knots, documents, scores, fittedRanks, exactRanks } = reading
    const ranks = Array.from(documents, (doc, at) => ({
      key: engine.keyOf(doc) as Key,
      score: scores[at] as number,
      fittedRank1: fittedRanks[at] as number,
      exactRank1: exactRanks[at] as number,
    }))
    return {
      query: known.name,
      listSize,
      knots: Array.from({ length: knots.length / 2 }, (_, at) => ({
        rank1: knots[2 * at] as number,
        score: knots[2 * at + 1] as number,
      })),
      ranks,
    }
  }

  /** Queries by their ids. Weights are those of the last record. */
  #named(): ReadonlyMap<number, NamedQuery> {
    finish(this.#naming())
    return this.#names
  }

  *#naming(): Steps<void> {
    const { workload } = this.#setup
    const { version } = workload
    if (this.#namesVersion === version) return
    const names = yield* workload.measured.naming()
    this.#names = names
    this.#namesVersion = version
  }

  /** Loads kept curves with pauses, so that nothing has to wait for them later. */
  async prepare(): Promise<void> {
    this.#preparing ??= this.#prepareInTurns().finally(() => {
      this.#preparing = undefined
    })
    await this.#preparing
  }

  async #prepareInTurns(): Promise<void> {
    // What was done before in this turn has had its time.
    if (this.#namesVersion !== this.#setup.workload.version) await nextTurn()
    await inTurns(this.#preparation(), new Pauses())
  }

  *#preparation(): Steps<void> {
    yield* this.#loading()
    yield
    yield* this.#naming()
  }

  #load(): void {
    finish(this.#loading())
  }

  /** Kept curves, where the engine has none of its own. They are read again when somebody has written. */
  *#loading(): Steps<void> {
    const { engine, workload, stored, isMeasuring } = this.#setup
    if (stored === undefined || isMeasuring()) return
    // A reader that has gone on to another state may have another core.
    const version = `${stored.version} ${engine.sequence()}`
    if (this.#loadedVersion === version) return
    try {
      const state = unpackState(stored.state(), engine.words.hashBytes)
      const [scoring, terms, pieces] = state === undefined ? [] : (JSON.parse(state.basis) as [string, string, number])
      if (state !== undefined && pieces !== undefined && scoring === engine.scoring && terms === workload.terms) {
        const rows = yield* mergeFits(stored.fits())
        const queries = yield* workload.measured.queries(new Map())
        const wire = yield* encodeWorkload(queries)
        yield
        engine.loadCurves(wire, pieces, state.view, { ...rows, statistics: state.statistics, churn: new Uint8Array() })
      }
    } catch {
      // Curves that cannot be read explain nothing; check() says that they are damaged.
    }
    this.#loadedVersion = version
  }
}
