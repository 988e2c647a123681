/**
 * An index that fits its curves when it sees fit, and never because somebody calls fit(). Between two writes it has all
 * the time that its own fits need, so that what it measures does not depend on the speed of a machine.
 */

import type { Freshdex } from '../../../index.js'
import { fitsSettled } from '../../choosers/measured-index.js'
import type { ExactQuery } from '../../quality/word-counts.js'
import type { WorldPage } from '../../worlds/world.js'

/** The pages that have a word, by number of the word. */
export type WordFrequencies = Uint32Array

export interface OwnFits {
  /** Fits that the index made by itself, the first one included. */
  readonly fits: number
  /** Of these, the ones that began an epoch. */
  readonly epochs: number
  /** Curves that they fitted together. */
  readonly curves: number
}

export class UnaidedIndex {
  readonly index: Freshdex<WorldPage>
  #epoch = 0
  #epochs = 0
  #epochWeek = 0
  #week = 0
  /** At the beginning of the epoch, and of the week. */
  #frequenciesThen: WordFrequencies = new Uint32Array()
  #frequenciesNow: WordFrequencies = new Uint32Array()

  private constructor(index: Freshdex<WorldPage>) {
    this.index = index
  }

  /** The index has pages and queries, and no curve yet. */
  static async begin(index: Freshdex<WorldPage>): Promise<UnaidedIndex> {
    await fitsSettled(index)
    return new UnaidedIndex(index)
  }

  /** Before the writes of a week: how old the epoch is that measures them. `frequencies` are those of this moment. */
  enterWeek(week: number, frequencies: WordFrequencies): void {
    const { epoch } = this.index.stats().measurement
    this.#week = week
    this.#frequenciesNow = frequencies
    if (epoch === this.#epoch) return
    this.#epoch = epoch
    this.#epochs++
    this.#epochWeek = week
    this.#frequenciesThen = frequencies
  }

  /** After the writes of a week. */
  async leaveWeek(): Promise<void> {
    await fitsSettled(this.index)
  }

  /** 0 in the week at whose beginning the epoch began. */
  get weeksSinceEpoch(): number {
    return this.#week - this.#epochWeek
  }

  /** Whether a word of the query is in at least twice as many pages as when the epoch began. */
  hasDoubled({ words }: ExactQuery): boolean {
    return words.some((word) => {
      const [then, now] = [this.#frequenciesThen[word]!, this.#frequenciesNow[word]!]
      return now > then && now >= 2 * then
    })
  }

  get ownFits(): OwnFits {
    const { fits, curves } = this.index.stats().measurement
    return { fits, epochs: this.#epochs, curves }
  }
}
