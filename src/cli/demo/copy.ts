/**
 * A copy of the invented site that may fetch only so many pages a week: an index as any user would have it, and one way
 * to choose the pages. How good it is follows from the site as it really is, which no way of choosing can see.
 */
import { WEEK_MS } from '../../base/time.js'
import { type Advice, DEFAULT_POLICY, Freshdex, type SuggestedPage } from '../../index.js'
import type { AskedQuery } from '../../lab/worlds/generated-text.js'
import { Randomness, streamSeed } from '../../lab/worlds/randomness.js'
import type { WorldPage } from '../../lab/worlds/world.js'
import { DAYS_PER_WEEK, type DemoSite } from './site.js'

export type Strategy = 'freshdex' | 'oldestFirst' | 'random'

/** What happens to every copy alike. */
export interface DemoStory {
  readonly seed: number
  readonly site: DemoSite
  /** What people ask in each week. */
  readonly asked: readonly (readonly AskedQuery[])[]
}

export interface Following {
  readonly strategy: Strategy
  /** Fetches a week. */
  readonly budget: number
  /** Called after each week. */
  readonly onWeek?: () => void
}

/** What the index advises, with how often each page was fetched anew and found changed. */
export interface DemoAdvice extends Advice {
  readonly pages: readonly (SuggestedPage & { readonly refreshes: number; readonly changes: number })[]
}

/** The clock of the demonstration starts here, whenever it runs. */
const START_MS = Date.UTC(2026, 0, 5)
/** As far down an answer as people look, and how likely they look at a rank: rank^-1.5. */
const SEEN_RANKS = 10
const VIEW_EXPONENT = -1.5

/** What time it is in the demonstration. */
interface DemoClock {
  nowMs: number
}

export class SiteCopy {
  readonly #story: DemoStory
  readonly #index: Freshdex<WorldPage>
  readonly #random: Randomness
  readonly #clock: DemoClock
  /** The site as it is, and as it was when its pages were fetched. */
  readonly #live: Map<string, WorldPage>
  readonly #held: Map<string, WorldPage>
  #announced: WorldPage[] = []

  private constructor(story: DemoStory, index: Freshdex<WorldPage>, clock: DemoClock) {
    this.#clock = clock
    this.#story = story
    this.#index = index
    this.#random = new Randomness(streamSeed(story.seed, 'choice', 0))
    this.#live = new Map(story.site.start.map((page) => [page.url, page]))
    this.#held = new Map(this.#live)
  }

  /** A copy of the whole site, as all strategies begin with it. */
  static async fetch(story: DemoStory): Promise<SiteCopy> {
    const clock: DemoClock = { nowMs: START_MS }
    const index = await Freshdex.open<WorldPage>(':memory:', {
      now: () => clock.nowMs,
      key: 'url',
      fields: { title: { boost: 2 }, text: {} },
      analyzer: 'english',
      // Queries are recorded with their counts, as from a log: each is searched once for all who asked it. They do not
      // fade.
      workload: { learn: false, halfLifeMs: Number.POSITIVE_INFINITY },
    })
    await index.write({ put: [...story.site.start] }, { at: START_MS })
    return new SiteCopy(story, index, clock)
  }

  /** Lives through all weeks. The share of what people saw that was up to date, week by week. */
  async follow({ strategy, budget, onWeek }: Following): Promise<number[]> {
    const shares: number[] = []
    for (let week = 0; week < this.#story.asked.length; week++) {
      this.#clock.nowMs = timeOf(week)
      // The first week begins with the whole site.
      if (week > 0) await this.#refresh(strategy, budget, week)
      shares.push(this.#passWeek(week))
      onWeek?.()
    }
    return shares
  }

  /** What the index would fetch after the last week. */
  async next(budget: number): Promise<DemoAdvice> {
    const at = timeOf(this.#story.asked.length)
    await this.#index.refresh.fit()
    const advice = await this.#index.refresh.next({ budget, at })
    const pages = advice.pages.map((page) => {
      const { refreshes, changes } = this.#index.refresh.explain(page.key, { at })!
      return { ...page, refreshes, changes }
    })
    return { ...advice, pages }
  }

  async close(): Promise<void> {
    await this.#index.close()
  }

  async #refresh(strategy: Strategy, budget: number, week: number): Promise<void> {
    // What goes on in the background ends here. Which queries are measured, and which numbers of removed pages are free
    // again, would otherwise depend on the speed of the machine.
    await this.#index.refresh.fit()
    const urls = await this.#choose(strategy, budget, timeOf(week))
    const put = urls.flatMap((url) => this.#live.get(url) ?? [])
    const remove = urls.filter((url) => !this.#live.has(url))
    await this.#index.write({ put: [...put, ...this.#announced], remove }, { at: timeOf(week) })
    for (const page of [...put, ...this.#announced]) this.#held.set(page.url, page)
    for (const url of remove) this.#held.delete(url)
    this.#announced = []
  }

  async #choose(strategy: Strategy, budget: number, at: number): Promise<string[]> {
    if (strategy === 'random') return this.#random.sample([...this.#held.keys()], budget)
    const policy = strategy === 'freshdex' ? DEFAULT_POLICY : 'oldest-first'
    const { pages } = await this.#index.refresh.next({ budget, at, policy })
    return pages.map(({ key }) => String(key))
  }

  /** People search, and every night the site changes. */
  #passWeek(week: number): number {
    const views = this.#views(week)
    let seen = 0
    let upToDate = 0
    for (let day = 0; day < DAYS_PER_WEEK; day++) {
      for (const [url, weight] of views) {
        seen += weight
        if (this.#live.get(url)?.text === this.#held.get(url)?.text) upToDate += weight
      }
      this.#pass(DAYS_PER_WEEK * week + day)
    }
    return seen === 0 ? 1 : upToDate / seen
  }

  /** How often each page is looked at on a day of this week, in any unit. */
  #views(week: number): Map<string, number> {
    const views = new Map<string, number>()
    for (const { query, count } of this.#story.asked[week]!) {
      this.#index.workload.record(query, { count, at: timeOf(week) })
      this.#index.search(query, { limit: SEEN_RANKS }).hits.forEach(({ key }, at) => {
        const url = String(key)
        views.set(url, (views.get(url) ?? 0) + count * (at + 1) ** VIEW_EXPONENT)
      })
    }
    return views
  }

  #pass(night: number): void {
    const { changed, added, gone } = this.#story.site.nights[night]!
    for (const page of [...changed, ...added]) this.#live.set(page.url, page)
    for (const url of gone) this.#live.delete(url)
    // The site announces new pages, as in a sitemap. Every strategy fetches them next time, beside its budget.
    this.#announced = [...this.#announced, ...added].flatMap(({ url }) => this.#live.get(url) ?? [])
  }
}

function timeOf(week: number): number {
  return START_MS + week * WEEK_MS
}
