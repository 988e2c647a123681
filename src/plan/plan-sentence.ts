/** What a plan amounts to, for people to read. */
import { count, thousands } from '../base/counts.js'
import { percent } from '../base/wording.js'

export interface PlanFacts {
  readonly refreshes: number
  readonly newPages: number
  readonly cost: number
  /** Whether every action is one fetch, so that the cost is the number of actions. */
  readonly isCountedInFetches: boolean
  readonly hasQueries: boolean
  /** Whether any page has a stake. Without stakes, shares of what can be gained say nothing. */
  readonly hasStakes: boolean
  /** The share of the queries that have curves: one without may have answers. */
  readonly learntShare: number
  readonly expectedGain: number
  readonly qualityNow: number | undefined
  readonly quality: number | undefined
  /** Undefined for a plan with a budget. */
  readonly target: number | undefined
  readonly isReached: boolean | undefined
}

export function planSentence(facts: PlanFacts): string {
  return [facts.target === undefined ? gained(facts) : reached(facts), caveat(facts)]
    .filter((text) => text !== '')
    .join(' ')
}

function gained({ refreshes, newPages, expectedGain, hasQueries, hasStakes, ...rest }: PlanFacts): string {
  if (refreshes + newPages === 0) return 'Nothing to do: no page may be fetched within these limits.'
  const parts = [
    ...(refreshes === 0 ? [] : [count(refreshes, 'refresh', 'refreshes')]),
    ...(newPages === 0 ? [] : [count(newPages, 'new page')]),
  ]
  const what = `${parts.join(' and ')}${price(rest)}`
  if (!hasQueries || !hasStakes) return `${what}.`
  return `${what} recover ${worth(expectedGain, newPages)}.`
}

/** New pages come on top of what refreshing can gain. */
function worth(expectedGain: number, newPages: number): string {
  return newPages === 0 ? `${percent(expectedGain)} of what can be gained now` : besideRefreshing(expectedGain)
}

/** A gain that is no part of what refreshing can gain, and so may be many times as large. */
function besideRefreshing(expectedGain: number): string {
  const share = expectedGain > 1 ? `${Math.round(100 * expectedGain)}%` : percent(expectedGain)
  const part = expectedGain < 2 ? `${share} of` : `${thousands(Math.round(expectedGain))} times`
  return `as much as ${part} what refreshing everything now would gain`
}

function price({ cost, isCountedInFetches }: Pick<PlanFacts, 'cost' | 'isCountedInFetches'>): string {
  return isCountedInFetches ? '' : ` at an expected cost of ${costText(cost)}`
}

function reached({
  target = 1,
  isReached,
  qualityNow = 1,
  quality = 1,
  refreshes,
  cost,
  isCountedInFetches,
}: PlanFacts) {
  const goal = `${exactly(target)} up to date`
  if (isReached && refreshes === 0)
    return `Nothing to do: ${exactly(qualityNow)} of today's answers are expected to be up to date already.`
  const budget = isCountedInFetches ? count(refreshes, 'fetch', 'fetches') : `an expected cost of ${costText(cost)}`
  const course = `${fromTo(qualityNow, quality)} of today's answers`
  if (isReached) return `${goal} takes ${budget}: ${course}.`
  return `${goal} cannot be reached now: all that may be fetched is ${budget}, ${course}.`
}

function caveat({ hasQueries, hasStakes, learntShare, target, refreshes, newPages }: PlanFacts): string {
  if (!hasQueries)
    return 'No queries are known, so all pages count alike: give some to workload.record or workload.load.'
  // A plan for a target goes by copies that are current, whether anybody asks for them or not.
  if (hasStakes || learntShare < 1 || target !== undefined || refreshes + newPages === 0) return ''
  return 'No page answers what people ask, so documents are planned by age and history alone.'
}

function costText(cost: number): string {
  return thousands(cost < 10 ? Number(cost.toPrecision(2)) : Math.round(cost))
}

/** Two qualities that differ are told with as many digits as it takes to tell them apart, up to MAX_DIGITS. */
function fromTo(before: number, after: number): string {
  for (let digits = 1; digits <= MAX_DIGITS; digits++) {
    const [from, to] = [exactly(before, digits), exactly(after, digits)]
    if (from !== to) return `from ${from} to ${to}`
  }
  return `staying at about ${exactly(after)}`
}

/** After the point. */
const MAX_DIGITS = 3

/** To a tenth of a percent unless told, and never rounded up to 100%. */
function exactly(quality: number, digits = 1): string {
  if (quality >= 1 - 1e-9) return '100%'
  const step = 10 ** -digits
  if (100 * quality > 100 - step / 2) return `over ${(100 - step).toFixed(digits)}%`
  return `${Number((100 * quality).toFixed(digits))}%`
}

export interface NewPageFacts {
  readonly inlinks: number
  readonly impact: number
  readonly expectedGain: number
}

export function newPageSentence({ inlinks, impact, expectedGain }: NewPageFacts): string {
  const links = inlinks > 0 ? `; ${count(Math.round(inlinks), 'link')} to it` : ''
  const seen = impact > 0 ? '; answers to what people ask are expected in it' : ''
  const worth = expectedGain > 0 ? `It should add ${besideRefreshing(expectedGain)}.` : ''
  return [`Never fetched${links}${seen}.`, worth].filter((text) => text !== '').join(' ')
}
