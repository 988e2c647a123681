/** An index in memory that measures what refreshes do, beside the world whose pages it holds copies of. */

import { Freshdex, type OpenOptions, type PolicyChoice, type PresetName, type ScoringOptions } from '../../index.js'
import type { Timeline } from '../quality/timeline.js'
import { DEFAULT_BOOSTS, type LabScoring } from '../quality/version-scores.js'
import type { AskedQuery } from '../worlds/generated-text.js'
import type { World, WorldPage, WorldStep } from '../worlds/world.js'

/** A world and how its pages answer. */
export interface AnsweringWorld {
  readonly world: World
  readonly queries: readonly AskedQuery[]
  readonly scoring: LabScoring
  /** By which texts and queries become words. Default 'standard'. */
  readonly analyzer?: PresetName
  /** What is asked from a step on, instead. */
  readonly shift?: { readonly fromStep: number; readonly queries: readonly AskedQuery[] }
}

/**
 * 'each-step': all curves are fitted anew after the refreshes of a step. 'own': nobody calls fit(), and the index has
 * the time that the fits need which it makes by itself, as in use.
 */
export const MEASURED_FITS = ['each-step', 'own'] as const
export type MeasuredFits = (typeof MEASURED_FITS)[number]

export interface MeasuredOptions {
  /** What refreshes are measured by. */
  readonly terms: 'full' | 'single'
  /** Whether the index keeps the texts, by which pages are clustered. Default false. */
  readonly isStoring?: boolean
  /** Default 'each-step'. */
  readonly fits?: MeasuredFits
}

/**
 * The refreshes of a day, of which there is one cycle: what the index expected of them when it named them, and what it
 * measured.
 */
export interface CycleGain {
  /** ΔQ_A. */
  readonly expected: number
  /** The ends of the interval in which it should be nine times of ten. */
  readonly low: number
  readonly high: number
  readonly measured: number
}

interface IndexedPage extends WorldPage {
  readonly inlinks: number
}

const BATCH_PAGES = 1000
/** After this time a query counts half, as an index has it unless told. */
const HALF_LIFE_MS = 30 * 86_400_000

export class MeasuredIndex {
  readonly #index: Freshdex<IndexedPage>
  readonly #steps: AsyncIterator<WorldStep>
  readonly #source: AnsweringWorld
  readonly #fits: MeasuredFits
  readonly #urls: readonly string[]
  readonly #numbers: ReadonlyMap<string, number>
  /** By page: as it is in the world. */
  readonly #live: (WorldPage | undefined)[]
  /** Pages that the last step changed. */
  #changed: number[] = []
  #atMs = 0

  private constructor(
    index: Freshdex<IndexedPage>,
    source: AnsweringWorld,
    { urls }: Timeline,
    { fits = 'each-step' }: MeasuredOptions,
  ) {
    this.#index = index
    this.#fits = fits
    this.#steps = source.world[Symbol.asyncIterator]()
    this.#source = source
    this.#urls = urls
    this.#numbers = new Map(urls.map((url, number) => [url, number]))
    this.#live = new Array(urls.length)
  }

