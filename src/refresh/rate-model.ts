/**
 * How often each page of a ledger changes, as chances of rates: by its own visits, beginning with how rates are distributed over the pages of its section (section-rates.ts), and
 * on a clock that runs as its section is busy (section-activity.ts).
 */
import {
  chancesAround,
  GRID_RATES_PER_MS,
  learntPrior,
  posteriorChances,
  type RateChances,
  visitLikelihoods,
} from '../change/rates/rate-grid.js'
import {
  learntClocks,
  PLAIN_CLOCKS,
  type SectionClocks,
  type SectionVisit,
} from '../change/sections/section-activity.js'
import { type RatedPage, sectionPriors } from '../change/sections/section-rates.js'
import { type LargeSections, largeSections } from '../change/sections/section-tree.js'
import type { LedgerColumns } from './ledger-columns.js'
import { FIRST_RATE_PER_MS, forEachRecentVisit, seenIntervals } from './ledger-rates.js'
import type { LedgerView } from './policy.js'

export interface RateModel {
  chancesOf(columns: LedgerColumns, doc: number): RateChances
  /** Since the last refresh, on the clock of the page's section; never less than 0. */
  ageMs(columns: LedgerColumns, doc: number, atMs: number): number
  /** From then on no age grows faster than this, in milliseconds per millisecond. */
  fastestFrom(doc: number, atMs: number): number
}

/** Pages that count as much as what is believed of rates before any page was visited. */
const FIRST_PAGES = 5
const PRIOR_ROUNDS = 4
/** Pages that make a section. */
const SECTION_PAGES = 10
/** When activity is learnt, no page is taken to change more often. */
const MOST_CHANGES_PER_MS = 1 / 86_400_000

/** `sample`: the pages to learn from. */
export function rateModel(view: LedgerView, sample: readonly number[]): RateModel {
  const { columns, sections } = view
  const large = largeSections(sections, sample.map(sections.of, sections), SECTION_PAGES)
  const sectionOf = (doc: number) => large.numberOf(sections.of(doc))
  const visited = sample.filter((doc) => columns.rated[doc]! > 0)
  const plain = learntRates(columns, visited, sectionOf, large, PLAIN_CLOCKS)
  const clocks = learntClocks(large, visitsOf(columns, visited, sectionOf, plain.chancesOf))
  const { chancesOf } = learntRates(columns, visited, sectionOf, large, clocks)
  return {
    chancesOf,
    ageMs: (of, doc, atMs) => clocks.elapsedMs(sectionOf(doc), of.refreshedMs[doc]!, atMs),
    fastestFrom: (doc, atMs) => clocks.fastestFrom(sectionOf(doc), atMs),
  }
}

function learntRates(
  columns: LedgerColumns,
  visited: readonly number[],
  sectionOf: (doc: number) => number,
  large: LargeSections,
  clocks: SectionClocks,
): Pick<RateModel, 'chancesOf'> {
  const likelihoodsOf = (of: LedgerColumns, doc: number, section: number) =>
    visitLikelihoods(seenIntervals(of, doc, (fromMs, toMs) => clocks.elapsedMs(section, fromMs, toMs)))
  const pages = visited.map((doc): RatedPage => {
    const section = sectionOf(doc)
    return { section, likelihoods: likelihoodsOf(columns, doc, section) }
  })
  const seen = pages.map(({ likelihoods }) => likelihoods)
  const whole = learntPrior(seen, chancesAround(FIRST_RATE_PER_MS), FIRST_PAGES, PRIOR_ROUNDS)
  const priors = sectionPriors(large, pages, whole)
  return {
    chancesOf: (of, doc) => {
      const section = sectionOf(doc)
      const prior = priors[section]!
      return of.rated[doc] === 0 ? prior : posteriorChances(prior, likelihoodsOf(of, doc, section))
    },
  }
}

function visitsOf(
  columns: LedgerColumns,
  visited: readonly number[],
  sectionOf: (doc: number) => number,
  chancesOf: RateModel['chancesOf'],
): SectionVisit[] {
  const visits: SectionVisit[] = []
  for (const doc of visited) {
    const ratePerMs = meanRate(chancesOf(columns, doc))
    const section = sectionOf(doc)
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
