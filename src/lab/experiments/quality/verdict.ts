/** Which policy won, by how much, and where it did not: one sentence for each mode. */

import { type LowHigh, percentileInterval } from '../../report/statistics.js'
import { decimals, shareText } from '../../report/table.js'
import type { QualityMode } from './policies.js'

/** The losses of a policy under one budget: of all queries, and of samples of them. */
export interface SampledBudget {
  readonly budgetShare: number
  readonly share: number | null
  readonly bySample: Float64Array
}

/** A policy in one mode. */
export interface Contender {
  readonly policy: string
  readonly mode: QualityMode
  readonly budgets: readonly SampledBudget[]
}

export interface Verdict {
  readonly mode: QualityMode
  /** By the geometric mean over the budgets. */
  readonly winner: string
  readonly lossShare: number
  /** Of all contenders with all budgets, the least loss first. */
  readonly ranking: readonly { readonly policy: string; readonly lossShare: number }[]
  /** undefined where nothing else ran. */
  readonly second: SecondPlace | undefined
  /** The budgets at which another policy lost less. */
  readonly notAt: readonly { readonly budgetShare: number; readonly policy: string; readonly isSure: boolean }[]
}

interface SecondPlace {
  readonly policy: string
  /** The mean loss of the winner by that of the second. */
  readonly ratio: number
  readonly interval: LowHigh | null
}

/** What no policy can know is no contender. */
const NO_CONTENDERS: ReadonlySet<string> = new Set(['oracle'])

/** Of each mode with a contender that lost something, in order of first sight. */
export function verdicts(contenders: readonly Contender[]): Verdict[] {
  const modes = [...new Set(contenders.map(({ mode }) => mode))]
  return modes.flatMap((mode) => verdictOf(contenders.filter((one) => one.mode === mode)) ?? [])
}

function verdictOf(all: readonly Contender[]): Verdict | undefined {
  const contenders = all.filter(({ policy }) => !NO_CONTENDERS.has(policy))
  const most = Math.max(0, ...contenders.map(({ budgets }) => budgets.length))
  const ranked = contenders
    .filter(({ budgets }) => budgets.length === most && budgets.every(({ share }) => share !== null))
    .map((contender) => ({ contender, loss: meanOf(contender.budgets.map(({ share }) => share!)) }))
    .sort((a, b) => a.loss - b.loss)
  const [first, next] = ranked
  if (first === undefined) return undefined
  return {
    mode: first.contender.mode,
    winner: first.contender.policy,
    lossShare: first.loss,
    ranking: ranked.map(({ contender, loss }) => ({ policy: contender.policy, lossShare: loss })),
    second: next && secondPlace(first.contender, next.contender, first.loss / next.loss),
    notAt: first.contender.budgets.flatMap((budget) =>
      betterAt(
        budget,
        ranked.slice(1).map((one) => one.contender),
      ),
    ),
  }
}

function secondPlace(first: Contender, next: Contender, ratio: number): SecondPlace {
  const samples = first.budgets[0]!.bySample.length
  const meanAt = ({ budgets }: Contender, sample: number) => meanOf(budgets.map(({ bySample }) => bySample[sample]!))
  const ratios = Float64Array.from({ length: samples }, (_, at) => meanAt(first, at) / meanAt(next, at))
  return { policy: next.policy, ratio, interval: percentileInterval(ratios) }
}

function betterAt(ours: SampledBudget, others: readonly Contender[]): Verdict['notAt'] {
  const rivals = others.flatMap(({ policy, budgets }) => {
    const budget = budgets.find(({ budgetShare }) => budgetShare === ours.budgetShare)
    return budget === undefined ? [] : [{ policy, budget }]
  })
  const best = rivals.reduce<(typeof rivals)[number] | undefined>(
    (least, rival) => (least === undefined || rival.budget.share! < least.budget.share! ? rival : least),
    undefined,
  )
  if (best === undefined || best.budget.share! >= ours.share!) return []
  const interval = percentileInterval(ours.bySample.map((loss, sample) => loss / best.budget.bySample[sample]!))
  return [{ budgetShare: ours.budgetShare, policy: best.policy, isSure: interval !== null && interval[0] > 1 }]
}

function meanOf(shares: readonly number[]): number {
  return Math.exp(shares.reduce((sum, share) => sum + Math.log(share), 0) / shares.length)
}

const MODE_WORDS: Readonly<Record<QualityMode, string>> = {
  online: 'Online,',
  offline: 'Offline, fitted on the whole period,',
  signals: 'With signals of changes,',
}

/** `defaultPolicy` is called so where it is named first. */
export function verdictSentence(verdict: Verdict, defaultPolicy: string): string {
  const { mode, winner, lossShare, second, notAt, ranking } = verdict
  const named = (policy: string, behind: string) =>
    policy === defaultPolicy ? `${policy}, the default${behind}` : policy
  const leaves = `over all budgets it leaves ${shareText(lossShare)} of the loss`
  const won = `${MODE_WORDS[mode]} ${named(winner, ',')} won: ${leaves}`
  if (second === undefined) return `${won}. Nothing else ran.`
  const than = `${decimals(second.ratio, 2)} times what ${named(second.policy, ',')} leaves`
  const isNamed = [winner, second.policy].includes(defaultPolicy)
  const ours = isNamed ? undefined : ranking.find(({ policy }) => policy === defaultPolicy)
  const rest = ours === undefined ? '' : `; ${ours.policy}, the default, leaves ${shareText(ours.lossShare)}`
  return `${won}, ${than}${intervalWords(second.interval)}; ${elsewhere(notAt)}${rest}.`
}

function intervalWords(interval: LowHigh | null): string {
  if (interval === null) return ''
  const range = `95% interval ${decimals(interval[0], 2)} to ${decimals(interval[1], 2)}`
  return ` (${range}${interval[1] < 1 ? '' : ', so it may be chance'})`
}

function elsewhere(notAt: Verdict['notAt']): string {
  if (notAt.length === 0) return 'it won at every budget'
  const places = notAt.map(
    ({ budgetShare, policy, isSure }) => `${shareText(budgetShare)} (${policy}${isSure ? '' : ', within chance'})`,
  )
  return `it did not win at ${places.join(', ')}`
}
