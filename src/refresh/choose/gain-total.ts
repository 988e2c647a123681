/**
 * What refreshing all pages at once would gain: the sum of their expected ΔQ_A. The expected gain of a page is a share
 * of this sum.
 *
 * The sum is kept by blocks of pages, each with its growth. A block is summed up again when the model is another one,
 * or when so much time has passed that extrapolating by the growth may be noticeably off. Where slack is allowed, the
 * part of each page is kept, too, and only that of a touched page is asked for anew; otherwise its block is summed up
 * again.
 */
import type { Steps } from '../../base/turns.js'
import type { ReadableLedger } from '../../ledger/ledger.js'
import type { GainAtMoment, GainModel, ModelledView } from '../model/gain-model.js'

/** Pages of a block, here and in priority-blocks.ts. */
export const BLOCK_ROWS = 64

/** Far more than the rounding of a sum. */
const SUM_ERROR = 1e-6

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
export interface BlockSums {
  readonly deltaQuality: Float64Array
  readonly growthPerMs: Float64Array
  /** The moment of the sum; NaN for a block that must be summed up. */
  readonly atMs: Float64Array
}

/** Each column holds one number a page: what it has in the sum of its block. 12 bytes a page. */
interface PageParts {
  readonly deltaQuality: Float64Array
  readonly growthPerMs: Float32Array
}

export class GainTotal {
  readonly #ledger: ReadableLedger
  readonly #model: TotalledModel
  readonly #slack: number
  readonly #stopListening: () => void
  #sums = newSums(0)
  #parts: PageParts = newParts(0)
  /** By block, whether the parts of its pages are known: sums that were taken up come without. */
  #hasParts = new Uint8Array()
  readonly #part: GainAtMoment = { deltaQuality: 0, growthPerMs: 0 }
  /** The model that the sums are by. */
  #gains: GainModel | undefined
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
    this.#stopListening = ledger.onTouched((doc) => this.#touched(doc))
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

