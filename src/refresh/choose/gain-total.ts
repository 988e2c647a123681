/**
 * What refreshing all pages at once would gain: the sum of their expected ΔQ_A. The expected gain of a page is a share
 * of this sum.
 *
 * The sum is kept by blocks of pages. Blocks with a touched row are summed up again, and all of them when the model is
 * another one, or when so much time has passed that the sum, which is extrapolated by its growth, may be noticeably off.
 */
import type { Ledger } from '../../ledger/ledger.js'
import type { GainAtMoment, ModelledView } from '../model/gain-model.js'

/** A judgement of all pages together. */
export interface JudgedTotal {
  /** Σ E[ΔQ_A] over all present pages. */
  readonly deltaQuality: number
  /** The moment for which they were judged. */
  readonly atMs: number
}

/** What a total needs to know of the model of the moment. */
export interface TotalledModel {
  /** Grows when the model is made anew. */
  readonly version: number
  readonly view: ModelledView
}

const BLOCK_ROWS = 256

export class GainTotal {
  readonly #ledger: Ledger
  readonly #model: TotalledModel
  readonly #slack: number
  readonly #stopListening: () => void
  #sums = new Float64Array()
  #growths = new Float64Array()
  /** 1: the block must be summed up again. */
  #isTouched = new Uint8Array()
  #judged: { readonly atMs: number; readonly modelVersion: number } | undefined
  #last: JudgedTotal | undefined

  /**
   * `slack`: the sum is taken anew when it has grown by more than this share of itself since; 0: for every other
   * moment.
   */
  constructor(ledger: Ledger, model: TotalledModel, slack = 0) {
    this.#ledger = ledger
    this.#model = model
    this.#slack = slack
    this.#stopListening = ledger.onTouched((doc) => {
      const block = Math.floor(doc / BLOCK_ROWS)
      if (block < this.#isTouched.length) this.#isTouched[block] = 1
    })
  }

  /** Stops following the ledger. */
  close(): void {
    this.#stopListening()
  }

  /** The sum at this moment. */
  at(atMs: number): JudgedTotal {
    const { version } = this.#model
    const blocks = Math.ceil(this.#ledger.rows / BLOCK_ROWS)
    this.#reserve(blocks)
    if (this.#judged?.modelVersion !== version || !this.#isNear(atMs)) {
      this.#isTouched.fill(1)
      this.#judged = { atMs, modelVersion: version }
    }
    const { atMs: judgedMs } = this.#judged as { readonly atMs: number }
    const all: GainAtMoment = { deltaQuality: 0, growthPerMs: 0 }
    for (let block = 0; block < blocks; block++) {
      if (this.#isTouched[block] === 1) this.#sumUp(block, judgedMs)
      all.deltaQuality += this.#sums[block]!
      all.growthPerMs += this.#growths[block]!
    }
    this.#last = { deltaQuality: Math.max(0, all.deltaQuality + all.growthPerMs * (atMs - judgedMs)), atMs }
    return this.#last
  }

  /** The last judgement; a new one when there is none, or the pages have moved noticeably since. */
  lastOr(atMs: number): JudgedTotal {
    if (this.#last === undefined || this.#judged?.modelVersion !== this.#model.version) return this.at(atMs)
    return this.#last
  }

  #isNear(atMs: number): boolean {
    const passedMs = Math.abs(atMs - (this.#judged?.atMs ?? Number.NaN))
    if (passedMs === 0 || this.#slack === 0) return passedMs === 0
    const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0)
    return sumOf(this.#growths) * passedMs <= this.#slack * sumOf(this.#sums)
  }

  #sumUp(block: number, atMs: number): void {
    const { columns, rows } = this.#ledger
    const model = this.#model.view.gains()
    const into: GainAtMoment = { deltaQuality: 0, growthPerMs: 0 }
    const end = Math.min(rows, (block + 1) * BLOCK_ROWS)
    for (let doc = block * BLOCK_ROWS; doc < end; doc++)
      if (columns.present[doc] === 1) model.addGain(columns, doc, atMs, into)
    this.#sums[block] = into.deltaQuality
    this.#growths[block] = into.growthPerMs
    this.#isTouched[block] = 0
  }

  #reserve(blocks: number): void {
    const known = this.#isTouched.length
    if (blocks <= known) return
    const grown = <T extends Float64Array | Uint8Array>(before: T, after: T): T => {
      after.set(before)
      return after
    }
    const size = Math.max(blocks, 2 * known)
    this.#sums = grown(this.#sums, new Float64Array(size))
    this.#growths = grown(this.#growths, new Float64Array(size))
    this.#isTouched = grown(this.#isTouched, new Uint8Array(size).fill(1))
  }
}
