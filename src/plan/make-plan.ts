/** Makes a plan: documents to refresh and new pages to fetch, together within a budget and its limits. */
import { hostOf } from '../base/hosts.js'
import type { Key } from '../base/keys.js'
import { inTurns, Pauses } from '../base/turns.js'
import type { Frontier } from '../frontier/frontier.js'
import { findingBest } from '../math/heap.js'
import { type GainSum, gainInterval, NO_GAIN, withGain } from '../refresh/model/gain-interval.js'
import type { ExpectedGain } from '../refresh/model/gain-model.js'
import { DEFAULT_POLICY } from '../refresh/policies/registry.js'
import type { JudgedDocuments, Refresh } from '../refresh/refresh.js'
import { RemainingBudget } from './budget.js'
import { type DocumentOffer, type DocumentOffers, pricedOffers, simpleOffers } from './document-offers.js'
import type { Plan, PlannedAction, PlannedNewPage, PlannedRefresh, StalenessReport } from './plan.js'
import { FETCHES, type PlanOptions, type PlanRequest, readPlanOptions } from './plan-options.js'
import { newPageSentence, planSentence } from './plan-sentence.js'
import { qualityScale } from './quality.js'
import { searchTarget, type TargetSearch } from './target.js'

/** What a plan is made of: the Prioritizer has it. */
export interface PlannedIndex {
  readonly refresh: Refresh
  readonly frontier: Frontier
  /** Throws CLOSED when the index was closed meanwhile. */
  check(): void
}

export async function makePlan(index: PlannedIndex, options: PlanOptions, nowMs: number): Promise<Plan> {
  const { refresh, frontier } = index
  const request = readPlanOptions(options, nowMs)
  const check = () => {
    index.check()
    request.stop()
  }
  const pauses = new Pauses(check)
  const hasNewPages = request.hasNewPages && frontier.size > 0
  const priorityOf = hasNewPages ? priorityOfGain(await refresh.judged(request.policy, request)) : undefined
  const newPages = priorityOf === undefined ? [] : await newPageOffers(frontier, request, priorityOf, pauses)
  check()
  // After the frontier, which takes its time: documents are judged as they are now.
  const documents = await refresh.judged(request.policy, request)
  if (request.target !== undefined) return planTarget(documents, request, request.target, check)
  const isSimple = request.prices.uniform !== undefined && request.staleness === undefined
  const offers = isSimple ? simpleOffers(documents, request) : await pricedOffers(documents, request, pauses)
  const stillNew: NewPageOffer[] = []
  for (const page of newPages) {
    if (pauses.isDue) await pauses.pause()
    if (refresh.priority(page.key) === undefined) stillNew.push(page)
  }
  const { deltaQuality } = await documents.total()
  check()
  return new PlanMaker(documents, request, deltaQuality, pauses).make(offers, stillNew)
}

async function planTarget(
  documents: JudgedDocuments,
  request: PlanRequest,
  target: number,
  check: () => void,
): Promise<Plan> {
  const pauses = new Pauses(check)
  const pauseIfDue = async () => {
    if (pauses.isDue) await pauses.pause()
  }
  const { deltaQuality } = await documents.total()
  const scale = await qualityScale(documents, request.atMs, pauseIfDue)
  const offers = await pricedOffers(documents, request, pauses)
  const { perHost } = request
  const found = await searchTarget(documents, offers.best, scale, { target, perHost }, pauseIfDue)
  const maker = new PlanMaker(documents, request, deltaQuality, pauses)
  return maker.make({ ...offers, best: inOrder(found.offers) }, [], { ...found, now: scale.now })
}

async function* inOrder(offers: readonly DocumentOffer[]): AsyncGenerator<DocumentOffer> {
  yield* offers
}

type PriorityOfGain = (deltaQuality: number) => number

