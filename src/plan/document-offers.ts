/** What can be done about the documents of an index: offers, each with its priority and its cost. */
import { hostOf } from '../base/hosts.js'
import { inTurns, type Pauses } from '../base/turns.js'
import { findingBest } from '../math/heap.js'
import type { JudgedDocuments } from '../refresh/refresh.js'
import { probePrecision } from '../refresh/signals/site-stats.js'
import { bestAction } from './budget.js'
import { type DuePages, findingDue } from './deadlines.js'
import type { PlanRequest, StalenessLimit } from './plan-options.js'

export interface DocumentOffer {
  readonly doc: number
  readonly kind: 'refresh' | 'probe'
  readonly priority: number
  readonly cost: number
}

export interface DocumentOffers {
  /** What must be done now to keep the limit of staleness, earliest deadline first. */
  readonly due: Iterable<DocumentOffer>
  /** All others, most priority per cost first. */
  readonly best: AsyncIterable<DocumentOffer>
  readonly needed: DuePages['needed']
  /** Documents that are older than the limit. */
  readonly late: number
}

/** Documents between two looks at the clock. */
const PORTION = 256
/** Offers beyond the budget: some documents may be gone, or beyond the limit of their host. */
const SPARE_OFFERS = 16
/** If these do not suffice, so many times more are asked for. */
const MORE_OFFERS = 8

/** Offers where every fetch costs the same and nothing is due. The best are found without looking at all documents. */
export function simpleOffers(documents: JudgedDocuments, { budget, prices }: PlanRequest): DocumentOffers {
  const cost = prices.uniform ?? 1
  const fetches = Math.min(Math.floor(budget / cost), Number.MAX_SAFE_INTEGER)
  const offers = async function* (): AsyncGenerator<DocumentOffer> {
    const given = new Set<number>()
    for (let count = fetches + SPARE_OFFERS; ; count *= MORE_OFFERS) {
      const { docs, priorities } = await documents.best(count)
      for (let at = 0; at < docs.length; at++) {
        const [doc, priority] = [docs[at]!, priorities[at]!]
        if (given.has(doc) || documents.keyOf(doc) === undefined) continue
        given.add(doc)
        yield { doc, kind: 'refresh', priority, cost }
      }
      if (docs.length < count) return
    }
  }
  return { due: [], best: offers(), needed: undefined, late: 0 }
}

/** Offers where costs differ or deadlines count. Looks at every document, with pauses. */
export async function pricedOffers(
  documents: JudgedDocuments,
  request: PlanRequest,
  pauses: Pauses,
): Promise<DocumentOffers> {
  const offers = await allOffers(documents, request, pauses)
  const { due, needed, late } = await dueOffers(documents, offers, request, pauses)
  const { docs, priorities, costs } = offers
  const isDue = new Uint8Array(docs.length)
  for (const at of due) isDue[at] = 1
  const { threshold } = documents
  const others = new Uint32Array(docs.length)
  const rates = new Float64Array(docs.length)
  let count = 0
  for (let at = 0; at < docs.length; at++) {
    if (at % PORTION === 0 && pauses.isDue) await pauses.pause()
    if (isDue[at] === 1 || !(priorities[at]! >= threshold)) continue
    rates[count] = priorities[at]! / costs[at]!
    others[count++] = at
  }
  const best = async function* (): AsyncGenerator<DocumentOffer> {
    const places = await inTurns(findingBest(rates.subarray(0, count)), pauses, { perLook: 1 })
    for (const place of places) yield offers.at(others[place]!)
  }
  return { due: offersAt(offers, due), best: best(), needed, late }
}

function* offersAt(offers: OfferColumns, places: Uint32Array): Generator<DocumentOffer> {
  for (const at of places) yield offers.at(at)
}

/** Columns and no objects, which would take long to collect: there may be millions of offers. */
class OfferColumns {
  readonly docs: Uint32Array
  readonly priorities: Float64Array
  readonly costs: Float64Array
  readonly #isProbe: Uint8Array

