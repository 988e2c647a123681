/** When the first update comes after a moment that has nothing to do with any of them. */
import { RenewalLaw, type UniformRandom, type UpdateLaw } from './update-law.js'

const MAX_STEPS = 2000

/**
 * For renewal laws in equilibrium the time until then has the distribution H, how likely a copy is stale after that time ("Optimal crawling
 * strategies", Eq. 3), which is inverted here; Infinity where it lies beyond all numbers.
 */
export function firstUpdateAfter(law: UpdateLaw, after: number, random: UniformRandom): number {
  if (!(law instanceof RenewalLaw)) return law.nextUpdate(after, random)
  const share = random()
  let high = law.meanInterval
  for (let step = 0; law.staleProbability(high) < share && step < MAX_STEPS; step++) high *= 2
  if (high === Number.POSITIVE_INFINITY) return high
  let low = 0
  for (let middle = high / 2; middle > low && middle < high; middle = low + (high - low) / 2) {
    if (law.staleProbability(middle) < share) low = middle
    else high = middle
  }
  return after + high
}