  /** The sums as they are, for the model of the moment. */
  kept(): BlockSums {
    this.#follow()
    const blocks = Math.ceil(this.#ledger.rows / BLOCK_ROWS)
    const { deltaQuality, growthPerMs, atMs } = this.#sums
    const first = (column: Float64Array) => column.slice(0, blocks)
    return { deltaQuality: first(deltaQuality), growthPerMs: first(growthPerMs), atMs: first(atMs) }
  }

  /** Goes on with sums that were kept. REQUIRES: rows and model are those that they are of. */
  takeUp(sums: BlockSums): void {
    this.#follow()
    for (const name of Object.keys(sums) as (keyof BlockSums)[]) this.#sums[name].set(sums[name])
    this.#hasParts.fill(0)
  }

  /** Asks for the parts of pages whose sums came without, in steps, so that a touched page need not. */
  *fillingIn(): Steps<void> {
    for (let block = 0; block < Math.ceil(this.#ledger.rows / BLOCK_ROWS); block++) {
      this.#follow()
      const atMs = this.#sums.atMs[block]!
      if (this.#hasParts[block] !== 0 || Number.isNaN(atMs)) continue
      this.#sumUp(block, atMs)
      yield
    }
  }

  /** Whether the sum of a block is that of its rows at the moment that it was summed up for, or there is none. */
  isSummed(block: number): boolean {
    const { deltaQuality, atMs } = this.#sums
    if (Number.isNaN(atMs[block])) return true
    const before = deltaQuality[block]!
    return Math.abs(this.#sumUp(block, atMs[block]!) - before) <= SUM_ERROR * before
  }

  /** The last judgement; a new one when there is none, or the pages have moved noticeably since. */
  lastOr(atMs: number): JudgedTotal {
    if (this.#last === undefined || this.#modelVersion !== this.#model.version) return this.at(atMs)
    return this.#last
  }

  /** Begins a block anew, for which whoever judges it asks the model of the moment: `give` follows for its pages. */
  begin(block: number, atMs: number): void {
    this.#follow()
    this.#gains = this.#model.view.gains()
    this.#sums.deltaQuality[block] = 0
    this.#sums.growthPerMs[block] = 0
    this.#sums.atMs[block] = atMs
    if (this.#slack === 0) return
    this.#hasParts[block] = 1
    this.#parts.deltaQuality.fill(0, block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS)
    this.#parts.growthPerMs.fill(0, block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS)
  }

  /** What a page that is present adds to the block that was begun. */
  give(block: number, doc: number, { deltaQuality, growthPerMs }: Readonly<GainAtMoment>): void {
    this.#sums.deltaQuality[block]! += deltaQuality
    this.#sums.growthPerMs[block]! += Math.fround(growthPerMs)
    if (this.#slack === 0) return
    this.#parts.deltaQuality[doc] = deltaQuality
    this.#parts.growthPerMs[doc] = growthPerMs
  }

  #sumUp(block: number, atMs: number): number {
    const { columns, rows } = this.#ledger
    const end = Math.min(rows, (block + 1) * BLOCK_ROWS)
    this.begin(block, atMs)
    for (let doc = block * BLOCK_ROWS; doc < end; doc++)
      if (columns.present[doc] === 1) this.give(block, doc, this.#partOf(doc, atMs))
    return this.#sums.deltaQuality[block]!
  }

  /** Valid until the next call. */
  #partOf(doc: number, atMs: number): GainAtMoment {
    this.#part.deltaQuality = 0
    this.#part.growthPerMs = 0
    this.#gains?.addGain(this.#ledger.columns, doc, atMs, this.#part)
    return this.#part
  }

  #touched(doc: number): void {
    const block = Math.floor(doc / BLOCK_ROWS)
    const { deltaQuality, growthPerMs, atMs } = this.#sums
    if (!(block < atMs.length) || Number.isNaN(atMs[block])) return
    if (this.#slack === 0 || this.#hasParts[block] === 0) {
      atMs[block] = Number.NaN
      return
    }
    const part = this.#ledger.columns.present[doc] === 1 ? this.#partOf(doc, atMs[block]!) : NOTHING
    const parts = this.#parts
    parts.deltaQuality[doc] = part.deltaQuality
    parts.growthPerMs[doc] = part.growthPerMs
    // In the order of the pages, so that rounding is that of a block that is summed up.
    let [sum, growth] = [0, 0]
    for (let page = block * BLOCK_ROWS; page < (block + 1) * BLOCK_ROWS; page++) {
      sum += parts.deltaQuality[page]!
      growth += parts.growthPerMs[page]!
    }
    deltaQuality[block] = sum
    growthPerMs[block] = growth
  }

  #follow(): void {
    const blocks = Math.ceil(this.#ledger.rows / BLOCK_ROWS)
    const known = this.#sums.atMs.length
    if (blocks > known) {
      const grown = newSums(Math.max(blocks, 2 * known))
      for (const name of Object.keys(grown) as (keyof BlockSums)[]) grown[name].set(this.#sums[name])
      this.#sums = grown
      if (this.#slack > 0) {
        const parts = newParts(grown.atMs.length * BLOCK_ROWS)
        parts.deltaQuality.set(this.#parts.deltaQuality)
        parts.growthPerMs.set(this.#parts.growthPerMs)
        this.#parts = parts
        const hasParts = new Uint8Array(grown.atMs.length)
        hasParts.set(this.#hasParts)
        this.#hasParts = hasParts
      }
    }
    const { version } = this.#model
    if (version === this.#modelVersion) return
    this.#modelVersion = version
    this.#sums.atMs.fill(Number.NaN)
  }
}

const NOTHING: Readonly<GainAtMoment> = { deltaQuality: 0, growthPerMs: 0 }

function newParts(pages: number): PageParts {
  return { deltaQuality: new Float64Array(pages), growthPerMs: new Float32Array(pages) }
}

function newSums(blocks: number): BlockSums {
  return {
    deltaQuality: new Float64Array(blocks),
    growthPerMs: new Float64Array(blocks),
    atMs: new Float64Array(blocks).fill(Number.NaN),
  }
}
