/**
 * Keeps what the last judgement said of each document where SQL can read it: the view `refresh_priorities`. It happens
 * beside everything else, with pauses, at most once a second, and in portions, so that neither `next` nor a write waits
 * for it. What could not be kept is kept by the next one.
 */
import { Pauses } from '../../base/turns.js'
import type { RefreshHistory } from '../history.js'
import type { Candidate } from './next.js'
import type { PriorityBlocks } from './priority-blocks.js'

/** Up to so many documents all of them are kept; of more, those that `next` has named, as many at most. */
export const MAX_KEPT_JUDGEMENTS = 10_000
/** Rows of one transaction. */
const PORTION = 2000
/** Documents between two looks at the clock. */
const JUDGED_PORTION = 64
const INTERVAL_MS = 1000

/** Judgements on their way to the catalog, column by column. */
export interface JudgementRows {
  readonly docs: Uint32Array
  readonly priorities: Float64Array
  /** Shares of what refreshing everything would gain. */
  readonly expectedGains: Float64Array
  readonly currentProbabilities: Float64Array
  readonly judgedMs: number
}

export interface JudgedMoment {
  readonly history: RefreshHistory
  readonly blocks: PriorityBlocks
  readonly atMs: number
  /** The documents that were named, best first. */
  readonly named: readonly Candidate[]
  /** Σ E[ΔQ_A] over all present documents. */
  readonly deltaQuality: number
}

export class JudgementKeeper {
  readonly #keep: (rows: JudgementRows) => Promise<void>
  #latest: JudgedMoment | undefined
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  /** `keep` makes rows durable, when it is its turn. */
  constructor(keep: (rows: JudgementRows) => Promise<void>) {
    this.#keep = keep
  }

  note(judgement: JudgedMoment): void {
    this.#latest = judgement
    if (this.#running === undefined && this.#timer === undefined) this.#start()
  }

  /** Resolves when the latest judgement is kept, or could not be. */
  async settled(): Promise<void> {
    await this.#running
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#latest === undefined) return
    this.#start()
    await this.#running
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #start(): void {
    const judgement = this.#latest
    if (judgement === undefined) return
    this.#latest = undefined
    // What fails here fails a write as well, which says so.
    const running = this.#keepAll(judgement)
      .catch(() => {})
      .finally(() => {
        this.#running = undefined
        this.#timer = setTimeout(() => {
          this.#timer = undefined
          this.#start()
        }, INTERVAL_MS)
        this.#timer.unref()
      })
    this.#running = running
  }

  async #keepAll({ history, blocks, atMs, named, deltaQuality }: JudgedMoment): Promise<void> {
    const { ledger, gains } = history
    const pauses = new Pauses()
    await pauses.pause()
    const isAll = ledger.totals().pages <= MAX_KEPT_JUDGEMENTS
    const count = isAll ? ledger.rows : Math.min(named.length, MAX_KEPT_JUDGEMENTS)
    let rows: (readonly [doc: number, priority: number, expectedGain: number, currentProbability: number])[] = []
    const flush = async () => {
      if (rows.length === 0) return
      const column = (at: 1 | 2 | 3) => Float64Array.from(rows, (row) => row[at])
      const docs = Uint32Array.from(rows, ([doc]) => doc)
      const [priorities, expectedGains, currentProbabilities] = [column(1), column(2), column(3)]
      rows = []
      await this.#keep({ docs, priorities, expectedGains, currentProbabilities, judgedMs: atMs })
    }
    for (let nth = 0; nth < count; nth++) {
      if (nth % JUDGED_PORTION === 0 && pauses.isDue) await pauses.pause()
      const doc = isAll ? nth : named[nth]!.doc
      if (ledger.columns.present[doc] !== 1) continue
      const priority = isAll ? blocks.priority(doc, atMs) : named[nth]!.priority
      const { changeChance, gainIfChanged } = gains.expected(doc, atMs)
      const share = deltaQuality > 0 ? Math.min(1, (changeChance * gainIfChanged) / deltaQuality) : 0
      rows.push([doc, priority, share, 1 - changeChance])
      if (rows.length >= PORTION) await flush()
    }
    await flush()
  }
}
