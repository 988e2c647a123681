/**
 * How often each page of a ledger changes, as a posterior over rates. The prior is the distribution of rates in the
 * page's section (change/sections.ts); the likelihood comes from the page's own visits. Time is that of a clock that
 * runs faster while the section is busy (change/section-activity.ts).
 */
import { DAY_MS, TICK_MS } from '../../base/time.js'
import type { Steps } from '../../base/turns.js'
import {
  chancesAround,
  GRID_RATES_PER_MS,
  GRID_SIZE,
  learntPrior,
  type RateChances,
  sameLikelihoods,
  timesChanged,
  visitLikelihoods,
} from '../../change/rate-grid.js'
import {
  type ClockData,
  clocksOf,
  learningClocks,
  PLAIN_CLOCKS,
  type SectionClocks,
  type SectionVisit,
} from '../../change/section-activity.js'
import { type RatedPage, sectionPriors } from '../../change/sections.js'
import { type LedgerColumns, recentAt } from '../../ledger/column-arrays.js'
import { RECENT_REFRESHES } from '../../ledger/columns.js'
import type { DocumentSections } from '../../ledger/sections.js'
import { FIRST_RATE_PER_MS, forEachRecentVisit, seenIntervals } from './page-rates.js'

export interface RateModel {
  /** The section that the page counts to. Pages of one section that were never rated have the same chances. */
  sectionOf(doc: number): number
  /** Valid until the next call: its place may be written over. */
  chancesOf(columns: LedgerColumns, doc: number): RateChances
  /** The time since the last refresh on the clock of the page's section, at least 0. */
  ageMs(columns: LedgerColumns, doc: number, atMs: number): number
  /** From `atMs` on, no age grows faster than this, in milliseconds per millisecond. */
  fastestFrom(doc: number, atMs: number): number
}

/** The model as plain data, which can be sent to another thread. */
export interface RateModelData {
  /** GRID_SIZE chances for each section. */
  readonly priors: Float64Array
  readonly clocks: ClockData | undefined
}

/** The distribution of rates that is assumed before any visit weighs as much as this many pages. */
const FIRST_PAGES = 5
const PRIOR_ROUNDS = 4
/** The highest rate of a page that is assumed when activity is learnt: one change a day. */
const MOST_CHANGES_PER_MS = 1 / DAY_MS

/** Learns the model from the pages of `sample`, in steps. */
export function* learnRates(
  columns: LedgerColumns,
  sample: readonly number[],
  sections: DocumentSections,
): Steps<RateModelData> {
  const visited = sample.filter((doc) => columns.rated[doc]! > 0)
  const plain = yield* learntPriors(columns, visited, sections, PLAIN_CLOCKS)
  const posterior = new PagePosterior(plain, sections, PLAIN_CLOCKS)
  const visits = yield* visitsOf(columns, visited, sections, posterior)
  yield
  const clocks = yield* learningClocks(sections, visits)
  yield
  return { priors: yield* learntPriors(columns, visited, sections, clocks), clocks: clocks.data }
}

/** The model that this is the data of. `sections`: those that it was learnt with. */
export function rateModelOf({ priors, clocks: data }: RateModelData, sections: DocumentSections): RateModel {
  const clocks = clocksOf(sections.parents.length, data)
  const posterior = new PagePosterior(priors, sections, clocks)
  return {
    sectionOf: (doc) => sections.of(doc),
    chancesOf: (columns, doc) => posterior.of(columns, doc),
    ageMs: (of, doc, atMs) => clocks.elapsedMs(sections.of(doc), of.refreshedMs[doc]!, atMs),
    fastestFrom: (doc, atMs) => clocks.fastestFrom(sections.of(doc), atMs),
  }
}

/** The chances of a page's rates by Bayes' rule, without an allocation for each page: millions are asked about. */
class PagePosterior {
  readonly #priors: readonly RateChances[]
  readonly #sections: DocumentSections
  readonly #clocks: SectionClocks
  readonly #likelihoods = new Float64Array(GRID_SIZE)
  readonly #chances = new Float64Array(GRID_SIZE)
  readonly #changedMs = new Float64Array(RECENT_REFRESHES)