/** New pages and refreshes can be compared only by a policy that knows the priority of a gain. */
function priorityOfGain({ policy }: JudgedDocuments): PriorityOfGain {
  if (policy.priorityOfGain !== undefined) return policy.priorityOfGain
  throw new RangeError(
    `the policy '${policy.name}' cannot weigh new pages against documents: ` +
      `choose '${DEFAULT_POLICY}', or say newPages: false`,
  )
}

/** A new page before it is known what comes before it. */
type NewPageOffer = Omit<PlannedNewPage, 'stake' | 'expectedGain' | 'cumulativeGain' | 'why'>

/** The pages of the frontier, most priority per cost first. */
async function newPageOffers(
  frontier: Frontier,
  { atMs, budget, prices, perHost }: PlanRequest,
  priorityOf: PriorityOfGain,
  pauses: Pauses,
): Promise<NewPageOffer[]> {
  const { uniform } = prices
  // Where all pages cost the same, no more are needed than the budget can pay for.
  const most = uniform === undefined ? frontier.size : Math.min(Math.ceil(budget / uniform), frontier.size)
  const suggested = await frontier.nextByGain(most, atMs, uniform === undefined ? Number.POSITIVE_INFINITY : perHost)
  const offers: NewPageOffer[] = []
  for (const { url: key, deltaQuality, impact, inlinks } of suggested) {
    if (pauses.isDue) await pauses.pause()
    const [priority, cost] = [priorityOf(deltaQuality), prices.fetchOf({ key, isNew: true })]
    offers.push({ kind: 'new', key, priority, deltaQuality, cost, impact, inlinks })
  }
  if (uniform !== undefined) return offers
  const sorted: NewPageOffer[] = []
  for (const at of await inTurns(findingBest(Float64Array.from(offers, rateOf)), pauses, { perLook: 1 })) {
    sorted.push(offers[at]!)
    if (pauses.isDue) await pauses.pause()
  }
  return sorted
}

class PlanMaker {
  readonly #documents: JudgedDocuments
  readonly #request: PlanRequest
  readonly #pauses: Pauses
  readonly #remaining: RemainingBudget
  readonly #actions: PlannedAction[] = []
  #gain: GainSum = NO_GAIN
  #changes = 0
  #cost = 0
  #refreshes = 0
  #cumulativeGain = 0
  /** Σ E[ΔQ_A] over all present documents. */
  readonly #missing: number

  constructor(documents: JudgedDocuments, request: PlanRequest, missing: number, pauses: Pauses) {
    this.#documents = documents
    this.#pauses = pauses
    this.#request = request
    this.#missing = missing
    // A target was looked for within the limits already.
    const perHost = request.target === undefined ? request.perHost : Number.POSITIVE_INFINITY
    this.#remaining = new RemainingBudget(Math.min(request.budget, Number.MAX_VALUE), perHost)
  }

