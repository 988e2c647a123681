/**
 * The pages with the highest priorities, without judging all of them each time.
 *
 * Documents lie in blocks of 64. Judging a block yields two bounds that are kept: its highest priority, and how fast
 * any of its priorities can grow. A touched row can only raise the bounds. A block is judged again when no other block
 * can hold a higher priority.
 *
 * Answers are exact with respect to the frozen totals and trust. When these are taken anew, all blocks are judged
 * again.
 */
import type { Steps } from '../../base/turns.js'
import type { ReadableLedger } from '../../ledger/ledger.js'
import type { LedgerTotals } from '../../ledger/totals.js'
import { FallingHeap } from '../../math/heap.js'
import { EVERYTHING, FrozenView } from '../model/current-model.js'
import type { Judgement, Policy, PolicyExplanation } from '../policies/policy.js'
import { BLOCK_ROWS, type GainTotal } from './gain-total.js'
import type { Candidate } from './next.js'

/** A bound and a priority are computed in different ways; this allows for far more than their rounding errors. */
const ROUNDING = 1 + 1e-9
const NONE = -1

/** Each column holds one number a block. */
export interface BlockBounds {
  readonly judgedMs: Float64Array
  /** The highest priority at that time. Infinity for a block that must be judged, -1 for one without pages. */
  readonly highest: Float64Array
  /** The most that any priority has grown since then, per millisecond. */
  readonly growthPerMs: Float64Array
}

export class PriorityBlocks {
  readonly policy: Policy
  readonly #ledger: ReadableLedger
  readonly #frozen: FrozenView
  readonly #stopListening: () => void
  /** Whether the view is the one that the gain model of the ledger is made of. */
  readonly #isShared: boolean
  readonly #total: GainTotal | undefined
  #frozenVersion = 0
  /** The policy as prepared for the frozen view. */
  #judge: Policy
  #bounds: BlockBounds = newBounds(0)
  #judgedRows = 0

  /**
   * `shared`: the view of the gain model, for a policy that follows all that the model does. `total`: is told the gains
   * of the blocks that are judged by that model anyway.
   */
  constructor(ledger: ReadableLedger, policy: Policy, shared?: FrozenView, total?: GainTotal) {
    this.policy = policy
    this.#ledger = ledger
    this.#isShared = shared !== undefined && policy.learnsFromVisits === true
    this.#total = this.#isShared ? total : undefined
    this.#frozen = this.#isShared ? (shared as FrozenView) : new FrozenView(ledger)
    this.#frozenVersion = this.#isShared ? this.#frozen.follow(EVERYTHING) : 0
    this.#judge = this.#prepared()
    this.#stopListening = ledger.onTouched((doc) => this.#touched(doc))
  }

  /** Stops following the ledger. */
  close(): void {
    this.#stopListening()
  }

  /** Rows judged by `top` so far: what its answers have cost. */
  get judgedRows(): number {
    return this.#judgedRows
  }

  /** The frozen totals, on which the last answers are based. */
  get totals(): LedgerTotals {
    return this.#frozen.totals
  }

  /** Pages with a lower priority are not to be refreshed. */
  get threshold(): number {
    return this.#judge.threshold ?? 0
  }

