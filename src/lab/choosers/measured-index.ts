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
  /** What is asked from a step on, instead. */
  readonly shift?: { readonly fromStep: number; readonly queries: readonly AskedQuery[] }
}

export interface MeasuredOptions {
  /** What refreshes are measured by. */
  readonly terms: 'full' | 'single'
  /** Whether the index keeps the texts, by which pages are clustered. Default false. */
  readonly isStoring?: boolean
}

interface IndexedPage extends WorldPage {
  readonly inlinks: number
}

const BATCH_PAGES = 1000
/** Of queries, where what is asked shifts: as an index has it unless told. */
const HALF_LIFE_MS = 30 * 86_400_000

export class MeasuredIndex {
  readonly #index: Freshdex<IndexedPage>
  readonly #steps: AsyncIterator<WorldStep>
  readonly #source: AnsweringWorld
  readonly #urls: readonly string[]
  readonly #numbers: ReadonlyMap<string, number>
  /** By page: as it is in the world. */
  readonly #live: (WorldPage | undefined)[]
  /** Pages that the last step changed. */
  #changed: number[] = []
  #atMs = 0

  private constructor(index: Freshdex<IndexedPage>, source: AnsweringWorld, { urls }: Timeline) {
    this.#index = index
    this.#steps = source.world[Symbol.asyncIterator]()
    this.#source = source
    this.#urls = urls
    this.#numbers = new Map(urls.map((url, number) => [url, number]))
    this.#live = new Array(urls.length)
  }

  /** Holds the pages of the timeline as they are at the first step. */
  static async open(source: AnsweringWorld, timeline: Timeline, options: MeasuredOptions): Promise<MeasuredIndex> {
    const { model, inlinks, queries, shift } = source
    const index = await Freshdex.open<IndexedPage>(':memory:', {
      key: 'url',
      fields: { title: { boost: 2 }, text: {} },
      scoring: inlinks === undefined ? model : { model, weight: 'inlinks', alpha: 0, beta: 1 },
      store: options.isStoring === true,
      workload: {
        ...{ terms: options.terms, learn: false },
        halfLifeMs: shift === undefined ? Number.POSITIVE_INFINITY : HALF_LIFE_MS,
        maxQueries: queries.length + (shift?.queries.length ?? 0),
      },
    })
    const measured = new MeasuredIndex(index, source, timeline)
    try {
      await measured.advance()
      for (let at = 0; at < measured.#changed.length; at += BATCH_PAGES)
        await measured.#write(measured.#changed.slice(at, at + BATCH_PAGES))
      await measured.#ask(queries, shift === undefined ? 1 : pastSteps(timeline))
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

  /** People go on asking: only where that shifts, otherwise it was told once and for all. */
  async asked(step: number, atMs: number): Promise<void> {
    const { queries, shift } = this.#source
    if (shift === undefined) return
    await this.#ask(step >= shift.fromStep ? shift.queries : queries, 1, atMs)
    await this.#index.refresh.fit()
  }

  /** The pages may have changed, as their site says. REQUIRES: the index has them. */
  async signal(pages: readonly number[], atMs: number): Promise<void> {
    await this.#index.refresh.signalAll(pages.map((page) => [this.#urls[page]!, { kind: 'etag', at: atMs }] as const))
  }

  async buildClusters(seed: number, atMs: number): Promise<void> {
    await this.#index.clusters.build({ seed, at: atMs })
  }

  /** What to refresh, best first. */
  next(budget: number, atMs: number, policy: PolicyName): number[] {
    const named = this.#index.refresh.next({ budget, at: atMs, policy })
    return named.map(({ key }) => this.#numbers.get(key as string)!)
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
      else put.push({ ...live, inlinks: this.#source.inlinks?.get(live.url) ?? 0 })
    }
    const { gains } = await this.#index.write({ put, remove }, { at: this.#atMs })
    return new Map(gains.map(({ key, deltaQuality }) => [this.#numbers.get(key as string)!, deltaQuality]))
  }

  async #ask(queries: readonly AskedQuery[], times: number, atMs = this.#atMs): Promise<void> {
    await this.#index.workload.load(
      queries.map(({ query, count }) => [query, count * times] as const),
      { at: atMs },
    )
  }

  #set(url: string, page: WorldPage | undefined): void {
    const number = this.#numbers.get(url)
    if (number === undefined) return
    this.#live[number] = page
    this.#changed.push(number)
  }
}

/** As many steps of asking as are remembered when it always was the same, the older ones by what is left of them. */
function pastSteps({ atMs }: Timeline): number {
  const stepMs = atMs.length < 2 ? HALF_LIFE_MS : atMs[1]! - atMs[0]!
  return 1 / (1 - 2 ** (-stepMs / HALF_LIFE_MS))
}
