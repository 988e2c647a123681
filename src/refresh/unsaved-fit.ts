import type { Step } from '../base/step.js'

/** What fits have found of the documents and no commit has taken along yet. */
export class UnsavedFit {
  #movedStakes = new Float64Array()
  #areQuestionsMoved = false

  /** Adds what a fit has found: document and stake in turn, and whether the open questions have moved. */
  add(movedStakes: Float64Array, areQuestionsMoved: boolean): void {
    const both = new Float64Array(this.#movedStakes.length + movedStakes.length)
    both.set(this.#movedStakes)
    both.set(movedStakes, this.#movedStakes.length)
    this.#movedStakes = both
    this.#areQuestionsMoved ||= areQuestionsMoved
  }

  get isEmpty(): boolean {
    return this.#movedStakes.length === 0 && !this.#areQuestionsMoved
  }

  /** Takes everything along; the rows are the stakes that have moved. */
  step(): Step<Float64Array> {
    const [movedStakes, areQuestionsMoved] = [this.#movedStakes, this.#areQuestionsMoved]
    this.#movedStakes = new Float64Array()
    this.#areQuestionsMoved = false
    return {
      rows: movedStakes,
      undo: () => {
        this.#movedStakes = movedStakes
        this.#areQuestionsMoved = areQuestionsMoved
      },
    }
  }
}
