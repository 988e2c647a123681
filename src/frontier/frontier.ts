import { numberOption, readOptions } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { withinHosts } from '../base/hosts.js'
import { type Time, timeOption, toldTimeOption } from '../base/time.js'
import { inTurns, Pauses, type Steps, TurnQueue } from '../base/turns.js'
import type { SearchEngine } from '../engine.js'
import type { ViewLikelihood } from '../workload/view-likelihood.js'
import type { CountedQueryName } from './asked-queries.js'
import {
  askQueries,
  bestPages,
  type CycleImpacts,
  type FrontierCycle,
  judgeFrontier,
  MAX_NEEDY,
  offerAnswers,
} from './cycle.js'
import {
  DEFAULT_RULES,
  IMPACT_OPTIONS,
  type ImpactOptions,
  type ImpactRules,
  inlinkScale,
  readImpactRules,
  visibilityOf,
} from './cycle-rules.js'
import type { FrontierExplanation, FrontierQuery, FrontierSuggestion, FrontierWorth } from './explanation.js'
import {
  anchorsOf,
  type FoundPage,
  type FrontierPage,
  importanceOf,
  inlinksOf,
  readFoundPage,
  requireUrl,
} from './frontier-page.js'
import type { AddReport, FrontierState, FrontierStep } from './frontier-state.js'
import { hybridImpact } from './impact/impact.js'
import { matchesNeeded, matchShare, pageNgrams } from './impact/ngrams.js'
import { quadraticAt } from './impact/query-independent.js'
import { QuerySketches } from './impact/query-sketch.js'
import type { KeptCycles } from './kept-sketches.js'
import { learn } from './learning.js'
import { QueryJudge } from './query-judge.js'

export interface FrontierNextOptions extends ImpactOptions {
  /** How many pages to name, 0 or more. */
  readonly budget: number
  /** The moment by which queries are weighed. Default now. */
  readonly at?: Time
}

export interface FrontierExplainOptions extends ImpactOptions {
  /** The moment by which queries are weighed. Default now. */
  readonly at?: Time
}

/** What `index.frontier` needs of the prioritizer that it belongs to. */
export interface FrontierOwner {
  readonly engine: SearchEngine
  readonly keptCycles: KeptCycles
  /** False: somebody else writes the index. */
  readonly isWriter: boolean
  now(): number
  /** Throws CLOSED or REENTRANT when a call may not go on. */
  check(): void
  /** Runs code of the user: what that calls of the index is refused until it returns. */
  shield<T>(code: () => T): T
  /** The frontier as of now: what another process has written is read first. */
  frontierState(): FrontierState
  /** Runs work as a turn of the index. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Makes a change of the frontier, in steps, and makes it durable when it is its turn. */
  changeFrontier<S extends FrontierStep>(change: (frontier: FrontierState) => Steps<S>): Promise<S>
  /** Heaviest first, of equals in an order that lasts; queries whose text is not kept are left out. */
  queries(atMs: number): readonly CountedQueryName[]
  /** I(r) as it is used now. */
  view(): ViewLikelihood
}

/** Of an explanation. */
const MAX_QUERIES = 20
/** Pages between two looks at the clock. */
const PORTION = 1024

/** The pages that the index knows of and has not fetched, and which of them to fetch next. */
export class Frontier {
  readonly #owner: FrontierOwner
  /** Cycles come one at a time. */
  readonly #cycles = new TurnQueue()

  constructor(owner: FrontierOwner) {
    this.#owner = owner
  }

  /** Pages that wait to be fetched. */
  get size(): number {
    this.#owner.check()
    return this.#owner.frontierState().size
  }

  /**
   * Says that pages exist. Known ones get the anchors that are new and, if told, other inlinks; documents of the index
   * are passed over. All pages of a call are taken or, when the promise rejects, none.
   */
  async add(pages: Iterable<FoundPage>, options?: { readonly at?: Time }): Promise<AddReport> {
    this.#owner.check()
    const { at } = readOptions('add', options, ['at'])
    const atMs = toldTimeOption('at', at, this.#owner.now())
    const news = this.#owner.shield(() => Array.from(requireIterable('pages', pages), readFoundPage))
    const isDocument = (url: string) => this.#owner.engine.numberOf(url) !== undefined
    const { added, updated, known } = await this.#owner.changeFrontier((frontier) =>
      frontier.adding(news, atMs, isDocument),
    )
    return { added, updated, known }
  }

