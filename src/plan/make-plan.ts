/** Plans: documents to refresh and new pages together, within a budget and its limits. */
import { type GainSum, gainInterval, NO_GAIN, withGain } from '../budget/gain-interval.js'
import { Purse } from '../budget/purse.js'
import type { Frontier, FrontierSuggestion } from '../discovery/frontier.js'
import { Pauses } from '../discovery/pauses.js'
import type { Key } from '../documents.js'
import type { ExpectedGain } from '../refresh/gain-model.js'
import { hostOf } from '../refresh/host.js'
import type { PolicyChoice } from '../refresh/policy-desk.js'
import type { JudgedDocuments, Refresh } from '../refresh/refresh.js'
import { DEFAULT_POLICY } from '../refresh/registry.js'
import { type DocumentOffer, type DocumentOffers, pricedOffers, simpleOffers } from './document-offers.js'
import type { Plan, PlannedAction, PlannedNewPage, PlannedRefresh, StalenessReport } from './plan.js'
import { type PlanOptions, type PlanRequest, readPlanOptions } from './plan-options.js'
import { FETCHES } from './prices.js'

export interface PlanParts {
  readonly refresh: Refresh
  readonly frontier: Frontier
  readonly check: () => void
  readonly nowMs: number
}

export async function makePlan({ refresh, frontier, check, nowMs }: PlanParts, options: PlanOptions): Promise<Plan> {
  const request = readPlanOptions(options, nowMs)
  if (request.hasNewPages && frontier.size > 0) requireWeighable(request.policy)
  const newPages = await newPageOffers(frontier, request)
  check()
  // After the frontier, which takes its time: documents are judged as they are now.
  const parts = refresh.judged(newPages.length > 0 ? DEFAULT_POLICY : request.policy)
  const isSimple = request.prices === FETCHES && request.staleness === undefined
  const offers = isSimple ? simpleOffers(parts, request) : await pricedOffers(parts, request, new Pauses(check))
  const stillNew = newPages.filter(({ key }) => refresh.priority(key) === undefined)
  return new PlanMaker(parts, request).make(offers, stillNew)
}

/** New pages and refreshes are compared in one currency, which not every policy has. */
function requireWeighable(policy: PolicyChoice | undefined): void {
  const name = typeof policy === 'object' ? policy.name : policy
  if (name === undefined || name === DEFAULT_POLICY) return
  throw new RangeError(`new pages are weighed by the policy '${DEFAULT_POLICY}': with '${name}' say newPages: false`)
}

/** Most priority per cost first. */
async function newPageOffers(frontier: Frontier, request: PlanRequest): Promise<PlannedNewPage[]> {
  const { atMs, money, prices, perHost, hasNewPages } = request
  if (!hasNewPages || frontier.size === 0) return []
  const isUniform = prices === FETCHES
  const most = isUniform ? Math.min(money, frontier.size) : frontier.size
  const suggested = await frontier.nextByGain(most, atMs, isUniform ? perHost : Number.POSITIVE_INFINITY)
  const offers = suggested.map((page) => offerOf(page, prices.fetchOf({ key: page.url, isNew: true })))
  return isUniform ? offers : offers.sort((a, b) => b.priority / b.cost - a.priority / a.cost)
}

function offerOf({ url, deltaQuality, impact, inlinks }: FrontierSuggestion, cost: number): PlannedNewPage {
  return { kind: 'new', key: url, priority: deltaQuality, deltaQuality, cost, impact, inlinks }
}

class PlanMaker {
  readonly #parts: JudgedDocuments
  readonly #request: PlanRequest
  readonly #purse: Purse
  readonly #actions: PlannedAction[] = []
  #gain: GainSum = NO_GAIN
  #changes = 0
  #cost = 0

  constructor(parts: JudgedDocuments, request: PlanRequest) {
    this.#parts = parts
    this.#request = request
    this.#purse = new Purse(request.money, request.perHost)
  }

  make(offers: DocumentOffers, newPages: readonly PlannedNewPage[]): Plan {
    const { history } = this.#parts
    history.gains.promise()
    for (const offer of offers.due) this.#takeDocument(offer, true)
    const due = this.#actions.length
    this.#takeBest(offers.best[Symbol.iterator](), newPages)
    const { sumStake } = history.ledger.totals()
    const { mean: deltaQuality } = this.#gain
    return {
      at: this.#request.atMs,
      actions: this.#actions,
      cost: this.#cost,
      expected: {
        ...{ deltaQuality, ...gainInterval(this.#gain), changes: this.#changes },
        quality: sumStake > 0 ? deltaQuality / sumStake : 0,
      },
      staleness: this.#stalenessReport(offers, due),
    }
  }

  #takeBest(documents: Iterator<DocumentOffer>, newPages: readonly PlannedNewPage[]): void {
    const { least } = this.#request.prices
    let [document, next] = [documents.next(), 0]
    while (this.#purse.left > 0 && this.#purse.left * ROUNDING >= least) {
      const page = newPages[next]
      const offer = document.done ? undefined : document.value
      if (page !== undefined && (offer === undefined || rateOf(page) > rateOf(offer))) {
        this.#takePage(page)
        next++
      } else if (offer !== undefined) {
        this.#takeDocument(offer, false)
        document = documents.next()
      } else {
        break
      }
    }
    documents.return?.()
  }

  #takeDocument({ doc, kind, priority, cost }: DocumentOffer, isDue: boolean): void {
    const { history, keyOf } = this.#parts
    const key = keyOf(doc)
    // It may have been removed while the plan was made.
    if (key === undefined || !this.#purse.take(cost, () => hostOf(key))) return
    const { atMs } = this.#request
    const gain = history.gains.expected(doc, atMs)
    const { columns } = history.ledger
    const action: PlannedRefresh = {
      ...{ kind, key, priority, cost, isDue, changeChance: gain.changeChance },
      deltaQuality: gain.changeChance * gain.gainIfChanged,
      ageMs: Math.max(0, atMs - (columns.refreshedMs[doc] as number)),
      refreshes: columns.refreshes[doc] as number,
    }
    this.#changes += gain.changeChance
    this.#add(action, gain)
  }

  #takePage(page: PlannedNewPage): void {
    if (!this.#purse.take(page.cost, () => hostOf(page.key as Key))) return
    // As uncertain as what a change of a document gains.
    const spread = this.#parts.history.gains.spread
    this.#add(page, { changeChance: 1, gainIfChanged: page.deltaQuality, spread })
  }

  #add(action: PlannedAction, gain: ExpectedGain): void {
    this.#actions.push(action)
    this.#cost += action.cost
    this.#gain = withGain(this.#gain, gain)
  }

  #stalenessReport({ needed, late }: DocumentOffers, due: number): StalenessReport | undefined {
    const { staleness, money, perHost } = this.#request
    if (staleness === undefined) return undefined
    const limit = needed?.perHost ?? perHost
    return {
      ...{ maxStalenessMs: staleness.maxMs, late, due, isKept: needed === undefined },
      needed: { cost: needed?.budget ?? money, perHost: limit === Number.POSITIVE_INFINITY ? undefined : limit },
    }
  }
}

function rateOf({ priority, cost }: { readonly priority: number; readonly cost: number }): number {
  return priority / cost
}

/** A purse that was spent to the last bit but one is empty. */
const ROUNDING = 1 + 1e-9
