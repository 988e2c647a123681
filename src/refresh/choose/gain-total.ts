/**
 * What refreshing all pages at once would gain: the sum of their expected ΔQ_A. The expected gain of a page is a share
 * of this sum.
 *
 * The sum is kept by blocks of pages, each with its growth. A block is summed up again when one of its rows was
 * touched, when the model is another one, or when so much time has passed that extrapolating by the growth may be
 * noticeably off.
 */
import type { Steps } from '../../base/turns.js'
import type { ReadableLedger } from '../../ledger/ledger.js'
import type { GainAtMoment, ModelledView } from '../model/gain-model.js'

/** Pages of a block, here and in priority-blocks.ts. */
export const BLOCK_ROWS = 64

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

/** Each column holds one number a block. */
interface BlockSums {
  readonly deltaQuality: Float64Array
  readonly growthPerMs: Float64Array
  /** The moment of the sum; NaN for a block that must be summed up. */
  readonly atMs: Float64Array
}

export class GainTotal {
  readonly #ledger: ReadableLedger
  readonly #model: TotalledModel
  readonly #slack: number
  readonly #stopListening: () => void
  #sums = newSums(0)
  #modelVersion = -1
  #last: JudgedTotal | undefined

  /**
   * `slack`: a block is summed up again when its sum has grown by more than this share of itself since; 0: for every
   * other moment.
   */
  constructor(ledger: ReadableLedger, model: TotalledModel, slack = 0) {
    this.#ledger = ledger
    this.#model = model
    this.#slack = slack
    this.#stopListening = ledger.onTouched((doc) => {
      const block = Math.floor(doc / BLOCK_ROWS)
      if (block < this.#sums.atMs.length) this.#sums.atMs[block] = Number.NaN
    })
  }

  /** Stops following the ledger. */
  close(): void {
    this.#stopListening()
  }

  /** The sum at this moment. */
  at(atMs: number): JudgedTotal {
    this.#follow()
    const { deltaQuality, growthPerMs, atMs: summedMs } = this.#sums
    const blocks = Math.ceil(this.#ledger.rows / BLOCK_ROWS)
    let all = 0
    for (let block = 0; block < blocks; block++) {
      const grownBy = growthPerMs[block]! * (atMs - summedMs[block]!)
      // A block without a sum has NaN here, which is not near.
      const isNear = atMs === summedMs[block] || Math.abs(grownBy) <= this.#slack * deltaQuality[block]!
      if (isNear) all += Math.max(0, deltaQuality[block]! + grownBy)
      else all += this.#sumUp(block, atMs)
    }
    this.#last = { deltaQuality: all, atMs }
    return this.#last
  }

  /** Sums up every block that must be summed up, in steps, so that the next question need not. */
  *summing(atMs: number): Steps<void> {
    for (let block = 0; block < Math.ceil(this.#ledger.rows / BLOCK_ROWS); block++) {
      this.#follow()
      if (Number.isNaN(this.#sums.atMs[block])) this.#sumUp(block, atMs)
      yield
    }
  }

  /** The last judgement; a new one when there is none, or the pages have moved noticeably since. */
  lastOr(atMs: number): JudgedTotal {
    if (this.#last === undefined || this.#modelVersion !== this.#model.version) return this.at(atMs)
    return this.#last
  }

  /** The sum of a block, for which whoever judged it has asked the model of the moment. */
  give(block: number, atMs: number, { deltaQuality, growthPerMs }: Readonly<GainAtMoment>): void {
    this.#follow()
    this.#sums.deltaQuality[block] = deltaQuality
    this.#sums.growthPerMs[block] = growthPerMs
    this.#sums.atMs[block] = atMs
  }

  #sumUp(block: number, atMs: number): number {
    const { columns, rows } = this.#ledger
    const model = this.#model.view.gains()
    const into: GainAtMoment = { deltaQuality: 0, growthPerMs: 0 }
    const end = Math.min(rows, (block + 1) * BLOCK_ROWS)
    for (let doc = block * BLOCK_ROWS; doc < end; doc++)
      if (columns.present[doc] === 1) model.addGain(columns, doc, atMs, into)
    this.#sums.deltaQuality[block] = into.deltaQuality
    this.#sums.growthPerMs[block] = into.growthPerMs
    this.#sums.atMs[block] = atMs
    return into.deltaQuality
  }

  #follow(): void {
    const blocks = Math.ceil(this.#ledger.rows / BLOCK_ROWS)
    const known = this.#sums.atMs.length
    if (blocks > known) {
      const grown = newSums(Math.max(blocks, 2 * known))
      for (const name of Object.keys(grown) as (keyof BlockSums)[]) grown[name].set(this.#sums[name])
      this.#sums = grown
    }
    const { version } = this.#model
    if (version === this.#modelVersion) return
    this.#modelVersion = version
    this.#sums.atMs.fill(Number.NaN)
  }
}

function newSums(blocks: number): BlockSums {
  return {
    deltaQuality: new Float64Array(blocks),
    growthPerMs: new Float64Array(blocks),
    atMs: new Float64Array(blocks).fill(Number.NaN),
  }
}