  /** Forgets pages. Gives how many were there. */
  async remove(urls: Iterable<string>): Promise<number> {
    this.#owner.check()
    const wanted = this.#owner.shield(() => Array.from(requireIterable('urls', urls), requireUrl))
    return (await this.#owner.changeFrontier((frontier) => frontier.removing(wanted))).removed
  }

  /**
   * The pages to fetch next, those of the highest impact first; of equals those with the most inlinks. Before it was
   * learnt what scores to expect, those of the highest `deltaQuality` come first: every page seems good enough then to
   * be seen, also where there are many good answers.
   */
  async next(options: FrontierNextOptions): Promise<FrontierSuggestion[]> {
    const { budget, at, ...rules } = readOptions('next', options, ['budget', 'at', ...IMPACT_OPTIONS])
    return this.#choose(
      { budget: requireBudget(budget), perHost: Number.POSITIVE_INFINITY },
      { atMs: this.#time(at), rules: readImpactRules(rules) },
      hybridImpacts,
    )
  }

  /** For Freshdex.plan(): the same by ΔQ_A, with no more than `perHost` pages of a host. */
  async nextByGain(budget: number, atMs: number, perHost: number): Promise<FrontierSuggestion[]> {
    const request = { atMs, rules: DEFAULT_RULES }
    return this.#choose({ budget, perHost }, request, async ({ deltaQuality }) => deltaQuality)
  }

  /** What a page would be worth, and to which queries; undefined when it is not in the frontier. */
  async explain(url: string, options?: FrontierExplainOptions): Promise<FrontierExplanation | undefined> {
    const { at, ...rules } = readOptions('explain', options, ['at', ...IMPACT_OPTIONS])
    const wanted = requireUrl(url)
    const request = { atMs: this.#time(at), rules: readImpactRules(rules) }
    return this.#cycle(request, async (frontier, pauses) => {
      const page = frontier.pages.find(wanted)
      if (page === undefined || page.fetchedMs !== undefined) return undefined
      return this.#explained(frontier, page, request, pauses)
    })
  }

  async #choose({ budget, perHost }: Limits, request: CycleRequest, valuesOf: PageValues) {
    return this.#cycle(request, async (frontier, pauses): Promise<FrontierSuggestion[]> => {
      if (budget === 0) return []
      const cycle = this.#cycleOf(frontier, request.rules)
      const impacts = await judgeFrontier(cycle, this.#owner.keptCycles.sketches, pauses)
      const values = await valuesOf(impacts, cycle, pauses)
      // What hosts may have too much of makes room for others, and these are looked for among four times as many.
      for (let count = budget; ; count *= 4) {
        const best = await bestPages(frontier.pages, values, count, pauses)
        const chosen = withinHosts(best, perHost, ({ url }) => url).slice(0, budget)
        if (chosen.length < budget && count < values.length) continue
        const suggested: FrontierSuggestion[] = []
        for (const page of chosen) {
          if (pauses.isDue) await pauses.pause()
          suggested.push({ ...suggestionOf(page), ...worthOf(page, impacts, cycle) })
        }
        return suggested
      }
    })
  }

  /** `work` with answers as they are now, and after what can be learnt. */
  async #cycle<T>(request: CycleRequest, work: (frontier: FrontierState, pauses: Pauses) => Promise<T>): Promise<T> {
    this.#owner.check()
    return this.#cycles.run(async () => {
      this.#owner.check()
      const frontier = this.#owner.frontierState()
      await this.#owner.inTurn(() => frontier.load())
      this.#owner.check()
      const pauses = new Pauses(() => this.#owner.check())
      const release = frontier.pages.hold()
      try {
        await inTurns(frontier.pages.index.merging(), pauses, { perLook: 1 })
        await this.#follow(frontier, request, pauses)
        return await work(frontier, pauses)
      } finally {
        release()
      }
    })
  }

  async #follow(frontier: FrontierState, { atMs, rules }: CycleRequest, pauses: Pauses): Promise<void> {
    if (pauses.isDue) await pauses.pause()
    await this.#owner.keptCycles.queries.update(this.#owner.queries(atMs), pauses)
    const current = await askQueries(this.#cycleOf(frontier, rules), pauses)
    // Whoever only reads could not say that the pages were learnt from, and would learn the same again and again.
    if (!this.#owner.isWriter) return
    const learnt = await learn(this.#cycleOf(frontier, rules), current, pauses)
    if (learnt === undefined) return
    this.#owner.check()
    // A plan does not fail for what could not be kept: the pages stay to be learnt from.
    await this.#owner.changeFrontier((changing) => changing.learning(learnt.numbers, learnt.lessons)).catch(() => {})
  }

  #cycleOf({ pages, lessons }: FrontierState, rules: ImpactRules): FrontierCycle {
    const { engine } = this.#owner
    const { best, numberOf } = engine
    const [view, sequence] = [this.#owner.view(), engine.sequence()]
    return { pages, lessons, queries: this.#owner.keptCycles.queries, view, rules, sequence, best, numberOf }
  }

  async #explained(
    frontier: FrontierState,
    page: FrontierPage,
    { atMs, rules }: CycleRequest,
    pauses: Pauses,
  ): Promise<FrontierExplanation | undefined> {
    const { pages, lessons } = frontier
    const cycle = this.#cycleOf(frontier, rules)
    const visibility = visibilityOf(rules, cycle.view)
    const judge = new QueryJudge(cycle)
    const ngrams = pageNgrams(page.url, anchorsOf(page))
    const found: FrontierQuery[] = []
    for (const query of this.#owner.keptCycles.queries.needy(lessons.improvability, MAX_NEEDY)) {
      if (pauses.isDue) await pauses.pause()
      const wanted = this.#owner.keptCycles.queries.ngrams(query)
      const needed = matchesNeeded(wanted.length, rules.rho)
      if (Math.round(matchShare(wanted, ngrams) * wanted.length) < needed) continue
      const explained = this.#explainQuery(query, page.id, judge, rules)
      if (explained !== undefined) found.push(explained)
    }
    // It may have been fetched meanwhile.
    if (pages.waiting(page.id) === undefined) return undefined
    const sum = (value: (query: FrontierQuery) => number) => found.reduce((total, query) => total + value(query), 0)
    const queryImpacts = new Float64Array(page.id + 1)
    const deltaQuality = new Float64Array(page.id + 1)
    queryImpacts[page.id] = sum(({ weight, expectedRank }) => {
      return expectedRank === undefined ? 0 : weight * visibility(expectedRank)
    })
    const promised = sum((query) => query.deltaQuality)
    const { factor: gainFactor, pages: gainPages } = lessons.calibration(promised)
    deltaQuality[page.id] = promised * gainFactor
    found.sort((a, b) => b.deltaQuality - a.deltaQuality || b.weight - a.weight)
    return {
      ...{ ...suggestionOf(page), at: atMs, ...worthOf(page, { queryImpacts, deltaQuality }, cycle) },
      ...{ anchors: anchorsOf(page), gainFactor, gainPages, queries: found.slice(0, MAX_QUERIES) },
    }
  }

  #explainQuery(query: number, number: number, judge: QueryJudge, rules: ImpactRules): FrontierQuery | undefined {
    const { visibleRanks } = rules
    const judged = judge.judge(query)
    const own = judged.numbers.indexOf(number)
    if (own < 0) return undefined
    const weight = this.#owner.keptCycles.queries.frequencies[query]!
    const sketch = new QuerySketches([weight], { visibleRanks, keptRanks: visibleRanks, refill: () => {} })
    offerAnswers(this.#owner.keptCycles.queries, query, visibleRanks, (page, score, isCrawled) =>
      sketch.offer(0, page, score, isCrawled),
    )
    judged.numbers.forEach((page, at) => {
      sketch.offer(0, page, judged.scores[at]!, false)
    })
    const ranks = Array.from({ length: sketch.length(0) }, (_, at) => at + 1)
    return {
      query: this.#owner.keptCycles.queries.name(query),
      weight,
      expectedScore: judged.scores[own]!,
      expectedRank: ranks.find((rank1) => !sketch.isCrawledAt(0, rank1) && sketch.pageAt(0, rank1) === number),
      deltaQuality: weight * judged.deltaQuality[own]!,
    }
  }

  #time(at: unknown): number {
    return timeOption('at', at, this.#owner.now())
  }
}

