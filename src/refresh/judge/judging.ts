/** Judges the pages of a ledger, on whichever thread: the best of them, given ones, or all. */
import type { ReadableLedger } from '../../ledger/ledger.js'
import { GainTotal, type JudgedTotal } from '../choose/gain-total.js'
import { isReadyAt } from '../choose/next.js'
import { PolicyRankings } from '../choose/policy-rankings.js'
import type { PriorityBlocks } from '../choose/priority-blocks.js'
import { CurrentModel } from '../model/current-model.js'
import type { PolicyChoice } from '../policies/registry.js'

/** Documents with what they are judged to be worth, highest priority first, equal ones by number. */
export interface JudgedPages {
  readonly docs: Uint32Array
  readonly priorities: Float64Array
  /** E[ΔQ_A] of each. */
  readonly deltaQualities: Float64Array
  /** The probability of a change of each. */
  readonly changeChances: Float64Array
}

/** Some of the pages, in their order. There may be millions: no list of objects or numbers is made of them. */
export function chosenOf(pages: JudgedPages, isChosen: (doc: number, at: number) => boolean): JudgedPages {
  const docs = new Uint32Array(pages.docs.length)
  const priorities = new Float64Array(docs.length)
  const deltaQualities = new Float64Array(docs.length)
  const changeChances = new Float64Array(docs.length)
  let count = 0
  for (let at = 0; at < docs.length; at++) {
    if (!isChosen(pages.docs[at]!, at)) continue
    docs[count] = pages.docs[at]!
    priorities[count] = pages.priorities[at]!
    deltaQualities[count] = pages.deltaQualities[at]!
    changeChances[count] = pages.changeChances[at]!
    count++
  }
  return {
    docs: docs.subarray(0, count),
    priorities: priorities.subarray(0, count),
    deltaQualities: deltaQualities.subarray(0, count),
    changeChances: changeChances.subarray(0, count),
  }
}

export interface PagesRequest {
  readonly policy: PolicyChoice
  readonly atMs: number
  /** Pages that were refreshed less than this ago are left out, and those that wait after a failure. */
  readonly minIntervalMs: number
}

export interface BestRequest extends PagesRequest {
  /** How many pages to give; fewer only when there are no more. */
  readonly count: number
}

export interface BestPages extends JudgedPages {
  /** What refreshing all pages would gain. */
  readonly total: JudgedTotal
}

/**
 * A total by blocks, each extrapolated by its growth until that is this share of it: the total is off by far less than
 * anybody reads.
 */
const TOTAL_SLACK = 0.01

export class LedgerJudge {
  readonly ledger: ReadableLedger
  readonly model: CurrentModel
  readonly total: GainTotal
  readonly #rankings: PolicyRankings

  /** `slack`: see GainTotal. */
  constructor(ledger: ReadableLedger, model: CurrentModel = new CurrentModel(ledger), slack: number = TOTAL_SLACK) {
    this.ledger = ledger
    this.model = model
    this.total = new GainTotal(ledger, model, slack)
    this.#rankings = new PolicyRankings(ledger, undefined, model, this.total)
  }

  /** Stops following the ledger. */
  close(): void {
    this.#rankings.close()
    this.total.close()
  }

  blocks(policy: PolicyChoice): PriorityBlocks {
    return this.#rankings.of(policy)
  }

  /** The pages that are present, ready, and not below the policy's threshold. */
  best({ policy, atMs, minIntervalMs, count }: BestRequest): BestPages {
    const docs: number[] = []
    const priorities: number[] = []
    const isReady = isReadyAt(this.ledger.columns, atMs, minIntervalMs)
    for (const { doc, priority } of count === 0 ? [] : this.blocks(policy).top(atMs, isReady)) {
      docs.push(doc)
      priorities.push(priority)
      if (docs.length === count) break
    }
    const best = this.#withGains(Uint32Array.from(docs), Float64Array.from(priorities), atMs)
    return { ...best, total: this.total.at(atMs) }
  }

  /** The same of given pages, all of them. */
  ranked(docs: Uint32Array, request: PagesRequest): JudgedPages {
    return this.#sorted(docs, request, this.blocks(request.policy).threshold)
  }

  /** The same of all pages, also below the threshold. */
  all(request: PagesRequest): JudgedPages {
    const docs = Uint32Array.from({ length: this.ledger.rows }, (_, doc) => doc)
    return this.#sorted(docs, request, Number.NEGATIVE_INFINITY)
  }

  #sorted(docs: Uint32Array, { policy, atMs, minIntervalMs }: PagesRequest, threshold: number): JudgedPages {
    const blocks = this.blocks(policy)
    const { columns, rows } = this.ledger
    const isReady = isReadyAt(columns, atMs, minIntervalMs)
    const known = docs.filter((doc) => doc < rows && columns.present[doc] === 1 && isReady(doc))
    const worths = Float64Array.from(known, (doc) => blocks.priority(doc, atMs))
    const order = Uint32Array.from(known.keys())
    order.sort((a, b) => worths[b]! - worths[a]! || known[a]! - known[b]!)
    const kept = order.filter((at) => worths[at]! >= threshold)
    return this.#withGains(
      kept.map((at) => known[at]!),
      Float64Array.from(kept, (at) => worths[at]!),
      atMs,
    )
  }

  #withGains(docs: Uint32Array, priorities: Float64Array, atMs: number): JudgedPages {
    const deltaQualities = new Float64Array(docs.length)
    const changeChances = new Float64Array(docs.length)
    for (let at = 0; at < docs.length; at++) {
      const { changeChance, gainIfChanged } = this.model.expected(docs[at]!, atMs)
      changeChances[at] = changeChance
      deltaQualities[at] = changeChance * gainIfChanged
    }
    return { docs, priorities, deltaQualities, changeChances }
  }
}
