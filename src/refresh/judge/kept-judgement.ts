/**
 * What the judge of a large ledger knows beside its rows, for the next opening: the model, and for each block of pages
 * the bounds of their priorities and the sum of their gains. It counts only for exactly the rows that it was made of.
 * The judge looks at some blocks before it believes the rest (steady-judge.ts).
 */
import { GRID_SIZE } from '../../change/rate-grid.js'
import type { TrustRow } from '../../ledger/site-trust.js'
import { type LedgerTotals, noTotals } from '../../ledger/totals.js'
import { BLOCK_ROWS, type BlockSums } from '../choose/gain-total.js'
import type { BlockBounds } from '../choose/priority-blocks.js'
import type { GainModelData } from '../model/gain-model.js'
import type { ToldModel } from './questions.js'

export interface KeptJudgement {
  readonly model: ToldModel
  /** Rows that were touched since the model was learnt. */
  readonly touches: number
  /** Undefined where nobody has asked which pages are the best, by a policy that judges by the model. */
  readonly ranking: KeptRanking | undefined
}

export interface KeptRanking {
  /** JSON of the choice. */
  readonly policy: string
  readonly bounds: BlockBounds
  readonly sums: BlockSums
}

/** Columns of numbers by name, and all else, which can be written as JSON. */
export interface PackedJudgement {
  readonly head: JudgementHead
  readonly columns: Readonly<Record<string, Float64Array | Uint32Array>>
}

export interface JudgementHead {
  readonly touches: number
  readonly totals: LedgerTotals
  readonly openShare: number
  readonly trust: readonly TrustRow[]
  readonly parents: readonly number[]
  readonly gains: Omit<GainModelData['gains'], 'factors'>
  readonly policy: string | undefined
}

export function packJudgement({ model, touches, ranking }: KeptJudgement): PackedJudgement {
  const { data, totals, openShare, trust } = model
  const { sections, rates, gains } = data
  const { factors, ...scalars } = gains
  const { boundsMs, activity } = rates.clocks ?? { boundsMs: new Float64Array(), activity: new Float64Array() }
  const head = { touches, totals, openShare, trust, parents: sections.parents, gains: scalars, policy: ranking?.policy }
  const { bounds, sums } = ranking ?? {}
  const none = new Float64Array()
  return {
    head,
    columns: {
      ...{ numbers: sections.numbers, priors: rates.priors, factors, clockBoundsMs: boundsMs, clockActivity: activity },
      ...{ judgedMs: bounds?.judgedMs ?? none, highest: bounds?.highest ?? none },
      ...{ fastest: bounds?.growthPerMs ?? none, summedMs: sums?.atMs ?? none },
      ...{ sum: sums?.deltaQuality ?? none, growth: sums?.growthPerMs ?? none },
    },
  }
}

/** Undefined unless it can be that of a ledger with so many rows and sections: what it says is another question. */
export function unpackJudgement(packed: PackedJudgement, rows: number, sections: number): KeptJudgement | undefined {
  try {
    return isPossible(packed, rows, sections) ? unpacked(packed) : undefined
  } catch {
    return undefined
  }
}

function unpacked({ head, columns }: PackedJudgement): KeptJudgement {
  const { touches, totals, openShare, trust, parents, gains, policy } = head
  const at = (name: string) => columns[name] as Float64Array
  const clocks =
    at('clockBoundsMs').length === 0 ? undefined : { boundsMs: at('clockBoundsMs'), activity: at('clockActivity') }
  const data: GainModelData = {
    sections: { parents, numbers: columns.numbers as Uint32Array },
    rates: { priors: at('priors'), clocks },
    gains: { ...gains, factors: at('factors') },
  }
  const bounds = { judgedMs: at('judgedMs'), highest: at('highest'), growthPerMs: at('fastest') }
  const sums = { atMs: at('summedMs'), deltaQuality: at('sum'), growthPerMs: at('growth') }
  return {
    model: { data, totals, openShare, trust },
    touches,
    ranking: policy === undefined ? undefined : { policy, bounds, sums },
  }
}

function isPossible({ head, columns }: PackedJudgement, rows: number, sections: number): boolean {
  const { touches, totals, openShare, parents, gains, policy, trust } = head
  const column = (name: string) => columns[name] as Float64Array
  const all = (name: string, length: number, isOne: (value: number) => boolean) =>
    column(name).length === length && column(name).every(isOne)
  const periods = column('clockBoundsMs').length - 1
  const blocks = policy === undefined ? 0 : Math.ceil(rows / BLOCK_ROWS)
  const isAscending = column('clockBoundsMs').every((ms, at, list) => at === 0 || ms > list[at - 1]!)
  const scalars = [...Object.keys(noTotals()).map((name) => totals[name as keyof LedgerTotals]), openShare, touches]
  return (
    [...scalars, gains.share, gains.stakes.mean, gains.stakes.base, gains.stakelessShare, gains.spread].every(
      isAmount,
    ) &&
    Array.isArray(trust) &&
    parents.every((parent, section) => (section === 0 ? parent === 0 : parent >= 0 && parent < section)) &&
    columns.numbers!.length <= sections &&
    columns.numbers!.every((number) => number < parents.length) &&
    all('priors', GRID_SIZE * parents.length, isAmount) &&
    all('factors', parents.length, isAmount) &&
    periods !== 0 &&
    isAscending &&
    all('clockBoundsMs', periods + 1, Number.isFinite) &&
    all('clockActivity', Math.max(0, periods) * parents.length, isAmount) &&
    all('judgedMs', blocks, Number.isFinite) &&
    all('highest', blocks, (highest) => highest >= -1) &&
    all('fastest', blocks, isAmount) &&
    all('summedMs', blocks, (ms) => Number.isNaN(ms) || Number.isFinite(ms)) &&
    all('sum', blocks, isAmount) &&
    all('growth', blocks, Number.isFinite)
  )
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0
}
