/** What the judge's thread is asked, and what it answers. */
import type { TrustRow } from '../../ledger/site-trust.js'
import type { LedgerTotals } from '../../ledger/totals.js'
import type { GainModelData } from '../model/gain-model.js'
import type { BestPages, BestRequest, JudgedPages, PagesRequest } from './judging.js'
import type { KeptJudgement } from './kept-judgement.js'
import type { LedgerNews } from './ledger-news.js'

export type JudgeJob =
  | { readonly kind: 'best'; readonly request: BestRequest }
  | { readonly kind: 'ranked'; readonly request: PagesRequest; readonly docs: Uint32Array }
  | { readonly kind: 'all'; readonly request: PagesRequest }
  /** Only makes the model. No pages. */
  | { readonly kind: 'learn' }
  /** What is known beside the rows, for the next opening. No pages. */
  | { readonly kind: 'keep' }

export interface JudgeQuestion {
  readonly id: number
  readonly news: LedgerNews
  readonly job: JudgeJob
  /** With the first question: what an earlier process knew of the rows, which only the touched ones have left. */
  readonly kept?: KeptJudgement | undefined
}

export interface ToldModel {
  readonly data: GainModelData
  readonly totals: LedgerTotals
  readonly openShare: number
  readonly trust: readonly TrustRow[]
}

export interface JudgeAnswer {
  readonly id: number
  readonly pages?: JudgedPages | BestPages
  /** The model by which they were judged, if it is another one than before, and what was frozen with it. */
  readonly model?: ToldModel | undefined
  readonly kept?: KeptJudgement | undefined
  readonly failure?: unknown
}