  constructor(priors: Float64Array, sections: DocumentSections, clocks: SectionClocks) {
    this.#priors = Array.from({ length: priors.length / GRID_SIZE }, (_, section) =>
      priors.subarray(section * GRID_SIZE, (section + 1) * GRID_SIZE),
    )
    this.#sections = sections
    this.#clocks = clocks
  }

  of(columns: LedgerColumns, doc: number): RateChances {
    const section = this.#sections.of(doc)
    const prior = this.#priors[section]!
    const rated = columns.rated[doc]!
    if (rated === 0) return prior
    if (rated <= RECENT_REFRESHES) this.#takeVisits(columns, doc, rated, section)
    else this.#likelihoods.set(longLikelihoods(columns, doc, section, this.#clocks))
    const likelihoods = this.#likelihoods
    const chances = this.#chances
    let all = 0
    for (let at = 0; at < GRID_SIZE; at++) {
      const product = prior[at]! * likelihoods[at]!
      chances[at] = product
      all += product
    }
    for (let at = 0; at < GRID_SIZE; at++) chances[at]! /= all
    return chances
  }

  /** As visitLikelihoods() of seenIntervals(), for pages of which every visit is known. */
  #takeVisits(columns: LedgerColumns, doc: number, rated: number, section: number): void {
    const clocks = this.#clocks
    const bits = columns.changeBits[doc]!
    const changedMs = this.#changedMs
    let changed = 0
    let sameMs = 0
    let atMs = columns.refreshedMs[doc]!
    let to = clocks.timeOf(section, atMs)
    for (let back = 0; back < rated; back++) {
      atMs -= columns.recentIntervalSeconds[recentAt(columns, doc, back)]! * 1000
      const from = clocks.timeOf(section, atMs)
      if (((bits >>> back) & 1) === 1) changedMs[changed++] = Math.max(to - from, TICK_MS)
      else sameMs += Math.max(0, to - from)
      to = from
    }
    sameLikelihoods(sameMs, this.#likelihoods)
    for (let nth = 0; nth < changed; nth++) timesChanged(changedMs[nth]!, this.#likelihoods)
  }
}

function longLikelihoods(columns: LedgerColumns, doc: number, section: number, clocks: SectionClocks): Float64Array {
  return visitLikelihoods(seenIntervals(columns, doc, (fromMs, toMs) => clocks.elapsedMs(section, fromMs, toMs)))
}

/** Pages of one step. */
const PORTION = 1000

/** GRID_SIZE chances for each section. */
function* learntPriors(
  columns: LedgerColumns,
  visited: readonly number[],
  sections: DocumentSections,
  clocks: SectionClocks,
): Steps<Float64Array> {
  const pages: RatedPage[] = []
  for (const doc of visited) {
    const section = sections.of(doc)
    pages.push({ section, likelihoods: longLikelihoods(columns, doc, section, clocks) })
    if (pages.length % PORTION === 0) yield
  }
  const seen = pages.map(({ likelihoods }) => likelihoods)
  yield
  const whole = learntPrior(seen, chancesAround(FIRST_RATE_PER_MS), FIRST_PAGES, PRIOR_ROUNDS)
  yield
  const priors = new Float64Array(GRID_SIZE * sections.parents.length)
  sectionPriors(sections, pages, whole).forEach((prior, section) => {
    priors.set(prior, section * GRID_SIZE)
  })
  return priors
}

function* visitsOf(
  columns: LedgerColumns,
  visited: readonly number[],
  sections: DocumentSections,
  posterior: PagePosterior,
): Steps<SectionVisit[]> {
  const visits: SectionVisit[] = []
  for (const [nth, doc] of visited.entries()) {
    if (nth % PORTION === 0) yield
    const ratePerMs = meanRate(posterior.of(columns, doc))
    const section = sections.of(doc)
    forEachRecentVisit(columns, doc, (fromMs, toMs, isChanged) => {
      visits.push({ section, ratePerMs, fromMs, toMs, isChanged })
    })
  }
  return visits
}

function meanRate(chances: RateChances): number {
  let sum = 0
  for (let at = 0; at < chances.length; at++)
    sum += chances[at]! * Math.min(GRID_RATES_PER_MS[at]!, MOST_CHANGES_PER_MS)
  return sum
}