interface CycleRequest {
  readonly atMs: number
  readonly rules: ImpactRules
}

interface Limits {
  readonly budget: number
  readonly perHost: number
}

/** What pages are ordered by, by their numbers. */
type PageValues = (impacts: CycleImpacts, cycle: FrontierCycle, pauses: Pauses) => Promise<Float64Array>

async function hybridImpacts(
  { queryImpacts, deltaQuality }: CycleImpacts,
  { pages, lessons, rules, view }: FrontierCycle,
  pauses: Pauses,
): Promise<Float64Array> {
  const { tree, quadratic } = lessons
  if (tree === undefined) return deltaQuality
  if (quadratic === undefined) return queryImpacts
  const scale = inlinkScale(rules, view)
  const impacts = new Float64Array(queryImpacts.length)
  for (let number = 0; number < impacts.length; number++) {
    if (number % PORTION === 0 && pauses.isDue) await pauses.pause()
    const inlinkImpact = scale * quadraticAt(quadratic, Math.log1p(pages.inlinks(number)))
    impacts[number] = hybridImpact(queryImpacts[number]!, inlinkImpact, rules.queryWeight)
  }
  return impacts
}

function worthOf(page: FrontierPage, impacts: CycleImpacts, { lessons, rules, view }: FrontierCycle): FrontierWorth {
  const queryImpact = impacts.queryImpacts[page.id]!
  const { quadratic } = lessons
  const inlinkImpact =
    quadratic === undefined ? undefined : inlinkScale(rules, view) * quadraticAt(quadratic, importanceOf(page))
  return {
    impact: inlinkImpact === undefined ? queryImpact : hybridImpact(queryImpact, inlinkImpact, rules.queryWeight),
    ...{ queryImpact, inlinkImpact },
    deltaQuality: impacts.deltaQuality[page.id]!,
  }
}

function suggestionOf(page: FrontierPage) {
  return { url: page.url, inlinks: inlinksOf(page), addedAt: page.addedMs }
}

function requireBudget(budget: unknown): number {
  if (budget === undefined) throw new TypeError('a plan needs a budget: how many pages to name')
  return numberOption('budget', budget, 0, { min: 0, integer: true, max: Number.MAX_SAFE_INTEGER })
}

function requireIterable<T>(name: string, value: Iterable<T>): Iterable<T> {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value))
    throw new TypeError(`${name} must be iterable, received ${describe(value)}`)
  return value
}