  get memoryBytes(): number {
    return Object.values(this.#bounds).reduce((sum: number, column: Float64Array) => sum + column.byteLength, 0)
  }

  /** 0 for a page that is not present. */
  priority(doc: number, atMs: number): number {
    if (this.#ledger.columns.present[doc] !== 1) return 0
    this.#follow()
    return this.#judge.priority(this.#ledger.columns, doc, atMs, this.totals)
  }

  explain(doc: number, atMs: number): PolicyExplanation {
    this.#follow()
    return this.#judge.explain(this.#ledger.columns, doc, atMs, this.totals)
  }

  /**
   * The pages that are present, accepted and not below the policy's threshold, highest priority first, equal ones by
   * number. The caller must finish or abandon the iteration before the ledger changes again. Each page is offered to
   * `accept` at most once, when its turn has come.
   */
  *top(atMs: number, accept: (doc: number) => boolean = () => true): Generator<Candidate, void, undefined> {
    this.#follow()
    const blocks = Math.ceil(this.#ledger.rows / BLOCK_ROWS)
    this.#reserve(blocks)
    const heap = this.#heapAt(atMs, blocks)
    const least = this.threshold
    const judged = new Map<number, Float64Array>()
    for (let doc = heap.top; doc !== undefined && heap.topWorth >= least; doc = heap.top) {
      const block = Math.floor(doc / BLOCK_ROWS)
      let priorities = judged.get(block)
      if (priorities === undefined) {
        priorities = this.#judgeBlock(block, atMs)
        judged.set(block, priorities)
      } else {
        const priority = heap.topWorth
        priorities[doc - block * BLOCK_ROWS] = NONE
        if (accept(doc)) yield { doc, priority }
      }
      const best = indexOfLargest(priorities)
      heap.lowerTop(priorities[best]!, block * BLOCK_ROWS + best)
    }
  }

  /** The bounds as they are; undefined where the policy follows another view than that of the gain model. */
  kept(): BlockBounds | undefined {
    if (!this.#isShared) return undefined
    this.#follow()
    const blocks = Math.ceil(this.#ledger.rows / BLOCK_ROWS)
    this.#reserve(blocks)
    const { judgedMs, highest, growthPerMs } = this.#bounds
    const first = (column: Float64Array) => column.slice(0, blocks)
    return { judgedMs: first(judgedMs), highest: first(highest), growthPerMs: first(growthPerMs) }
  }

  /**
   * Goes on with bounds that were kept. REQUIRES: as many as there are blocks, and rows and view are those that they
   * are of.
   */
  takeUp(bounds: BlockBounds): void {
    this.#follow()
    this.#reserve(bounds.highest.length)
    for (const name of Object.keys(bounds) as (keyof BlockBounds)[]) this.#bounds[name].set(bounds[name])
  }

  /** Whether the bounds of a block hold, as far as its rows can tell at the moment that it was judged for. */
  isBounded(block: number): boolean {
    this.#follow()
    const { judgedMs, highest, growthPerMs } = this.#bounds
    for (let doc = block * BLOCK_ROWS; doc < Math.min(this.#ledger.rows, (block + 1) * BLOCK_ROWS); doc++) {
      if (this.#ledger.columns.present[doc] !== 1) continue
      const { priority, growthPerMs: growth } = this.#judgeRow(doc, judgedMs[block]!)
      if (priority > highest[block]! * ROUNDING || growth > growthPerMs[block]! * ROUNDING) return false
    }
    return true
  }

  /** Judges every block that must be judged, in steps, so that the next question need not. */
  *judging(atMs: number): Steps<void> {
    this.#follow()
    for (let block = 0; block * BLOCK_ROWS < this.#ledger.rows; block++) {
      this.#reserve(block + 1)
      if (this.#bounds.highest[block] === Number.POSITIVE_INFINITY) this.#judgeBlock(block, atMs)
      yield
    }
  }

  /** One entry a block: its bound until the block is judged, then its best page that is left. */
  #heapAt(atMs: number, blocks: number): FallingHeap {
    const docs = new Uint32Array(blocks)
    const bounds = new Float64Array(blocks)
    for (let block = 0; block < blocks; block++) {
      docs[block] = block * BLOCK_ROWS
      bounds[block] = this.#boundAt(block, atMs)
    }
    return new FallingHeap(docs, bounds)
  }

  /** Judges all pages of a block and sets its bounds. Returns the priorities, -1 where there is no page. */
  #judgeBlock(block: number, atMs: number): Float64Array {
    const { columns } = this.#ledger
    const first = block * BLOCK_ROWS
    const priorities = new Float64Array(Math.min(BLOCK_ROWS, this.#ledger.rows - first)).fill(NONE)
    let highest = NONE
    let fastest = 0
    this.#total?.begin(block, atMs)
    for (let at = 0; at < priorities.length; at++) {
      const doc = first + at
      if (columns.present[doc] === 0) continue
      const { priority, growthPerMs: growth, gain } = this.#judgeRow(doc, atMs)
      priorities[at] = priority
      if (gain !== undefined) this.#total?.give(block, doc, gain)
      if (priority > highest) highest = priority
      if (growth > fastest) fastest = growth
    }
    this.#judgedRows += priorities.length
    this.#bounds.judgedMs[block] = atMs
    this.#bounds.highest[block] = highest
    this.#bounds.growthPerMs[block] = fastest
    return priorities
  }

  #judgeRow(doc: number, atMs: number): Judgement {
    const { columns } = this.#ledger
    const policy = this.#judge
    return (
      policy.judge?.(columns, doc, atMs, this.totals) ?? {
        priority: policy.priority(columns, doc, atMs, this.totals),
        growthPerMs: policy.growthPerMs(columns, doc, atMs, this.totals),
      }
    )
  }

  /**
   * An upper bound of the block's priorities. It holds before the time of judging, too: no priority falls with time.
   */
  #boundAt(block: number, atMs: number): number {
    const { judgedMs, highest, growthPerMs } = this.#bounds
    if (highest[block] === NONE) return NONE
    return (highest[block]! + growthPerMs[block]! * Math.max(0, atMs - judgedMs[block]!)) * ROUNDING
  }

  #touched(doc: number): void {
    const block = Math.floor(doc / BLOCK_ROWS)
    const { judgedMs, highest, growthPerMs } = this.#bounds
    const { columns } = this.#ledger
    if (block >= highest.length || highest[block] === Number.POSITIVE_INFINITY || columns.present[doc] === 0) return
    const { priority, growthPerMs: growth } = this.#judgeRow(doc, judgedMs[block]!)
    highest[block] = Math.max(highest[block]!, priority)
    growthPerMs[block] = Math.max(growthPerMs[block]!, growth)
  }

  #follow(): void {
    // Only a policy with `prepare` reads trust and clusters.
    const { prepare, learnsFromVisits = false } = this.policy
    const follows = { totals: this.#judge.usesTotals, groups: prepare !== undefined, visits: learnsFromVisits }
    const version = this.#frozen.follow(this.#isShared ? EVERYTHING : follows)
    if (version === this.#frozenVersion) return
    this.#frozenVersion = version
    this.#judge = this.#prepared()
    this.#bounds.highest.fill(Number.POSITIVE_INFINITY)
  }

  #prepared(): Policy {
    return this.policy.prepare?.(this.#frozen.view) ?? this.policy
  }

  #reserve(blocks: number): void {
    if (blocks <= this.#bounds.highest.length) return
    const grown = newBounds(Math.max(blocks, 2 * this.#bounds.highest.length))
    for (const name of Object.keys(grown) as (keyof BlockBounds)[]) grown[name].set(this.#bounds[name])
    this.#bounds = grown
  }
}

function newBounds(blocks: number): BlockBounds {
  return {
    judgedMs: new Float64Array(blocks),
    highest: new Float64Array(blocks).fill(Number.POSITIVE_INFINITY),
    growthPerMs: new Float64Array(blocks),
  }
}

/** The first one, if several are the largest. */
function indexOfLargest(values: Float64Array): number {
  let best = 0
  for (let at = 1; at < values.length; at++) if (values[at]! > values[best]!) best = at
  return best
}
