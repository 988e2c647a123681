/** Sums up samples. Every function wants at least one. */
import { medianOf } from './experiment-parts.js'

export { medianOf }

export interface Spread {
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

export function spreadOf(samples: readonly number[]): Spread {
  const sorted = Float64Array.from(samples).sort()
  return {
    mean: meanOf(samples),
    p50: percentile(sorted, 50),
    p90: percentile(sorted, 90),
    p99: percentile(sorted, 99),
    max: sorted.at(-1)!,
  }
}

export function meanOf(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length
}

/** Of several rounds, the median of each number by itself. */
export function medianSpread(rounds: readonly Spread[]): Spread {
  const median = (name: keyof Spread) => medianOf(rounds.map((round) => round[name]))
  return { mean: median('mean'), p50: median('p50'), p90: median('p90'), p99: median('p99'), max: median('max') }
}

/** Nearest rank: the smallest sample that at least `share` percent of them do not exceed. */
function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil((sorted.length * share) / 100) - 1)]!
}
