/** Staleness of a timetable by the definition: the probability that a copy is stale, summed over many moments. */
import { QuasiDeterministicLaw } from '../../src/change/laws/quasi-deterministic.js'
import type { UpdateLaw } from '../../src/change/update-law.js'

export interface NaivePage {
  readonly law: UpdateLaw
  /** Ascending, within the period. */
  readonly times: readonly number[]
  /** At most 0. */
  readonly lastCrawl?: number
}

/** A crawl sees an update of the same moment, also where the moment was rounded. */
const MOMENT = 1e-9

/** The share of a period of length 1 for which a copy is stale. One that is repeated is looked at after a while. */
export function naiveStaleness(
  { law, times, lastCrawl = 0 }: NaivePage,
  { start, moments = 2000 }: { readonly start: 'repeated' | 'fresh'; readonly moments?: number },
): number {
  // A copy of a page that never changes stays what it is.
  const kept = law instanceof QuasiDeterministicLaw && lastCrawl === 0 ? law.startStale : 0
  if (start === 'repeated' && times.length === 0) return law.meanInterval === Number.POSITIVE_INFINITY ? kept : 1
  const round = start === 'repeated' ? 10 : 0
  const crawls = start === 'repeated' ? [...times.map((time) => time - 1), ...times] : times
  let sum = 0
  for (let nth = 0; nth < moments; nth++) {
    const now = (nth + 0.5) / moments
    const crawl = Math.max(...crawls.filter((time) => time <= now))
    sum +=
      1 -
      (crawl === Number.NEGATIVE_INFINITY
        ? keptFreshProbability(law, lastCrawl, now)
        : law.freshProbability(round + crawl + MOMENT, Math.max(round + crawl + MOMENT, round + now)))
  }
  return sum / moments
}

/** Of a copy that was there when the period began. If it was taken right then, it has not seen an update at 0. */
function keptFreshProbability(law: UpdateLaw, lastCrawl: number, now: number): number {
  if (!(law instanceof QuasiDeterministicLaw)) return law.freshProbability(lastCrawl, now)
  if (lastCrawl < 0) return law.freshProbability(lastCrawl + MOMENT, now)
  const { times, probabilities, startStale } = law
  const missed = times.reduce(
    (fresh, time, at) => (time <= now ? fresh * (1 - (probabilities[at] as number)) : fresh),
    1,
  )
  return (1 - startStale) * missed
}
