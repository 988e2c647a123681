/**
 * The demonstration: three copies of an invented site are kept under the same budget, by the choice of the index, the
 * oldest first, and at random. Then the budget is sought with which the oldest first does as well as the index.
 */
import { type BudgetSearch, searchBudget } from './budget-search.js'
import { type DemoAdvice, type DemoStory, SiteCopy, type Strategy } from './copy.js'
import { askedByWeek } from './people.js'
import { DAYS_PER_WEEK, demoSite } from './site.js'

export interface DemoOptions {
  readonly seed: number
  readonly weeks: number
  /** Fetches a week. */
  readonly budget: number
  readonly pages: number
  /** Called after each week of each copy, with the number of weeks so far. */
  readonly onWeek?: (weeks: number) => void
}

export interface DemoReport {
  readonly seed: number
  readonly weeks: number
  readonly budget: number
  readonly site: SiteFacts
  /** What the shares of `strategies` and `oldestFirstNeeds` are. */
  readonly definition: string
  readonly strategies: Readonly<Record<Strategy, Outcome>>
  /** With which budget the oldest first does as well as the index; null if the same budget is enough. */
  readonly oldestFirstNeeds: BudgetSearch | null
  /** What the index would fetch after the last week. */
  readonly next: DemoAdvice
}

export interface SiteFacts {
  readonly pages: number
  /** The share of pages that change in a week, on average. */
  readonly changedShare: number
  readonly queries: number
  readonly searchesPerWeek: number
}

/** The share of what people saw that was up to date. */
export interface Outcome {
  readonly mean: number
  readonly byWeek: readonly number[]
}

const DEFINITION =
  'Of the first ten answers to what people ask, each counted as often as it is looked at (rank r with r^-1.5), ' +
  'the share whose text is that of the live page on that day.'
const QUERIES_PER_PAGE = 1 / 3
const SEARCHES_PER_WEEK = 2000
const SHOWN_NEXT = 10
/** The budget that the oldest first needs is found to a quarter of the given one. */
const STEPS_PER_BUDGET = 4

export async function runDemo({ seed, weeks, budget, pages, onWeek }: DemoOptions): Promise<DemoReport> {
  const site = demoSite({ seed, pages, nights: DAYS_PER_WEEK * weeks })
  const queries = Math.ceil(QUERIES_PER_PAGE * pages)
  const asked = askedByWeek(site, weeks, { seed, queries, searchesPerWeek: SEARCHES_PER_WEEK })
  let weeksDone = 0
  const follow = async (copy: SiteCopy, strategy: Strategy, fetches: number): Promise<Outcome> => {
    const byWeek = await copy.follow({ strategy, budget: fetches, onWeek: () => onWeek?.(++weeksDone) })
    return { mean: byWeek.reduce((sum, share) => sum + share, 0) / weeks, byWeek }
  }
  const story = { seed, site, asked }
  const [freshdex, next] = await withCopy(story, async (copy) => [
    await follow(copy, 'freshdex', budget),
    await copy.next(SHOWN_NEXT),
  ])
  const random = await withCopy(story, (copy) => follow(copy, 'random', budget))
  const oldestFirstAt = (fetches: number) => withCopy(story, (copy) => follow(copy, 'oldestFirst', fetches))
  const oldestFirst = await oldestFirstAt(budget)
  const isBehind = oldestFirst.mean < freshdex.mean && budget < pages
  const step = Math.max(1, Math.round(budget / STEPS_PER_BUDGET))
  return {
    ...{ seed, weeks, budget },
    site: factsOf(story),
    definition: DEFINITION,
    strategies: { freshdex, oldestFirst, random },
    oldestFirstNeeds: isBehind
      ? await searchBudget(async (fetches) => (await oldestFirstAt(fetches)).mean, {
          ...{ target: freshdex.mean, from: budget, most: pages, step },
        })
      : null,
    next,
  }
}

async function withCopy<T>(story: DemoStory, work: (copy: SiteCopy) => Promise<T>): Promise<T> {
  const copy = await SiteCopy.fetch(story)
  try {
    return await work(copy)
  } finally {
    await copy.close()
  }
}

function factsOf({ site: { start, nights }, asked }: DemoStory): SiteFacts {
  const changes = asked.map((_, week) => {
    const ofWeek = nights.slice(DAYS_PER_WEEK * week, DAYS_PER_WEEK * (week + 1))
    return new Set(ofWeek.flatMap(({ changed }) => changed.map(({ url }) => url))).size
  })
  return {
    pages: start.length,
    changedShare: changes.reduce((sum, count) => sum + count, 0) / changes.length / start.length,
    queries: new Set(asked.flatMap((week) => week.map(({ query }) => query))).size,
    searchesPerWeek: SEARCHES_PER_WEEK,
  }
}