  /** Holds the pages of the timeline as they are at the first step. */
  static async open(source: AnsweringWorld, timeline: Timeline, options: MeasuredOptions): Promise<MeasuredIndex> {
    const { scoring, analyzer = 'standard', queries, shift } = source
    const { title, text } = scoring.boosts ?? DEFAULT_BOOSTS
    // By the time of the world, which may be any.
    let nowMs = () => 0
    const index = await Freshdex.open<IndexedPage>(':memory:', {
      now: () => nowMs(),
      key: 'url',
      fields: { title: { boost: title }, text: { boost: text } },
      analyzer,
      scoring: indexScoring(scoring),
      store: options.isStoring === true,
      workload: {
        ...{ terms: options.terms, learn: false },
        halfLifeMs: Number.POSITIVE_INFINITY,
        maxQueries: queries.length + (shift?.queries.length ?? 0),
      },
    })
    const measured = new MeasuredIndex(index, source, timeline, options)
    nowMs = () => measured.#atMs
    try {
      await measured.advance()
      for (let at = 0; at < measured.#changed.length; at += BATCH_PAGES)
        await measured.#write(measured.#changed.slice(at, at + BATCH_PAGES))
      await measured.#hear(queries, 1)
      await measured.#fit()
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

  /**
   * The copies of these pages become what the world has. Returns by page what that gained, ΔQ_A; 0 for those that are
   * not in it.
   */
  async refresh(pages: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (pages.length === 0) return new Map()
    const gains = await this.#write(pages)
    // Otherwise curves would be renewed beside later writes, and results depend on how fast that is.
    await this.#fit()
    return gains
  }

  /**
   * People have asked what is asked at this step. Where that shifts, the index forgets what was asked before; by the
   * times of the world, because queries do not fade by themselves.
   */
  async asked(step: number, { atMs }: Timeline): Promise<void> {
    const { queries, shift } = this.#source
    if (shift === undefined || step < shift.fromStep) return
    const left = 2 ** (-(atMs[step]! - atMs[shift.fromStep - 1]!) / HALF_LIFE_MS)
    this.#index.workload.clear()
    await this.#hear(queries, left)
    await this.#hear(shift.queries, 1 - left)
    await this.#fit()
  }

  /** The pages may have changed, as their site says. REQUIRES: the index has them, and time does not go back. */
  async signal(pages: readonly number[], atMs: number): Promise<void> {
    // The step is heard of before its refreshes, with which the world goes on.
    this.#atMs = atMs
    await this.#index.refresh.signalAll(pages.map((page) => [this.#urls[page]!, { kind: 'etag', at: atMs }] as const))
  }

  async buildClusters(seed: number, atMs: number): Promise<void> {
    await this.#index.clusters.build({ seed, at: atMs })
  }

  /** What to refresh, best first. */
  async next(budget: number, atMs: number, policy: PolicyChoice): Promise<number[]> {
    // Every step has waited for its fits, so that there is nothing to wait for. Steps of a world may be of any length.
    const { pages } = await this.#index.refresh.next({ budget, at: atMs, policy, minIntervalMs: 0 })
    return pages.map(({ key }) => this.#numbers.get(key as string)!)
  }

  /** The gains of all days with a refresh, in their order. */
  cycleGains(): CycleGain[] {
    return this.#index.refresh.review().days.map(({ expectedDeltaQuality, low, high, deltaQuality }) => ({
      expected: expectedDeltaQuality,
      low,
      high,
      measured: deltaQuality,
    }))
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
      else put.push({ ...live, inlinks: this.#source.scoring.inlinks?.get(live.url) ?? 0 })
    }
    const { gains } = await this.#index.write({ put, remove }, { at: this.#atMs })
    return new Map(gains.map(({ key, deltaQuality }) => [this.#numbers.get(key as string)!, deltaQuality]))
  }

  async #fit(): Promise<void> {
    if (this.#fits === 'each-step') await this.#index.refresh.fit()
    else await fitsSettled(this.#index)
  }

  async #hear(queries: readonly AskedQuery[], share: number): Promise<void> {
    await this.#index.workload.load(
      queries.map(({ query, count }) => [query, count * share] as const),
      { at: this.#atMs },
    )
  }

  #set(url: string, page: WorldPage | undefined): void {
    const number = this.#numbers.get(url)
    if (number === undefined) return
    this.#live[number] = page
    this.#changed.push(number)
  }
}

/** The same scoring, as an index is told of it. */
function indexScoring({
  model = 'tfidf',
  k1 = 1.2,
  b = 0.75,
  alpha = 1,
  beta = 0,
  inlinks,
}: LabScoring): ScoringOptions<IndexedPage> {
  return {
    model,
    ...(model === 'bm25' ? { k1, b } : {}),
    ...(inlinks === undefined ? {} : { weight: 'inlinks', alpha, beta }),
  }
}

/** How experiments index the pages of a world. */
export function pageOptions(analyzer: PresetName): OpenOptions<WorldPage> {
  return { key: 'url', fields: { title: { boost: 2 }, text: {} }, analyzer }
}

/** RangeError for a query that an index cannot measure by. */
export function recordQueries(index: Freshdex<WorldPage>, counted: readonly AskedQuery[]): void {
  for (const { query, count } of counted)
    if (!index.workload.record(query, { count, at: 0 })) throw new RangeError(`the query ${query} cannot be measured`)
}

const LONG_MS = 3_600_000

/**
 * Resolves when the index has made the fits that it has begun by itself, or wants to make of what was recorded: whoever
 * asks what is next waits for them.
 */
export async function fitsSettled<T extends object>(index: Freshdex<T>): Promise<void> {
  await index.refresh.next({ budget: 0, waitMs: LONG_MS })
}

export function* inBatches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
