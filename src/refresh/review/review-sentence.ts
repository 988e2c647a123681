/** What a review amounts to, for people to read, in shares of what was expected. */
import { count, thousands } from '../../base/counts.js'
import { percent } from '../../base/wording.js'
import type { GainInterval } from '../model/gain-interval.js'

/**
 * How a measured gain compares with what was expected: 'too-few-to-tell' when the interval of the expected gain is so
 * wide that next to nothing would be as expected.
 */
export type ReviewVerdict = 'nothing-expected' | 'too-few-to-tell' | 'less' | 'as-expected' | 'more'

/** An interval tells something if its lower end is at least this share of the expected gain. */
const TELLING_LOW = 0.05

export interface ReviewedGain extends GainInterval {
  readonly deltaQuality: number
  readonly expectedDeltaQuality: number
}

export function verdictOf({ deltaQuality, expectedDeltaQuality, low, high }: ReviewedGain): ReviewVerdict {
  if (!(expectedDeltaQuality > 0)) return 'nothing-expected'
  if (deltaQuality > high) return 'more'
  if (!isTelling({ expectedDeltaQuality, low })) return 'too-few-to-tell'
  return deltaQuality < low ? 'less' : 'as-expected'
}

/** Whether a gain of next to nothing would be noticed. It does not depend on what was gained. */
export function isTelling({ expectedDeltaQuality, low }: Pick<ReviewedGain, 'expectedDeltaQuality' | 'low'>): boolean {
  return expectedDeltaQuality > 0 && low >= TELLING_LOW * expectedDeltaQuality
}

export interface ReviewFacts extends ReviewedGain {
  readonly refreshes: number
  readonly changes: number
  readonly expectedChanges: number
  readonly verdict: ReviewVerdict
}

export function reviewSentence(facts: ReviewFacts): string {
  const { refreshes, changes, expectedChanges } = facts
  if (refreshes === 0)
    return 'No refresh is reviewed yet: those count that follow a call of refresh.next or plan, once queries are known.'
  const found = changes === 0 ? 'no change' : count(changes, 'change')
  const done = `${count(refreshes, 'refresh', 'refreshes')} found ${found}, where ${about(expectedChanges)} expected.`
  return `${done} ${gained(facts)}`
}

function gained({ verdict, deltaQuality, expectedDeltaQuality, low, high }: ReviewFacts): string {
  const share = (gain: number) => portion(gain / expectedDeltaQuality)
  const bound = (gain: number) => `${thousands(Math.round((100 * gain) / expectedDeltaQuality))}%`
  switch (verdict) {
    case 'nothing-expected':
      return deltaQuality > 0 ? 'They gained something, although nothing was expected.' : 'Nothing was to be gained.'
    case 'too-few-to-tell':
      return `They gained ${share(deltaQuality)} what was expected: too few refreshes to tell whether that is chance.`
    case 'less':
      return `They gained ${share(deltaQuality)} what was expected, less than the ${bound(low)} that chance explains.`
    case 'more':
      return `They gained ${share(deltaQuality)} what was expected, more than the ${bound(high)} that chance explains.`
    case 'as-expected':
      return (
        `They gained ${share(deltaQuality)} what was expected; ` +
        `anything from ${bound(low)} to ${bound(high)} may be chance.`
      )
  }
}

function about(expected: number): string {
  const rounded = expected < 10 ? Number(expected.toPrecision(2)) : Math.round(expected)
  if (expected > 0 && expected < 0.1) return 'less than 0.1 were'
  return `${thousands(rounded)} ${rounded === 1 ? 'was' : 'were'}`
}

/** A part of a whole: `71% of`, `3.2 times`, `none of`. */
function portion(ratio: number): string {
  if (ratio <= 0) return 'none of'
  if (ratio < 1.995) return `${ratio >= 1 ? `${Math.round(100 * ratio)}%` : percent(ratio)} of`
  return `${thousands(ratio < 10 ? Number(ratio.toPrecision(2)) : Math.round(ratio))} times`
}
