/**
 * The sketches of queries from one cycle to the next (Crawl ordering by search impact, section 7, names that as future
 * work). Judging the pages that match a query takes far longer than adding up what came of it. What came of it depends
 * on the answers of the query, on the pages that match, and on what is the same for all queries: lessons, view and
 * rules. So a sketch is made anew only when one of these has changed.
 *
 * S1  A kept sketch is what making it anew would give.
 */
import type { ViewLikelihood } from '../workload/view-likelihood.js'
import { AskedQueries } from './asked-queries.js'
import type { FrontierCycle } from './cycle.js'
import { KEPT_ANSWERS } from './cycle-rules.js'
import { anchorsOf } from './frontier-page.js'
import type { FrontierPages } from './frontier-pages.js'
import { matchesNeeded, type Ngrams, pageNgrams } from './impact/ngrams.js'
import type { Lessons } from './lessons.js'

/** What a cycle makes of one query. */
export interface MadeSketch {
  /** The pages that match, ascending, and what each would add to the quality of the answers at weight 1. */
  readonly numbers: Uint32Array
  readonly deltaQuality: Float64Array
  /** Those of them that are expected among the K best answers, and at which rank. */
  readonly seen: Uint32Array
  readonly seenRanks: Uint8Array
}

interface KeptSketch extends MadeSketch {
  /** The answers that it was made from, best first. */
  readonly answers: Float32Array
  /** `pages.changes` when it was made. */
  readonly changes: number
}

/** Pages of all kept sketches together: 12 bytes each, 48 MiB. Those of lighter queries are made anew. */
const MOST_PAGES = 2 ** 22
const SKETCH_BYTES = 300
/** Beyond so many changes of pages, each query looks for the pages that match. */
const MOST_NEW_PAGES = 1000

/** What is kept from one cycle to the next. */
export class KeptCycles {
  readonly queries = new AskedQueries()
  readonly sketches = new KeptSketches()

  get memoryBytes(): number {
    return this.queries.memoryBytes + this.sketches.memoryBytes
  }
}

export class KeptSketches {
  #sketches = new Map<string, KeptSketch>()
  #pages: FrontierPages | undefined
  /** `changes` of the pages when the cycle of the sketches began: none of them was made before. */
  #begun = 0
  #lessons: Lessons | undefined
  #view: Float64Array = new Float64Array()
  #rho = Number.NaN
  #visibleRanks = Number.NaN
  /** Queries of the last cycle whose sketches were made, and those whose sketches were there. */
  #made = 0
  #reused = 0

  get memoryBytes(): number {
    let bytes = 0
    for (const { numbers, seen } of this.#sketches.values())
      bytes += SKETCH_BYTES + 12 * numbers.length + 5 * seen.length
    return bytes
  }

  /** Of the last cycle: how many sketches were made, and how many of an earlier cycle were still right. */
  get counts(): { readonly made: number; readonly reused: number } {
    return { made: this.#made, reused: this.#reused }
  }

  /** Begins a cycle, which finds or makes the sketches of queries, by their rows. */
  begin(cycle: FrontierCycle, { candidates, make }: SketchMaker): SketchedCycle {
    this.#follow(cycle)
    const { pages, queries, rules } = cycle
    const begun = pages.changes
    const news = newNgrams(pages, this.#begun)
    const kept = new Map<string, KeptSketch>()
    let [room, made, reused] = [MOST_PAGES, 0, 0]
    return {
      sketch: (query) => {
        const name = queries.name(query)
        const known = this.#sketches.get(name)
        const isRight = known !== undefined && isSame(known.answers, queries.scores(query))
        const changes = pages.changes
        // Pages that change while the cycle runs are not among the news.
        const isNews = () => changes !== begun || mayMatch(queries.ngrams(query), news, rules.rho)
        const isKept =
          isRight &&
          (known.changes === changes ||
            (isUnchanged(known, pages) && (!isNews() || isSame(candidates(query), known.numbers))))
        const sketch: KeptSketch = isKept
          ? { ...known, changes }
          : { ...make(query), answers: queries.scores(query).slice(), changes }
        if (isKept) reused++
        else made++
        room -= sketch.numbers.length
        if (room >= 0) kept.set(name, sketch)
        return sketch
      },
      end: () => {
        // Only now: a cycle that did not come to its end leaves sketches and moment as they were.
        this.#sketches = kept
        this.#begun = begun
        this.#made = made
        this.#reused = reused
      },
    }
  }

  /** Forgets all sketches when something has changed that is the same for all queries. */
  #follow({ pages, lessons, view, rules: { rho, visibleRanks } }: FrontierCycle): void {
    const sampled = sampledView(view)
    const isAsBefore =
      pages === this.#pages &&
      lessons === this.#lessons &&
      rho === this.#rho &&
      visibleRanks === this.#visibleRanks &&
      isSame(sampled, this.#view)
    if (!isAsBefore) this.#sketches.clear()
    this.#pages = pages
    this.#lessons = lessons
    this.#view = sampled
    this.#rho = rho
    this.#visibleRanks = visibleRanks
  }
}

/** Queries go by their rows. */
export interface SketchMaker {
  /** The pages that are judged for a query, ascending: those that match, or the best of them. */
  candidates(query: number): Uint32Array
  make(query: number): MadeSketch
}

export interface SketchedCycle {
  sketch(query: number): MadeSketch
  end(): void
}

/** Whether the pages that were judged are as they were. */
function isUnchanged({ numbers, changes }: KeptSketch, pages: FrontierPages): boolean {
  return !numbers.some((number) => pages.changeOf(number) > changes)
}

/** The n-grams of the pages that have changed since; undefined where these are many. */
function newNgrams(pages: FrontierPages, since: number): ReadonlySet<number> | undefined {
  const ngrams = new Set<number>()
  if (pages.changes - since > MOST_NEW_PAGES) return undefined
  if (pages.changes === since) return ngrams
  for (let number = 0; number < pages.end; number++) {
    const page = pages.changeOf(number) > since ? pages.waiting(number) : undefined
    if (page !== undefined) for (const ngram of pageNgrams(page.url, anchorsOf(page))) ngrams.add(ngram)
  }
  return ngrams
}

/** Whether a page may match that has only these n-grams. */
function mayMatch(query: Ngrams, ngrams: ReadonlySet<number> | undefined, rho: number): boolean {
  if (ngrams === undefined) return true
  let found = 0
  for (const ngram of query) if (ngrams.has(ngram)) found++
  return found >= matchesNeeded(query.length, rho)
}

/** The ranks that gains depend on. */
function sampledView(view: ViewLikelihood): Float64Array<ArrayBuffer> {
  return Float64Array.from({ length: KEPT_ANSWERS + 1 }, (_, at) => view(at + 1))
}

function isSame(one: Float64Array | Float32Array | Uint32Array, other: typeof one): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at])
}
