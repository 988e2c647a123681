/**
 * Which queries of a log concern the pages of a world (User-centric crawling, section 6.1): those for which the sum of
 * the TF-IDF scores of all pages reaches a threshold. "The threshold was chosen based on observing a knee in the
 * distribution"; here the knee is computed.
 */
import type { World } from '../worlds/world.js'
import { type CountedWorld, countWorld, withPresetTokens } from './counted-world.js'
import { forEachChange } from './timeline.js'
import { scoreVersions } from './version-scores.js'

export interface LoggedQuery {
  readonly query: string
  readonly count: number
}

export interface RelevantQueries {
  /** In the order of the log. */
  readonly queries: readonly LoggedQuery[]
  readonly threshold: number
}

/** By query of the workload: the sum of the TF-IDF scores of the pages of the first step. */
export function relevanceSums(counted: CountedWorld): Float64Array {
  const { matchEnds, queries, scores, weights } = scoreVersions(counted, { model: 'tfidf' })
  const sums = new Float64Array(weights.length)
  forEachChange(counted.timeline, 0, (_, version) => {
    for (let at = version === 0 ? 0 : matchEnds[version - 1]!; at < matchEnds[version]!; at++)
      sums[queries[at]!]! += scores[at]!
  })
  return sums
}

/**
 * The value at the knee of a distribution: sorted from the largest down and drawn over their ranks, both axes
 * logarithmic, the values lie above the line from the first to the last one; the knee is the value that is farthest
 * from it. Values of 0 are left out; 0 where no value is above the line.
 */
export function kneeOf(values: Iterable<number>): number {
  const falling = [...values].filter((value) => value > 0).sort((a, b) => b - a)
  const logs = falling.map((value) => Math.log(value))
  const length = Math.max(1e-9, Math.log(falling.length))
  let [farthest, knee] = [1e-9, 0]
  for (const [at, log] of logs.entries()) {
    const line = logs[0]! + (logs.at(-1)! - logs[0]!) * (Math.log(at + 1) / length)
    if (log - line <= farthest) continue
    farthest = log - line
    knee = falling[at]!
  }
  return knee
}

/** `threshold`: the least sum, or the knee of all sums. */
export async function relevantQueries(
  world: World,
  log: readonly LoggedQuery[],
  pages: 'always' | 'changed' | 'all',
  threshold: number | 'knee',
): Promise<RelevantQueries> {
  const counted = await countWorld(world, log, { pages })
  const sums = relevanceSums(counted)
  const least = threshold === 'knee' ? kneeOf(sums) : threshold
  let number = 0
  // The queries of the workload are those of the log that have a word, in the same order.
  const queries = await withPresetTokens('standard', (tokensOf) =>
    log.filter(({ query }) => {
      if (tokensOf(query).length === 0) return false
      const sum = sums[number++]!
      return sum > 0 && sum >= least
    }),
  )
  return { queries, threshold: least }
}
