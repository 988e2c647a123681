/**
 * Policies of the product that know the whole period beforehand, as the offline policies of the papers do: they judge a
 * ledger that has all that happened, at the ages that the copies of a replay have. There is no other implementation of
 * them in the lab.
 */
import { Ledger } from '../../ledger/ledger.js'
import type { Policy } from '../../refresh/policies/policy.js'
import { createPolicy, type PolicyName } from '../../refresh/policies/registry.js'
import type { RepositoryQuality } from '../quality/repository-quality.js'
import { forEachChange, NO_VERSION, type Timeline } from '../quality/timeline.js'
import { forEachLaterChange } from './by-rate.js'
import type { Judge } from './judged.js'

/**
 * The policy `name` of the product with a visit of every page at every step. Stakes are those of the copies at each
 * step.
 */
export function knowingVisits(name: PolicyName, timeline: Timeline): Judge {
  return byLedger(createPolicy(name), ledgerOfVisits(timeline), { hasStakes: true })
}

/**
 * The policy `user-centric` of the product with a refresh of every page at each of its updates, which is what User-
 * centric crawling has for its Figure 3. `gains`: ΔQ_A by change.
 */
export function knowingUpdates(timeline: Timeline, gains: Float64Array): Judge {
  return byLedger(createPolicy('user-centric'), ledgerOfUpdates(timeline, gains), { hasStakes: false })
}

/** The policy `oldest-first` of the product, which knows nothing but the age. */
export function oldestFirst(): Judge {
  const ledger = new Ledger()
  ledger.created(0, 0)
  const policy = createPolicy('oldest-first')
  const totals = ledger.totals()
  return { priority: (_page, ageMs) => policy.priority(ledger.columns, 0, ageMs, totals) }
}

function byLedger(policy: Policy, ledger: Ledger, { hasStakes }: { readonly hasStakes: boolean }): Judge {
  const { columns } = ledger
  let totals = ledger.totals()
  let state: RepositoryQuality | undefined
  const setStakes = () => {
    state!.stakes().forEach((stake, page) => {
      ledger.setStake(page, stake)
    })
    totals = ledger.totals()
  }
  return {
    ...(hasStakes
      ? {
          start: (given) => {
            state = given
          },
          beginStep: setStakes,
        }
      : {}),
    priority: (page, ageMs) => policy.priority(columns, page, columns.refreshedMs[page]! + ageMs, totals),
  }
}

/** Steps before a page is there are no visits of it, and a page that is gone is not visited. */
function ledgerOfVisits(timeline: Timeline): Ledger {
  const { atMs, urls } = timeline
  const ledger = new Ledger()
  const isThere = new Uint8Array(urls.length)
  const hasRow = new Uint8Array(urls.length)
  const changed = new Uint8Array(urls.length)
  for (const [step, nowMs] of atMs.entries()) {
    changed.fill(0)
    forEachChange(timeline, step, (page, version) => {
      changed[page] = 1
      isThere[page] = version === NO_VERSION ? 0 : 1
    })
    for (let page = 0; page < urls.length; page++) {
      if (isThere[page] === 0) continue
      if (hasRow[page] === 1) ledger.refreshed(page, nowMs, changed[page] === 1 ? 'changed' : 'same', undefined)
      else ledger.created(page, nowMs)
      hasRow[page] = 1
    }
  }
  // A page that never came is never judged, but has a row as all have.
  for (let page = 0; page < urls.length; page++) if (hasRow[page] === 0) ledger.created(page, atMs[0]!)
  return ledger
}

/** A page without an update was refreshed once, and gained nothing. */
function ledgerOfUpdates(timeline: Timeline, gains: Float64Array): Ledger {
  const { atMs, urls } = timeline
  const ledger = new Ledger()
  forEachChange(timeline, 0, (page) => ledger.created(page, atMs[0]!))
  forEachLaterChange(timeline, (change, page, step) => {
    const isKnown = page < ledger.rows && ledger.columns.present[page] === 1
    // Gains from whole answer lists are below 0 by rounding only.
    if (isKnown) ledger.refreshed(page, atMs[step]!, 'changed', Math.max(0, gains[change]!))
    else ledger.created(page, atMs[step]!)
  })
  for (let page = 0; page < urls.length; page++) {
    // A page that is only there at the last step has seen no time.
    if (page >= ledger.rows || ledger.columns.lastOutcome[page] === 0) ledger.created(page, atMs[0]!)
    if (ledger.columns.rated[page] === 0) ledger.refreshed(page, atMs.at(-1)!, 'same', 0)
  }
  return ledger
}
