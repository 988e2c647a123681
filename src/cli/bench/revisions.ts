/**
 * Revisions as sites have them. The share of lines that a revision changes follows 5,917 revisions of the pages of
 * kubernetes.io: half of them change at most 1%, and one in a hundred more than half.
 */
import { Randomness, streamSeed } from '../../lab/worlds/randomness.js'
import type { BenchPage } from './pages.js'

/** Quantiles of the share of a text that a revision changes. */
const CHANGED: readonly (readonly [quantile: number, share: number])[] = [
  [0, 0.0005],
  [0.25, 0.003],
  [0.5, 0.01],
  [0.75, 0.049],
  [0.9, 0.197],
  [0.99, 0.57],
  [1, 0.9],
]

/** New versions of so many pages, no page twice. What they bring in stands on other pages. */
export function revisionsOf(pages: readonly BenchPage[], count: number, seed: number): BenchPage[] {
  const random = new Randomness(streamSeed(seed, 'revisions', 0))
  return random.sample(pages, count).map((page) => revised(page, random.pick(pages), random))
}

function revised({ key, texts }: BenchPage, donor: BenchPage, random: Randomness): BenchPage {
  const longest = longestOf(texts)
  const own = texts[longest]!.split('\n')
  const brought = donor.texts[longestOf(donor.texts)]!.split(/\s+/).filter((word) => word !== '')
  if (brought.length === 0) brought.push('changed')
  const words = own.reduce((sum, line) => sum + line.split(' ').length, 0)
  for (let left = Math.max(1, Math.round(words * changedShare(random.next()))); left > 0; ) {
    const at = random.between(0, own.length - 1)
    const line = own[at]!.split(' ')
    const taken = Math.min(left, line.length)
    const from = random.between(0, line.length - taken)
    const start = random.between(0, brought.length - 1)
    line.splice(from, taken, ...Array.from({ length: taken }, (_, nth) => brought[(start + nth) % brought.length]!))
    own[at] = line.join(' ')
    left -= taken
  }
  return { key, texts: texts.map((text, at) => (at === longest ? own.join('\n') : text)) }
}

function longestOf(texts: readonly string[]): number {
  return texts.reduce((best, text, at) => (text.length > texts[best]!.length ? at : best), 0)
}

/** Linear between the logarithms of the quantiles. */
function changedShare(quantile: number): number {
  const after = Math.max(
    1,
    CHANGED.findIndex(([high]) => quantile <= high),
  )
  const [[low, least], [high, most]] = [CHANGED[after - 1]!, CHANGED[after]!]
  return least * (most / least) ** ((quantile - low) / (high - low))
}
