/**
 * How often each page of a ledger changes, as a posterior over rates. The prior is the distribution of rates in the
 * page's section (change/sections.ts); the likelihood comes from the page's own visits. Time is that of a clock that
 * runs faster while the section is busy (change/section-activity.ts).
 */
import { DAY_MS } from '../../base/time.js'
import {
  chancesAround,
  GRID_RATES_PER_MS,
  learntPrior,
  posteriorChances,
  type RateChances,
  visitLikelihoods,
} from '../../change/rate-grid.js'
import { learntClocks, PLAIN_CLOCKS, type SectionClocks, type SectionVisit } from '../../change/section-activity.js'
import { type RatedPage, sectionPriors } from '../../change/sections.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import type { DocumentSections } from '../../ledger/sections.js'
import { FIRST_RATE_PER_MS, forEachRecentVisit, seenIntervals } from './page-rates.js'

export interface RateModel {
  chancesOf(columns: LedgerColumns, doc: number): RateChances
  /** The time since the last refresh on the clock of the page's section, at least 0. */
  ageMs(columns: LedgerColumns, doc: number, atMs: number): number
  /** From `atMs` on, no age grows faster than this, in milliseconds per millisecond. */
  fastestFrom(doc: number, atMs: number): number
}

/** The distribution of rates that is assumed before any visit weighs as much as this many pages. */
const FIRST_PAGES = 5
const PRIOR_ROUNDS = 4
/** The highest rate of a page that is assumed when activity is learnt: one change a day. */
const MOST_CHANGES_PER_MS = 1 / DAY_MS

/** Learns the model from the pages of `sample`. */
export function rateModel(columns: LedgerColumns, sample: readonly number[], sections: DocumentSections): RateModel {
  const visited = sample.filter((doc) => columns.rated[doc]! > 0)
  const plain = learntRates(columns, visited, sections, PLAIN_CLOCKS)
  const clocks = learntClocks(sections, visitsOf(columns, visited, sections, plain.chancesOf))
  const { chancesOf } = learntRates(columns, visited, sections, clocks)
  return {
    chancesOf,
    ageMs: (of, doc, atMs) => clocks.elapsedMs(sections.of(doc), of.refreshedMs[doc]!, atMs),
    fastestFrom: (doc, atMs) => clocks.fastestFrom(sections.of(doc), atMs),
  }
}

function learntRates(
  columns: LedgerColumns,
  visited: readonly number[],
  sections: DocumentSections,
  clocks: SectionClocks,
): Pick<RateModel, 'chancesOf'> {
  const likelihoodsOf = (of: LedgerColumns, doc: number, section: number) =>
    visitLikelihoods(seenIntervals(of, doc, (fromMs, toMs) => clocks.elapsedMs(section, fromMs, toMs)))
  const pages = visited.map((doc): RatedPage => {
    const section = sections.of(doc)
    return { section, likelihoods: likelihoodsOf(columns, doc, section) }
  })
  const seen = pages.map(({ likelihoods }) => likelihoods)
  const whole = learntPrior(seen, chancesAround(FIRST_RATE_PER_MS), FIRST_PAGES, PRIOR_ROUNDS)
  const priors = sectionPriors(sections, pages, whole)
  return {
    chancesOf: (of, doc) => {
      const section = sections.of(doc)
      const prior = priors[section]!
      return of.rated[doc] === 0 ? prior : posteriorChances(prior, likelihoodsOf(of, doc, section))
    },
  }
}

function visitsOf(
  columns: LedgerColumns,
  visited: readonly number[],
  sections: DocumentSections,
  chancesOf: RateModel['chancesOf'],
): SectionVisit[] {
  const visits: SectionVisit[] = []
  for (const doc of visited) {
    const ratePerMs = meanRate(chancesOf(columns, doc))
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