  constructor(docs: Uint32Array, priorities: Float64Array, costs: Float64Array, isProbe: Uint8Array) {
    this.docs = docs
    this.priorities = priorities
    this.costs = costs
    this.#isProbe = isProbe
  }

  at(place: number): DocumentOffer {
    return {
      doc: this.docs[place]!,
      kind: this.#isProbe[place] === 1 ? 'probe' : 'refresh',
      priority: this.priorities[place]!,
      cost: this.costs[place]!,
    }
  }
}

async function allOffers(documents: JudgedDocuments, { prices }: PlanRequest, pauses: Pauses): Promise<OfferColumns> {
  const { history, keyOf } = documents
  const { trust, columns } = history.ledger
  const { docs, priorities, changeChances } = await documents.all()
  const costs = new Float64Array(docs.length)
  const isProbe = new Uint8Array(docs.length)
  // Documents that are there no more are left out: those behind them move up.
  let count = 0
  for (let at = 0; at < docs.length; at++) {
    if (at % PORTION === 0 && pauses.isDue) await pauses.pause()
    const doc = docs[at]!
    const key = keyOf(doc)
    if (key === undefined) continue
    const page = { key, isNew: false }
    const fetch = prices.fetchOf(page)
    costs[count] = fetch
    if (prices.probeOf !== undefined) {
      const precision = probePrecision(trust.sites.get(columns.site[doc] as number))
      const action = bestAction(changeChances[at]!, { fetch, probe: prices.probeOf(page) }, precision)
      costs[count] = action.cost
      isProbe[count] = action.kind === 'probe' ? 1 : 0
    }
    docs[count] = doc
    priorities[count] = priorities[at]!
    count++
  }
  return new OfferColumns(
    docs.subarray(0, count),
    priorities.subarray(0, count),
    costs.subarray(0, count),
    isProbe.subarray(0, count),
  )
}

interface DueOffers extends Pick<DocumentOffers, 'needed' | 'late'> {
  /** Places of the offers. */
  readonly due: Uint32Array
}

async function dueOffers(
  { history, keyOf }: JudgedDocuments,
  { docs, priorities, costs }: OfferColumns,
  { staleness, atMs, budget, perHost }: PlanRequest,
  pauses: Pauses,
): Promise<DueOffers> {
  if (staleness === undefined) return { due: new Uint32Array(), needed: undefined, late: 0 }
  const { refreshedMs } = history.ledger.columns
  let late = 0
  const isLimited = perHost !== Number.POSITIVE_INFINITY
  const cycles = new Float64Array(docs.length)
  const hosts = new Uint32Array(docs.length)
  const hostNumbers = new Map<string, number>()
  for (let at = 0; at < docs.length; at++) {
    if (at % PORTION === 0 && pauses.isDue) await pauses.pause()
    const doc = docs[at]!
    const ageMs = atMs - (refreshedMs[doc] as number)
    if (ageMs > staleness.maxMs) late++
    cycles[at] = cyclesLeft(ageMs, staleness)
    if (!isLimited) continue
    const host = hostOf(keyOf(doc) ?? '')
    const number = hostNumbers.get(host) ?? hostNumbers.size
    if (number === hostNumbers.size) hostNumbers.set(host, number)
    hosts[at] = number
  }
  const dated = { cyclesLeft: cycles, worths: priorities, costs, hosts }
  const { pages, needed } = await inTurns(findingDue(dated, { budget, perHost }), pauses)
  return { due: pages, needed, late }
}

/** Three cycles of a third of a day must count as a day. */
const ROUNDING = 1 + 1e-12

/** The cycles after this one in which the document is not yet too old. */
function cyclesLeft(ageMs: number, { maxMs, cycleMs }: StalenessLimit): number {
  return Math.max(0, Math.floor(((maxMs - ageMs) / cycleMs) * ROUNDING))
}
