/**
 * Judges the pages of a ledger whose model takes longer to make than an answer may take.
 *
 * What is known of all pages together, a model and totals, is frozen, and is taken anew when it has moved noticeably
 * (current-model.ts). Then every page has to be judged again. A few rows that were touched can move it: those of the
 * best pages have most of the stakes. But they tell little about all the others, so they can wait: answers go on by the
 * view that is there, while a newer one is learnt, and all pages are judged by it, in steps between the questions. It
 * takes over when that is done. Where many rows were touched, or pages were clustered anew, the answer waits for it.
 *
 * Every answer is exact with respect to its view: the rows are judged as they are when the question is asked.
 */
import type { Steps } from '../../base/turns.js'
import type { ReadableLedger } from '../../ledger/ledger.js'
import { SiteTrust } from '../../ledger/site-trust.js'
import { EVERYTHING } from '../model/current-model.js'
import type { PolicyChoice } from '../policies/registry.js'
import { HeldLedger } from './held-ledger.js'
import { type BestPages, type BestRequest, type JudgedPages, LedgerJudge, type PagesRequest } from './judging.js'
import type { KeptJudgement } from './kept-judgement.js'

/** Smaller ledgers are judged again within the question. */
export const STEADY_ROWS = 50_000
/** Up to this share of the rows, what was touched can wait. New stakes of a whole fit move some hundredths of them. */
const FEW_SHARE = 0.1
/** Blocks that are looked at before what an earlier process knew of all of them is believed. */
const LOOKED_AT = 32

interface Judging {
  readonly ledger: HeldLedger
  readonly judge: LedgerJudge
  /** Touches since its view was taken; Infinity before it has one. */
  touches: number
  /** That of the ledger when its view was taken. */
  groupings: number
}

interface Coming extends Judging {
  readonly steps: Steps<void>
}

export class SteadyJudge {
  readonly #ledger: ReadableLedger
  readonly #leastRows: number
  #current: Judging
  #coming: Coming | undefined
  /** What the last question about the best pages was. */
  #asked: BestRequest | undefined
  /** Of that question, or of one to an earlier process. */
  #policy: PolicyChoice | undefined
  /** Of a judgement that was taken up. */
  #filling: Steps<void> | undefined

  /** `leastRows`: of fewer rows than this, the newest view is always waited for. */
  constructor(ledger: ReadableLedger, leastRows: number = STEADY_ROWS) {
    this.#ledger = ledger
    this.#leastRows = leastRows
    this.#current = this.#begun(Number.POSITIVE_INFINITY)
    ledger.onTouched(() => {
      this.#current.touches++
      if (this.#coming !== undefined) this.#coming.touches++
    })
  }

  /** The judge that gave the last answer. */
  get judge(): LedgerJudge {
    return this.#current.judge
  }

  best(request: BestRequest): BestPages {
    this.#asked = request
    this.#policy = request.policy
    return this.#answered((judge) => judge.best(request))
  }

  ranked(docs: Uint32Array, request: PagesRequest): JudgedPages {
    return this.#answered((judge) => judge.ranked(docs, request))
  }

  all(request: PagesRequest): JudgedPages {
    return this.#answered((judge) => judge.all(request))
  }

  /** Only makes the model. */
  learn(): void {
    this.#answered((judge) => judge.model.view.gains())
  }

  /** What is known beside the rows, for the next opening; undefined before anything is. */
  kept(): KeptJudgement | undefined {
    const { judge, touches, groupings } = this.#current
    if (touches === Number.POSITIVE_INFINITY || groupings !== this.#ledger.groupings) return undefined
    const { frozen } = judge.model
    const { totals, openShare, trust } = frozen.parts
    const model = { data: frozen.view.gains().data, totals, openShare, trust: trust.rows() }
    const bounds = this.#policy === undefined ? undefined : judge.blocks(this.#policy).kept()
    const ranking =
      bounds === undefined ? undefined : { policy: JSON.stringify(this.#policy), bounds, sums: judge.total.kept() }
    return { model, touches, ranking }
  }

  /**
   * Goes on with what an earlier process knew of exactly these rows. Some blocks are judged again: where one of them
   * says something else, nothing is believed. REQUIRES: nothing was asked yet, and nobody was told of touched rows.
   */
  takeUp({ model, touches, ranking }: KeptJudgement): void {
    const { judge, ledger } = this.#current
    judge.model.frozen.give({ ...model, trust: SiteTrust.of(model.trust) })
    Object.assign(this.#current, { touches, groupings: this.#ledger.groupings })
    ledger.hold()
    if (ranking === undefined) return
    try {
      this.#policy = JSON.parse(ranking.policy) as PolicyChoice
      const blocks = judge.blocks(this.#policy)
      blocks.takeUp(ranking.bounds)
      judge.total.takeUp(ranking.sums)
      const count = ranking.bounds.highest.length
      for (let nth = 0; nth < LOOKED_AT; nth++) {
        const block = Math.floor((nth * count) / LOOKED_AT)
        if (!blocks.isBounded(block) || !judge.total.isSummed(block)) throw new RangeError('another judgement')
      }
      this.#filling = judge.total.fillingIn()
    } catch {
      this.#policy = undefined
      judge.close()
      this.#current = this.#begun(Number.POSITIVE_INFINITY)
    }
  }

  /** Whether a newer view is being made. */
  get isBehind(): boolean {
    return this.#coming !== undefined
  }

  /** Whether there is anything to do between the questions. Before the first of them nothing is. */
  get hasWork(): boolean {
    return this.isBehind || (this.#asked !== undefined && this.#filling !== undefined)
  }

  /** Goes on with the newer view, by one step, or else with what was not kept of the one that there is. */
  catchUp(): void {
    const coming = this.#coming
    if (coming === undefined) {
      if (this.#filling?.next().done) this.#filling = undefined
      return
    }
    if (!coming.steps.next().done) return
    this.#current.judge.close()
    this.#current = coming
    this.#coming = undefined
    this.#filling = undefined
  }

  #answered<T>(answer: (judge: LedgerJudge) => T): T {
    const { judge, ledger } = this.#current
    const isMoved = judge.model.frozen.isMoved(EVERYTHING)
    if (this.#canWait()) {
      if (isMoved && this.#coming === undefined) this.#coming = this.#begin()
      return answer(judge)
    }
    this.#coming?.judge.close()
    this.#coming = undefined
    if (isMoved || this.#current.touches === Number.POSITIVE_INFINITY) {
      this.#current.touches = 0
      this.#current.groupings = this.#ledger.groupings
    }
    // What has moved is followed within the question.
    ledger.release()
    try {
      return answer(judge)
    } finally {
      ledger.hold()
    }
  }

  #canWait(): boolean {
    const { touches, groupings } = this.#current
    const { rows } = this.#ledger
    return rows >= this.#leastRows && touches <= FEW_SHARE * rows && groupings === this.#ledger.groupings
  }

  #begun(touches: number): Judging {
    const ledger = new HeldLedger(this.#ledger)
    return { ledger, judge: new LedgerJudge(ledger), touches, groupings: this.#ledger.groupings }
  }

  #begin(): Coming {
    const begun = this.#begun(0)
    begun.ledger.hold()
    return { ...begun, steps: catchingUp(begun.judge, this.#asked) }
  }
}

/** The model, and all pages judged by it for what is likely to be asked next. */
function* catchingUp(judge: LedgerJudge, asked: BestRequest | undefined): Steps<void> {
  yield* judge.model.frozen.learning()
  if (asked === undefined) return
  yield* judge.blocks(asked.policy).judging(asked.atMs)
  yield* judge.total.summing(asked.atMs)
}
