/**
 * What fetched pages have gained beside what would have been expected of them, both in ΔQ_A, query by query: by answers without these pages, and by what had been learnt
 * before. Expected is what URL and anchors promise; gained is also what nobody expected.
 */
import { AppearanceGains } from '../frontier/appearance-gain.js'
import type { RegressionTree } from '../frontier/regression-tree.js'
import { leafOf } from '../frontier/regression-tree.js'
import { unlearntScore } from '../frontier/unlearnt-score.js'
import type { ViewLikelihood } from '../workload/view-likelihood.js'

export interface ComparedGain {
  readonly expected: number
  readonly measured: number
}

/** A query, and what there is to know of it without the fetched pages. */
export interface QueryBefore {
  readonly frequency: number
  /** Best first. */
  readonly scores: readonly number[]
}

export class GainComparison {
  readonly #tree: RegressionTree | undefined
  readonly #view: ViewLikelihood
  /** By the number of the document. */
  readonly #expected = new Map<number, number>()
  readonly #measured = new Map<number, number>()

  /** `tree`: of the lessons that were known before; undefined when there was none. */
  constructor(tree: RegressionTree | undefined, view: ViewLikelihood) {
    this.#tree = tree
    this.#view = view
  }

  /** `matching`: documents that seemed to match, with their features; `found`: those that do, with their scores. */
  note(
    { frequency, scores }: QueryBefore,
    matching: Iterable<readonly [document: number, features: Float64Array]>,
    found: Iterable<readonly [document: number, score: number]>,
  ): void {
    const gains = new AppearanceGains(scores, this.#view)
    for (const [document, features] of matching)
      add(this.#expected, document, frequency * this.#expectedGain(gains, scores, features))
    for (const [document, score] of found) add(this.#measured, document, frequency * gains.gain(score))
  }

  of(document: number): ComparedGain {
    return { expected: this.#expected.get(document) ?? 0, measured: this.#measured.get(document) ?? 0 }
  }

  #expectedGain(gains: AppearanceGains, scores: readonly number[], features: Float64Array): number {
    if (this.#tree === undefined) return gains.gain(unlearntScore(features[0]!, features[1]!, scores))
    return gains.expectedGain(this.#tree.values[leafOf(this.#tree, features)]!)
  }
}

function add(sums: Map<number, number>, document: number, gain: number): void {
  sums.set(document, (sums.get(document) ?? 0) + gain)
}
