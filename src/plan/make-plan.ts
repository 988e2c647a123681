/** Makes a plan: documents to refresh and new pages to fetch, together within a budget and its limits. */
import { hostOf } from '../base/hosts.js'
import type { Key } from '../base/keys.js'
import { Pauses } from '../base/turns.js'
import type { Frontier } from '../frontier/frontier.js'
import { type GainSum, gainInterval, NO_GAIN, withGain } from '../refresh/model/gain-interval.js'
import type { ExpectedGain } from '../refresh/model/gain-model.js'
import { DEFAULT_POLICY } from '../refresh/policies/registry.js'
import type { JudgedDocuments, Refresh } from '../refresh/refresh.js'
import { RemainingBudget } from './budget.js'
import { type DocumentOffer, type DocumentOffers, pricedOffers, simpleOffers } from './document-offers.js'
import type { Plan, PlannedAction, PlannedNewPage, PlannedRefresh, StalenessReport } from './plan.js'
import { FETCHES, type PlanOptions, type PlanRequest, readPlanOptions } from './plan-options.js'

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
  const hasNewPages = request.hasNewPages && frontier.size > 0
  const priorityOf = hasNewPages ? priorityOfGain(await refresh.judged(request.policy, request)) : undefined
  const newPages = priorityOf === undefined ? [] : await newPageOffers(frontier, request, priorityOf)
  index.check()
  // After the frontier, which takes its time: documents are judged as they are now.
  const documents = await refresh.judged(request.policy, request)
  const isSimple = request.prices === FETCHES && request.staleness === undefined
  const offers = isSimple
    ? simpleOffers(documents, request)
    : await pricedOffers(documents, request, new Pauses(() => index.check()))
  const stillNew = newPages.filter(({ key }) => refresh.priority(key) === undefined)
  return new PlanMaker(documents, request, new Pauses(() => index.check())).make(offers, stillNew)
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

/** The pages of the frontier, most priority per cost first. */
async function newPageOffers(
  frontier: Frontier,
  { atMs, budget, prices, perHost }: PlanRequest,
  priorityOf: PriorityOfGain,
): Promise<PlannedNewPage[]> {
  const isUniform = prices === FETCHES
  const most = isUniform ? Math.min(budget, frontier.size) : frontier.size
  const suggested = await frontier.nextByGain(most, atMs, isUniform ? perHost : Number.POSITIVE_INFINITY)
  const offers = suggested.map(({ url: key, deltaQuality, impact, inlinks }): PlannedNewPage => {
    const [priority, cost] = [priorityOf(deltaQuality), prices.fetchOf({ key, isNew: true })]
    return { kind: 'new', key, priority, deltaQuality, cost, impact, inlinks }
  })
  return isUniform ? offers : offers.sort((a, b) => rateOf(b) - rateOf(a))
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

  constructor(documents: JudgedDocuments, request: PlanRequest, pauses: Pauses) {
    this.#documents = documents
    this.#pauses = pauses
    this.#request = request
    this.#remaining = new RemainingBudget(request.budget, request.perHost)
  }

  async make(offers: DocumentOffers, newPages: readonly PlannedNewPage[]): Promise<Plan> {
    const { history } = this.#documents
    for (const offer of offers.due) this.#takeDocument(offer, true)
    const due = this.#actions.length
    await this.#takeBest(offers.best[Symbol.asyncIterator](), newPages)
    history.gains.rememberForReview()
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

  async #takeBest(documents: AsyncIterator<DocumentOffer>, newPages: readonly PlannedNewPage[]): Promise<void> {
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
    if (!this.#remaining.take(page.cost, () => hostOf(page.key as Key))) return
    // The gain of a new page is taken to be as uncertain as that of a change.
    const spread = this.#documents.history.gains.spread
    this.#add(page, { changeChance: 1, gainIfChanged: page.deltaQuality, spread })
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

function rateOf({ priority, cost }: { readonly priority: number; readonly cost: number }): number {
  return priority / cost
}
