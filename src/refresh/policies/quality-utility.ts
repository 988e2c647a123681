/**
 * The most quality of the answers, for as long as it lasts: the utility of Recrawl scheduling based on information
 * longevity (Eq. 4), measured in ΔQ_A of User-centric crawling by whole queries:
 *
 *   priority = w · E[U(λ, t)]
 *
 * in days. w is the expected gain of a change (gain-model.ts). The expectation is over the posterior of the rate λ,
 * given the page's visits, its section and its signals. t is the age of the copy on the clock of the section, which
 * runs faster while the section is busy (rate-model.ts). U is the utility of a copy of which every change takes a
 * part, a fifth of the words that will go. What several changes take adds up, but U stays below a limit proportional to
 * 1/λ, because a page that changes all the time is soon out of date again.
 *
 * While a site that signals a share of its changes is silent, its pages change at the rate of the remaining changes. A
 * page that is signalled has changed with a probability p. Then a new copy is taken to be better for about a year,
 * whatever the rate, and is wanted the sooner the older the copy is.
 *
 * State: 109 bytes a page.
 */
import { DAY_MS } from '../../base/time.js'
import { GridOutlook, newOutlookSums } from '../../change/grid-outlook.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import { NO_SECTIONS } from '../../ledger/sections.js'
import { NO_TRUST } from '../../ledger/site-trust.js'
import type { LedgerTotals } from '../../ledger/totals.js'
import { type GainModel, gainModel } from '../model/gain-model.js'
import { UnvisitedOutlooks } from '../model/unvisited-outlooks.js'
import { ageMs, type Judgement, type Policy, policyCard } from './policy.js'

export const qualityUtilityCard = policyCard({
  name: 'quality-utility',
  purpose: 'most quality of the answers won back, for as long as it lasts: what an index does unless told otherwise',
  paper:
    'Olston and Pandey, Recrawl scheduling based on information longevity (WWW 2008), ' +
    'in ΔQ_A of Pandey and Olston, User-centric web crawling (WWW 2005)',
  formula:
    'w * E[U(rate, age)], w the gain to expect of a change by stake and history, ' +
    'rates by Bayes from visits and signals',
  columns: [
    'present',
    'refreshedMs',
    'changes',
    'rated',
    'unmeasured',
    'changeBits',
    'sumIntervalMs',
    'sumDeltaQuality',
    'recentIntervalSeconds',
    'recentDeltaQuality',
    'stake',
    'site',
    'signals',
    'signalKinds',
    'signalMs',
  ],
  usesSections: true,
})

/** Parts of a copy, of which each change takes one. Of 1 to 20 parts, five did slightly best (docs/lab-policies.md). */
const ITEMS = 5
const GRID = new GridOutlook(ITEMS)
/** c_1 of divergence-curve.ts, what the first change takes of a copy: w is the gain of one change, not of all. */
const FIRST_PART = 2 / (ITEMS + 1)
/**
 * How long a new copy after a signalled change is taken to be better. A time that depends on the change rate was no
 * improvement: see docs/lab-policies.md.
 */
const LASTING_MS = 365 * DAY_MS

/** What is expected of a page at one moment. */
interface Outlook {
  signalledChance: number
  unsignalledShare: number
  /** The age on the clock of the page's section. */
  ageMs: number
  /** E[U] of the changes that no signal announces, and the most that it grows by from now on. */
  unsignalledMs: number
  unsignalledGrowth: number
  /** The probability of such a change, and its growth per millisecond of the clock. */
  unsignalledChance: number
  chanceGrowth: number
}

export const qualityUtility: Policy = {
  ...judgingBy(modelByTotals()),
  learnsFromVisits: true,
  prepare: (view) => {
    const model = view.gains()
    return judgingBy(() => model)
  },
}

