import type { SeededRandom } from '../support/seed.js'

const SMALLEST_FLOAT = 2 ** -149
const LARGEST_FLOAT = (2 - 2 ** -23) * 2 ** 127

/** A list that looks like one: a power law with noise. */
export function naturalAnswerList(random: SeededRandom, n: number): Float32Array {
  const slope = 0.1 + 1.4 * random.next()
  return sorted(Array.from({ length: n }, (_, at) => (at + 1) ** -slope * (1 + 0.3 * random.next())))
}

/** A list as awkward as they come: ties, cliffs, the smallest and the largest floats. */
export function awkwardAnswerList(random: SeededRandom, n: number): Float32Array {
  const different = random.chance(0.5) ? random.between(1, 4) : n
  const spread = random.pick([1e-6, 1, 10, 138, 175])
  const choices = Array.from({ length: different }, () => Math.exp(spread * (random.next() - 0.5)))
  if (random.chance(0.2)) choices[0] = SMALLEST_FLOAT * random.between(1, 3)
  if (random.chance(0.1)) choices[different - 1] = LARGEST_FLOAT
  return sorted(Array.from({ length: n }, () => random.pick(choices)))
}

function sorted(scores: readonly number[]): Float32Array {
  return Float32Array.from(scores, (score) => Math.max(score, SMALLEST_FLOAT)).sort((a, b) => b - a)
}
