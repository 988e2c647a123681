/**
 * Signals that pages changed, such as a feed or a sitemap gives them: some changes give none, and some signals mean
 * nothing. With both rates at 0 they say exactly which pages changed since they were last looked at.
 *
 * What a signal is worth follows from how often there are any (Busa-Fekete et al., WWW 2025, use noisy signals
 * likewise). With rho the share of pages that change in a step, m the rate of misses and f that of false alarms, a
 * share rho (1 - m) + (1 - rho) f of pages gives a signal, which tells rho; then
 *
 *   P(changed | signal) = rho (1 - m) / (rho (1 - m) + (1 - rho) f)
 *   P(changed | none) = rho m / (rho m + (1 - rho)(1 - f))
 *
 * and a page is as it was at its last refresh if it is so through every step since.
 */

import { numberOption } from '../../base/checks.js'
import { isFresh } from '../quality/freshness.js'
import type { RepositoryQuality } from '../quality/repository-quality.js'
import { forEachChange, type Timeline } from '../quality/timeline.js'
import { Randomness } from '../worlds/randomness.js'
import type { Judge } from './judged.js'

export interface SignalRates {
  /** How likely a change gives no signal. */
  readonly missRate: number
  /** How likely a page gives a signal at a step at which it did not change. */
  readonly falseAlarmRate: number
}

export class ChangeSignals {
  readonly #timeline: Timeline
  readonly #rates: SignalRates
  readonly #random: Randomness
  /** By page: how likely it has not changed since its last refresh. */
  readonly #sameChance: Float64Array
  readonly #hasChanged: Uint8Array
  #signals = 0
  #looks = 0

  /** The signals follow from the world, the rates and the seed, whoever listens. */
  constructor(timeline: Timeline, rates: SignalRates, seed: number) {
    const [missRate, falseAlarmRate] = [rates.missRate, rates.falseAlarmRate].map((rate, at) =>
      numberOption(at === 0 ? 'missRate' : 'falseAlarmRate', rate, 0, { min: 0, max: 1 }),
    )
    this.#timeline = timeline
    this.#rates = { missRate: missRate!, falseAlarmRate: falseAlarmRate! }
    this.#random = new Randomness(seed)
    this.#sameChance = new Float64Array(timeline.urls.length).fill(1)
    this.#hasChanged = new Uint8Array(timeline.urls.length)
  }

  /** The signals of a step come in: of these pages, ascending. REQUIRES: every step once, in order. */
  take(step: number): number[] {
    const pages = this.#sameChance.length
    this.#hasChanged.fill(0)
    forEachChange(this.#timeline, step, (page) => {
      this.#hasChanged[page] = 1
    })
    const { missRate, falseAlarmRate } = this.#rates
    const hasSignal = this.#hasChanged.map((changed) =>
      this.#random.chance(changed === 1 ? 1 - missRate : falseAlarmRate) ? 1 : 0,
    )
    this.#signals += hasSignal.reduce((sum, has) => sum + has, 0)
    this.#looks += pages
    const [none, some] = this.#changeChances()
    for (let page = 0; page < pages; page++) this.#sameChance[page]! *= 1 - (hasSignal[page] === 1 ? some : none)
    return Array.from(hasSignal.keys()).filter((page) => hasSignal[page] === 1)
  }

  refreshed(page: number): void {
    this.#sameChance[page] = 1
  }

  /** How likely the page has changed since its last refresh, from 0 to 1. */
  changeChance(page: number): number {
    return 1 - this.#sameChance[page]!
  }

  /** The chances that a page without and with a signal has changed, in one step. */
  #changeChances(): readonly [none: number, some: number] {
    const { missRate: m, falseAlarmRate: f } = this.#rates
    const share = this.#signals / this.#looks
    // With m + f = 1 signals say nothing. By chance there may be fewer than false alarms alone would be: some page has
    // changed.
    const rho = m + f === 1 ? 0.5 : Math.min(1, Math.max(1 / this.#looks, (share - f) / (1 - m - f)))
    return [ratio(rho * m, (1 - rho) * (1 - f)), ratio(rho * (1 - m), (1 - rho) * f)]
  }
}

function ratio(part: number, rest: number): number {
  return part === 0 ? 0 : part / (part + rest)
}

/** Sees the live pages and takes those that have changed: no policy can find more changes. */
export function changedPages(): Judge {
  let state: RepositoryQuality | undefined
  return {
    start: (given) => {
      state = given
    },
    priority: (page) => (isFresh(state!.copies, page) ? 0 : 1),
  }
}
