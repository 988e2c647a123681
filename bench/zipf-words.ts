/** Texts of words by Zipf's law, always the same: w1 is as likely as w10 … w99 together, up to so many words. */
import { uniform } from './random-numbers.js'

const WORDS = 20_000

export class ZipfWords {
  readonly random: () => number

  constructor(seed: number) {
    this.random = uniform(seed)
  }

  word(): string {
    return `w${Math.floor(WORDS ** this.random())}`
  }

  text(words: number): string {
    return Array.from({ length: words }, () => this.word()).join(' ')
  }

  /** Below `count`. */
  int(count: number): number {
    return Math.floor(count * this.random())
  }
}

const BATCH = 10_000

/** Makes so many things and gives them away, 10,000 at a time. */
export async function inBatches<Item>(
  count: number,
  make: (nth: number) => Item,
  take: (items: Item[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    await take(Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => make(from + at)))
  }
}