  async make(offers: DocumentOffers, newPages: readonly NewPageOffer[], found?: FoundTarget): Promise<Plan> {
    const { history } = this.#documents
    for (const offer of offers.due) {
      this.#takeDocument(offer, true)
      if (this.#pauses.isDue) await this.#pauses.pause()
    }
    const due = this.#actions.length
    await this.#takeBest(offers.best[Symbol.asyncIterator](), newPages)
    history.gains.rememberForReview()
    const { sumStake } = history.ledger.totals()
    const { mean: deltaQuality } = this.#gain
    const { atMs, target, budget, prices } = this.#request
    const qualities = { qualityNow: found?.now, quality: found?.quality }
    const facts = { ...qualities, cost: this.#cost, expectedGain: this.#cumulativeGain, isReached: found?.isReached }
    return {
      at: atMs,
      ...facts,
      sentence: planSentence({
        ...facts,
        target,
        refreshes: this.#refreshes,
        newPages: this.#actions.length - this.#refreshes,
        hasQueries: this.#documents.hasQueries,
        hasStakes: sumStake > 0,
        learntShare: this.#documents.learntShare,
        isCountedInFetches: prices === FETCHES,
      }),
      budget: found === undefined ? budget : this.#cost,
      curve: found?.curve,
      actions: this.#actions,
      expected: {
        ...{ deltaQuality, ...gainInterval(this.#gain), changes: this.#changes },
        quality: sumStake > 0 ? deltaQuality / sumStake : 0,
      },
      staleness: this.#stalenessReport(offers, due),
    }
  }

  async #takeBest(documents: AsyncIterator<DocumentOffer>, newPages: readonly NewPageOffer[]): Promise<void> {
    const { least } = this.#request.prices
    let [document, next] = [await documents.next(), 0]
    while (this.#remaining.hasRoomFor(least)) {
      const page = newPages[next]
      const offer = document.done ? undefined : document.value
      if (page !== undefined && (offer === undefined || rateOf(page) > rateOf(offer))) {
        this.#takePage(page)
        next++
      } else if (offer !== undefined) {
        this.#takeDocument(offer, false)
        document = await documents.next()
        if (this.#pauses.isDue) await this.#pauses.pause()
      } else {
        break
      }
    }
    await documents.return?.()
  }

  #takeDocument({ doc, kind, priority, cost }: DocumentOffer, isDue: boolean): void {
    const { history, keyOf } = this.#documents
    const key = keyOf(doc)
    // The document may have been removed while the plan was made.
    if (key === undefined || !this.#remaining.take(cost, () => hostOf(key))) return
    const page = this.#documents.describe(doc, priority)
    if (page === undefined) return
    const { atMs } = this.#request
    const gain = history.gains.expected(doc, atMs)
    const deltaQuality = gain.changeChance * gain.gainIfChanged
    const action: PlannedRefresh = {
      ...{ kind, key, priority, cost, isDue, deltaQuality, changeChance: gain.changeChance },
      ...{ stake: page.stake, ageMs: page.ageMs, currentProbability: page.currentProbability, why: page.why },
      ...this.#shares(deltaQuality),
      refreshes: history.ledger.columns.refreshes[doc] as number,
    }
    this.#refreshes++
    this.#changes += gain.changeChance
    this.#add(action, gain)
  }

  /** The next action as a share of what can be gained, and with all before it. */
  #shares(deltaQuality: number): Pick<PlannedAction, 'expectedGain' | 'cumulativeGain'> {
    const expectedGain = this.#missing > 0 ? deltaQuality / this.#missing : 0
    this.#cumulativeGain += expectedGain
    return { expectedGain, cumulativeGain: this.#cumulativeGain }
  }

  #takePage(page: NewPageOffer): void {
    if (!this.#remaining.take(page.cost, () => hostOf(page.key as Key))) return
    // The gain of a new page is taken to be as uncertain as that of a change.
    const spread = this.#documents.history.gains.spread
    const shares = this.#shares(page.deltaQuality)
    const action = { ...page, stake: 0, ...shares, why: newPageSentence({ ...page, ...shares }) }
    this.#add(action, { changeChance: 1, gainIfChanged: page.deltaQuality, spread })
  }

  #add(action: PlannedAction, gain: ExpectedGain): void {
    this.#actions.push(action)
    this.#cost += action.cost
    this.#gain = withGain(this.#gain, gain)
  }

  #stalenessReport({ needed, late }: DocumentOffers, due: number): StalenessReport | undefined {
    const { staleness, budget, perHost } = this.#request
    if (staleness === undefined) return undefined
    const limit = needed?.perHost ?? perHost
    return {
      ...{ maxStalenessMs: staleness.maxMs, late, due, isKept: needed === undefined },
      needed: { cost: needed?.budget ?? budget, perHost: limit === Number.POSITIVE_INFINITY ? undefined : limit },
    }
  }
}

interface FoundTarget extends TargetSearch {
  /** The quality if nothing is refreshed. */
  readonly now: number
}

function rateOf({ priority, cost }: { readonly priority: number; readonly cost: number }): number {
  return priority / cost
}
