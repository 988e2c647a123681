/** What can be done about the documents of an index: offers, each with its priority and its cost. */
import { hostOf } from '../base/hosts.js'
import { inTurns, type Pauses } from '../base/turns.js'
import { findingBest } from '../math/heap.js'
import type { JudgedDocuments } from '../refresh/refresh.js'
import { probePrecision } from '../refresh/signals/site-stats.js'
import { bestAction } from './budget.js'
import { type DuePage, type DuePages, findingDue } from './deadlines.js'
import type { PlanRequest, StalenessLimit } from './plan-options.js'

export interface DocumentOffer {
  readonly doc: number
  readonly kind: 'refresh' | 'probe'
  readonly priority: number
  readonly cost: number
}

export interface DocumentOffers {
  /** What must be done now to keep the limit of staleness, earliest deadline first. */
  readonly due: readonly DocumentOffer[]
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
  const isDue = new Set<number>()
  for (const [at, { doc }] of due.entries()) {
    if (at % PORTION === 0 && pauses.isDue) await pauses.pause()
    isDue.add(doc)
  }
  const { threshold } = documents
  const others: DocumentOffer[] = []
  for (const [at, offer] of offers.entries()) {
    if (at % PORTION === 0 && pauses.isDue) await pauses.pause()
    if (!isDue.has(offer.doc) && offer.priority >= threshold) others.push(offer)
  }
  const rates = new Float64Array(others.length)
  for (const [at, { priority, cost }] of others.entries()) {
    if (at % PORTION === 0 && pauses.isDue) await pauses.pause()
    rates[at] = priority / cost
  }
  const best = async function* (): AsyncGenerator<DocumentOffer> {
    for (const at of await inTurns(findingBest(rates), pauses, { perLook: 1 })) yield others[at]!
  }
  return { due, best: best(), needed, late }
}

async function allOffers(
  documents: JudgedDocuments,
  { prices }: PlanRequest,
  pauses: Pauses,
): Promise<DocumentOffer[]> {
  const { history, keyOf } = documents
  const { trust, columns } = history.ledger
  const { docs, priorities, changeChances } = await documents.all()
  const offers: DocumentOffer[] = []
  for (let at = 0; at < docs.length; at++) {
    if (at % PORTION === 0 && pauses.isDue) await pauses.pause()
    const [doc, priority, changeChance] = [docs[at]!, priorities[at]!, changeChances[at]!]
    const key = keyOf(doc)
    if (key === undefined) continue
    const page = { key, isNew: false }
    const fetch = prices.fetchOf(page)
    if (prices.probeOf === undefined) {
      offers.push({ doc, kind: 'refresh', priority, cost: fetch })
      continue
    }
    const precision = probePrecision(trust.sites.get(columns.site[doc] as number))
    const action = bestAction(changeChance, { fetch, probe: prices.probeOf(page) }, precision)
    offers.push({ doc, kind: action.kind === 'probe' ? 'probe' : 'refresh', priority, cost: action.cost })
  }
  return offers
}

async function dueOffers(
  { history, keyOf }: JudgedDocuments,
  offers: readonly DocumentOffer[],
  { staleness, atMs, budget, perHost }: PlanRequest,
  pauses: Pauses,
): Promise<Pick<DocumentOffers, 'due' | 'needed' | 'late'>> {
  if (staleness === undefined) return { due: [], needed: undefined, late: 0 }
  const { refreshedMs } = history.ledger.columns
  let late = 0
  const isLimited = perHost !== Number.POSITIVE_INFINITY
  const pages: DuePage[] = []
  for (const [page, { doc, priority, cost }] of offers.entries()) {
    if (page % PORTION === 0 && pauses.isDue) await pauses.pause()
    const ageMs = atMs - (refreshedMs[doc] as number)
    if (ageMs > staleness.maxMs) late++
    const host = isLimited ? hostOf(keyOf(doc) ?? '') : ''
    pages.push({ page, cyclesLeft: cyclesLeft(ageMs, staleness), worth: priority, cost, host })
  }
  const { pages: due, needed } = await inTurns(findingDue(pages, { budget, perHost }), pauses)
  const dueOnes: DocumentOffer[] = []
  for (const [at, page] of due.entries()) {
    if (at % PORTION === 0 && pauses.isDue) await pauses.pause()
    dueOnes.push(offers[page]!)
  }
  return { due: dueOnes, needed, late }
}

/** Three cycles of a third of a day must count as a day. */
const ROUNDING = 1 + 1e-12

/** The cycles after this one in which the document is not yet too old. */
function cyclesLeft(ageMs: number, { maxMs, cycleMs }: StalenessLimit): number {
  return Math.max(0, Math.floor(((maxMs - ageMs) / cycleMs) * ROUNDING))
}
