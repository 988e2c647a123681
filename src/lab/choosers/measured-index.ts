/** An index in memory that measures what refreshes do, beside the world whose pages it holds copies of. */
import { Freshdex, type PolicyName, type ScoringModel } from '../../index.js'
import type { AskedQuery } from '../generated-workload.js'
import type { Timeline } from '../quality/timeline.js'
import type { World, WorldPage, WorldStep } from '../world.js'

/** A world and how its pages answer. */
export interface AnsweringWorld {
  readonly world: World
  readonly queries: readonly AskedQuery[]
  /** Of texts. Inlinks, where there are any, stand for it: as in the paper, a score is then nothing else. */
  readonly model: ScoringModel
  /** Of pages by their address, for all steps. */
  readonly inlinks?: ReadonlyMap<string, number>
}

interface IndexedPage extends WorldPage {
  readonly inlinks: number
}

const BATCH_PAGES = 1000

export class MeasuredIndex {
  readonly #index: Freshdex<IndexedPage>
  readonly #steps: AsyncIterator<WorldStep>
  readonly #inlinks: ReadonlyMap<string, number>
  readonly #urls: readonly string[]
  readonly #numbers: ReadonlyMap<string, number>
  /** By page: as it is in the world. */
  readonly #live: (WorldPage | undefined)[]
  /** Pages that the last step changed. */
  #changed: number[] = []
  #atMs = 0

  private constructor(
    index: Freshdex<IndexedPage>,
    steps: AsyncIterator<WorldStep>,
    inlinks: ReadonlyMap<string, number>,
    { urls }: Timeline,
  ) {
    this.#index = index
    this.#steps = steps
    this.#inlinks = inlinks
    this.#urls = urls
    this.#numbers = new Map(urls.map((url, number) => [url, number]))
    this.#live = new Array(urls.length)
  }

  /** Holds the pages of the timeline as they are at the first step. `terms`: what refreshes are measured by. */
  static async open(
    { world, queries, model, inlinks }: AnsweringWorld,
    timeline: Timeline,
    terms: 'full' | 'single',
  ): Promise<MeasuredIndex> {
    const index = await Freshdex.open<IndexedPage>(':memory:', {
      key: 'url',
      fields: { title: { boost: 2 }, text: {} },
      scoring: inlinks === undefined ? model : { model, weight: 'inlinks', alpha: 0, beta: 1 },
      store: false,
      workload: { terms, learn: false, halfLifeMs: Number.POSITIVE_INFINITY, maxQueries: queries.length },
    })
    const measured = new MeasuredIndex(index, world[Symbol.asyncIterator](), inlinks ?? new Map(), timeline)
    try {
      await measured.advance()
      for (let at = 0; at < measured.#changed.length; at += BATCH_PAGES)
        await measured.#write(measured.#changed.slice(at, at + BATCH_PAGES))
      await index.workload.load(
        queries.map(({ query, count }) => [query, count] as const),
        { at: measured.#atMs },
      )
      await index.refresh.fit()
    } catch (error) {
      await measured.close()
      throw error
    }
    return measured
  }

  /** The world goes on, and the pages that it changed. REQUIRES: it has another step. */
  async advance(): Promise<readonly number[]> {
    const { value } = await this.#steps.next()
    const { atMs, versions, gone } = value as WorldStep
    this.#atMs = atMs
    this.#changed = []
    for (const page of versions) this.#set(page.url, page)
    for (const url of gone) this.#set(url, undefined)
    return this.#changed
  }

  /** The copies of these pages become what the world has. Returns by page what that gained, ΔQ_A; 0 for those that are not in it. */
  async refresh(pages: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (pages.length === 0) return new Map()
    const gains = await this.#write(pages)
    // Otherwise curves would be renewed beside later writes, and results depend on how fast that is.
    await this.#index.refresh.fit()
    return gains
  }

  /** What to refresh, best first. */
  next(budget: number, atMs: number, policy: PolicyName): { readonly page: number; readonly priority: number }[] {
    return this.#index.refresh
      .next({ budget, at: atMs, policy })
      .map(({ key, priority }) => ({ page: this.#numbers.get(key as string)!, priority }))
  }

  async close(): Promise<void> {
    await this.#steps.return?.()
    await this.#index.close()
  }

  async #write(pages: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const put: IndexedPage[] = []
    const remove: string[] = []
    for (const page of pages) {
      const live = this.#live[page]
      if (live === undefined) remove.push(this.#urls[page]!)
      else put.push({ ...live, inlinks: this.#inlinks.get(live.url) ?? 0 })
    }
    const { gains } = await this.#index.write({ put, remove }, { at: this.#atMs })
    return new Map(gains.map(({ key, deltaQuality }) => [this.#numbers.get(key as string)!, deltaQuality]))
  }

  #set(url: string, page: WorldPage | undefined): void {
    const number = this.#numbers.get(url)
    if (number === undefined) return
    this.#live[number] = page
    this.#changed.push(number)
  }
}
