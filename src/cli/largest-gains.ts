import type { DocumentGain } from '../engine/write-report.js'

/** Gains that are told one by one. */
const MAX_TOLD = 10

/** The largest gains of many writes. A document that was refreshed several times may be there as often. */
export class LargestGains {
  #list: readonly DocumentGain[] = []

  /** Largest first. */
  get list(): readonly DocumentGain[] {
    return this.#list
  }

  /** REQUIRES: largest first, as a write reports them. */
  add(gains: readonly DocumentGain[]): void {
    if (gains.length === 0) return
    this.#list = [...this.#list, ...gains.slice(0, MAX_TOLD)]
      .sort((a, b) => b.deltaQuality - a.deltaQuality)
      .slice(0, MAX_TOLD)
  }
}