function judgingBy(modelOf: (totals: LedgerTotals) => GainModel): Policy {
  const ownSums = newOutlookSums()
  const unvisited = new UnvisitedOutlooks(GRID)
  // These are written over by each judgement: millions of pages are judged in a row.
  const judgement = { priority: 0, growthPerMs: 0, gain: { deltaQuality: 0, growthPerMs: 0 } }
  const outlook: Outlook = {
    ...{ signalledChance: 0, unsignalledShare: 1, ageMs: 0, unsignalledMs: 0, unsignalledGrowth: 0 },
    ...{ unsignalledChance: 0, chanceGrowth: 0 },
  }
  const lookAt = (model: GainModel, columns: LedgerColumns, doc: number, atMs: number): Outlook => {
    const chances = model.rates.chancesOf(columns, doc)
    const { signalledChance, unsignalledShare } = model.signalEvidenceOf(columns, doc, chances)
    let ageMs: number
    let sums = ownSums
    if (columns.rated[doc] === 0 && unsignalledShare === 1) {
      const known = unvisited.of(model.rates, columns, doc, atMs, chances)
      ageMs = known.ageMs
      sums = known.sums
    } else {
      ageMs = model.rates.ageMs(columns, doc, atMs)
      GRID.at(chances, unsignalledShare * ageMs, sums)
    }
    outlook.signalledChance = signalledChance
    outlook.unsignalledShare = unsignalledShare
    outlook.ageMs = ageMs
    // At a share m of the rate, U(mλ, t) = U(λ, mt) / m.
    outlook.unsignalledMs = sums.utilityMs / (FIRST_PART * unsignalledShare)
    outlook.unsignalledGrowth = sums.utilityGrowth / FIRST_PART
    outlook.unsignalledChance = sums.changeChance
    outlook.chanceGrowth = unsignalledShare * sums.chanceGrowth
    return outlook
  }
  const judge = (columns: LedgerColumns, doc: number, atMs: number, totals: LedgerTotals): Judgement => {
    const model = modelOf(totals)
    const seen = lookAt(model, columns, doc, atMs)
    const gain = model.gainIfChangedOf(columns, doc)
    const growthPerAgeMs = (gain * utilityGrowth(seen)) / DAY_MS
    const { signalledChance, unsignalledChance, chanceGrowth } = seen
    judgement.priority = gain * utilityDays(seen)
    judgement.growthPerMs = growthPerAgeMs * model.rates.fastestFrom(doc, atMs)
    judgement.gain.deltaQuality = gain * (signalledChance + (1 - signalledChance) * unsignalledChance)
    judgement.gain.growthPerMs = gain * (1 - signalledChance) * chanceGrowth
    return judgement
  }
  return {
    name: qualityUtilityCard.name,
    usesTotals: true,
    readsSignals: true,
    priorityOfGain: (deltaQuality) => (deltaQuality * LASTING_MS) / DAY_MS,
    judge,
    priority: (columns, doc, atMs, totals) => judge(columns, doc, atMs, totals).priority,
    growthPerMs: (columns, doc, atMs, totals) => judge(columns, doc, atMs, totals).growthPerMs,
    explain: (columns, doc, atMs, totals) => {
      const model = modelOf(totals)
      const { changeChance, gainIfChanged } = model.gainOf(columns, doc, atMs)
      const seen = lookAt(model, columns, doc, atMs)
      return {
        formula: 'gainIfChanged * utilityDays',
        terms: {
          gainIfChanged,
          utilityDays: utilityDays(seen),
          changeChance,
          ageMs: ageMs(columns, doc, atMs),
          ageOfSectionMs: seen.ageMs,
          changes: columns.changes[doc]!,
          visits: columns.rated[doc]!,
          stake: columns.stake[doc]!,
          sectionGainFactor: model.sectionFactor(doc),
          stakelessShare: model.stakelessShare,
          signals: columns.signals[doc]!,
          signalledChance: seen.signalledChance,
          unsignalledShare: seen.unsignalledShare,
        },
      }
    },
  }
}

/** E[U] with signals. Both parts grow with the age. */
function utilityDays({ signalledChance, unsignalledMs, ageMs }: Outlook): number {
  return (signalledChance * (LASTING_MS + ageMs) + (1 - signalledChance) * unsignalledMs) / DAY_MS
}

function utilityGrowth({ signalledChance, unsignalledGrowth }: Outlook): number {
  return signalledChance + (1 - signalledChance) * unsignalledGrowth
}

const NO_PAGES = { columns: {} as LedgerColumns, rows: 0, trust: NO_TRUST, sections: NO_SECTIONS, openShare: 0 }

/** The model until the policy is prepared: that of a ledger of which only the totals are known. */
function modelByTotals(): (totals: LedgerTotals) => GainModel {
  let known: { readonly totals: LedgerTotals; readonly model: GainModel } | undefined
  return (totals) => {
    if (known?.totals !== totals) known = { totals, model: gainModel({ ...NO_PAGES, totals }) }
    return known.model
  }
}
