/**
 * How sure the losses of the quality experiment are, and which of two policies loses less: intervals of 95% over the
 * queries. Time is not drawn anew: the history is one, and one of its events may carry a tenth of all loss.
 *
 * The denominators of Eq. 5 are taken to move in time as they do for all queries. Of the full set everything is exact.
 */

import { type LowHigh, percentileInterval, QueryResamples } from '../../report/statistics.js'
import type { QualityMode } from './policies.js'
import { type Contender, type SampledBudget, type Verdict, verdicts } from './verdict.js'

/** What of a row it takes. */
export interface LossRow {
  readonly policy: string
  readonly mode: QualityMode
  readonly budgetShare: number
  readonly lossShare: number | null
  /** See packed-losses.ts. */
  readonly queryLosses: string
}

/** How much the default policy loses by what another one does in the same mode: below 1, the default is better. */
export interface LossComparison {
  readonly policy: string
  readonly mode: QualityMode
  readonly budgetShare: number
  /** null where the other loses nothing. */
  readonly ratio: number | null
  readonly interval: LowHigh | null
}

/** The geometric mean over the budgets of the rows. */
export interface MeanLoss {
  readonly policy: string
  readonly mode: QualityMode
  /** null where nothing can be lost. */
  readonly lossShare: number | null
  readonly interval: LowHigh | null
  /** The loss of the default policy by that of this one; null without a default. */
  readonly ratio: number | null
  readonly ratioInterval: LowHigh | null
}

export interface LossIntervals {
  /** By row: of its lossShare. */
  readonly rows: readonly (LowHigh | null)[]
  /** In the order of the rows; none of the default policy itself. */
  readonly comparisons: readonly LossComparison[]
  /** By policy and mode, in the order of the rows. */
  readonly means: readonly MeanLoss[]
  /** By mode. */
  readonly verdicts: readonly Verdict[]
}

export interface IntervalOptions {
  readonly untouchedLosses: Float64Array
  readonly defaultPolicy: string
  readonly seed: number
  /** 1,000 unless told. */
  readonly samples?: number
}

/** A loss share, and those of the samples. */
interface SampledLoss {
  readonly share: number | null
  readonly bySample: Float64Array
}

interface SampledRow extends SampledLoss {
  readonly row: LossRow
}

export function lossIntervals(rows: readonly LossRow[], options: IntervalOptions): LossIntervals {
  const { untouchedLosses, defaultPolicy, seed, samples } = options
  const resamples = new QueryResamples(untouchedLosses.length, seed, samples)
  const untouched = resamples.sums(untouchedLosses)
  const sampled = rows.map((row): SampledRow => {
    const sums = resamples.sums(unpackLosses(row.queryLosses))
    return { row, share: row.lossShare, bySample: sums.map((sum, sample) => sum / untouched[sample]!) }
  })
  const ofDefault = sampled.filter(({ row }) => row.policy === defaultPolicy)
  return {
    rows: sampled.map(intervalOf),
    comparisons: sampled.flatMap((other) => comparisonOf(ofDefault, other)),
    means: meansOf(sampled, defaultPolicy),
    verdicts: verdicts(contendersOf(sampled)),
  }
}

function comparisonOf(ofDefault: readonly SampledRow[], other: SampledRow): LossComparison[] {
  const { policy, mode, budgetShare } = other.row
  const ours = ofDefault.find(({ row }) => row.mode === mode && row.budgetShare === budgetShare)
  if (ours === undefined || ours.row.policy === policy) return []
  return [{ policy, mode, budgetShare, ...ratioOf(ours, other) }]
}

function meansOf(sampled: readonly SampledRow[], defaultPolicy: string): MeanLoss[] {
  const groups = new Map<string, SampledRow[]>()
  for (const one of sampled) {
    const name = `${one.row.mode} ${one.row.policy}`
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  const means = Array.from(groups.values(), (group) => ({ ...group[0]!.row, ...geometricMean(group) }))
  return means.map((mean) => {
    const ours = means.find(({ policy, mode }) => policy === defaultPolicy && mode === mean.mode)
    const { ratio, interval } =
      ours === undefined || ours === mean ? { ratio: null, interval: null } : ratioOf(ours, mean)
    return {
      policy: mean.policy,
      mode: mean.mode,
      lossShare: mean.share,
      interval: intervalOf(mean),
      ratio,
      ratioInterval: interval,
    }
  })
}

function contendersOf(sampled: readonly SampledRow[]): Contender[] {
  const contenders = new Map<string, Contender & { readonly budgets: SampledBudget[] }>()
  for (const { row, share, bySample } of sampled) {
    const { policy, mode, budgetShare } = row
    const name = `${mode} ${policy}`
    const contender = contenders.get(name) ?? { policy, mode, budgets: [] }
    contender.budgets.push({ budgetShare, share, bySample })
    contenders.set(name, contender)
  }
  return [...contenders.values()]
}

function intervalOf({ share, bySample }: SampledLoss): LowHigh | null {
  return share === null ? null : percentileInterval(bySample)
}

function ratioOf(
  ours: SampledLoss,
  other: SampledLoss,
): { readonly ratio: number | null; readonly interval: LowHigh | null } {
  if (ours.share === null || other.share === null || other.share === 0) return { ratio: null, interval: null }
  const bySample = ours.bySample.map((share, sample) => share / other.bySample[sample]!)
  return { ratio: ours.share / other.share, interval: percentileInterval(bySample) }
}

function geometricMean(losses: readonly SampledLoss[]): SampledLoss {
  const meanOf = (shares: readonly number[]) =>
    Math.exp(shares.reduce((sum, share) => sum + Math.log(share), 0) / shares.length)
  const shares = losses.map(({ share }) => share)
  return {
    share: shares.includes(null) ? null : meanOf(shares as number[]),
    bySample: losses[0]!.bySample.map((_, sample) => meanOf(losses.map(({ bySample }) => bySample[sample]!))),
  }
}

/**
 * What each query loses, as text of a few kilobytes: rows of results are kept as lines and sent between threads. The
 * losses are single-precision numbers, low byte first, in base64.
 */
export function packLosses(losses: Float64Array): string {
  const bytes = new DataView(new ArrayBuffer(4 * losses.length))
  losses.forEach((loss, query) => {
    bytes.setFloat32(4 * query, loss, true)
  })
  return Buffer.from(bytes.buffer).toString('base64')
}

export function unpackLosses(packed: string): Float64Array {
  const bytes = Buffer.from(packed, 'base64')
  return Float64Array.from({ length: bytes.length / 4 }, (_, query) => bytes.readFloatLE(4 * query))
}
