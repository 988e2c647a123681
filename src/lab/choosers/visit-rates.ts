/** How often pages change, by what their own visits saw: the estimator of Cho and Garcia-Molina, page by page. */
import { choGarciaMolinaRate } from '../../change/rates/cho-garcia-molina.js'
import type { RefreshOutcome } from '../quality/replay.js'

export class VisitRates {
  readonly #visits: Uint32Array
  readonly #changes: Uint32Array
  readonly #watchedMs: Float64Array
  #allVisits = 0
  #allChanges = 0
  #allWatchedMs = 0

  constructor(pages: number) {
    this.#visits = new Uint32Array(pages)
    this.#changes = new Uint32Array(pages)
    this.#watchedMs = new Float64Array(pages)
  }

  /** A visit that fetched the page for the first time saw no interval. */
  note(page: number, { kind }: RefreshOutcome, ageMs: number): void {
    if (kind === 'added' || ageMs <= 0) return
    const changes = kind === 'same' ? 0 : 1
    this.#visits[page]!++
    this.#changes[page]! += changes
    this.#watchedMs[page]! += ageMs
    this.#allVisits++
    this.#allChanges += changes
    this.#allWatchedMs += ageMs
  }

  /**
   * Changes per millisecond. A page without a visit is like all pages together; one that was seen unchanged only has the rate 0,
   * as the estimator says. `firstPerMs`: before any visit of any page saw a change.
   */
  perMs(page: number, firstPerMs: number): number {
    const visits = this.#visits[page]!
    if (visits > 0) return rateOf(visits, this.#changes[page]!, this.#watchedMs[page]!)
    if (this.#allChanges === 0) return firstPerMs
    return rateOf(this.#allVisits, this.#allChanges, this.#allWatchedMs)
  }
}

function rateOf(visits: number, changes: number, watchedMs: number): number {
  return choGarciaMolinaRate({ visits, changes, intervalMs: watchedMs / visits })
}
