/** In which of its visits a chooser found each page changed: what policies by clusters, sites and frequency learn from. */
import { type PackedHistory, packedChangeFrequency, withCycle } from '../../clusters/change-weights.js'

export class VisitHistories {
  readonly #bits: Uint32Array
  readonly #cycles: Uint8Array

  constructor(pages: number) {
    this.#bits = new Uint32Array(pages)
    this.#cycles = new Uint8Array(pages)
  }

  of(page: number): PackedHistory {
    return { bits: this.#bits[page]!, cycles: this.#cycles[page]! }
  }

  note(page: number, changed: boolean): void {
    const { bits, cycles } = withCycle(this.of(page), changed)
    this.#bits[page] = bits
    this.#cycles[page] = cycles
  }

  /** The share of visits that found a change; 0 without any. */
  frequency(page: number): number {
    return packedChangeFrequency(this.of(page))
  }
}
