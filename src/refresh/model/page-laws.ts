/**
 * By which law each page changes, fitted to what the ledger knows of its refreshes ("Optimal crawling strategies",
 * section 4). Whether each of the last 32 refreshes found a change is known, and when the last six of them were;
 * earlier ones are taken to be equally far apart. A page with few changes has a Poisson law.
 */
import { TICK_MS } from '../../base/time.js'
import { FITTED_KINDS, type FittedKind, fitLaws } from '../../change/law-fits.js'
import { PoissonLaw } from '../../change/laws/poisson.js'
import type { VisitHistory } from '../../change/rate-estimators.js'
import type { UpdateLaw } from '../../change/update-law.js'
import { type LedgerColumns, recentAt, recentCount } from '../../ledger/column-arrays.js'
import { type ChangePrior, shrunkChangeRate } from './page-rates.js'

/** Refreshes of which the ledger knows whether they found a change. */
const KNOWN_CHANGES = 32
/**
 * Fewer changes say nothing about a law beyond its rate: the corrected criterion of law-fits.ts tells laws apart from
 * so many on.
 */
const FEWEST_CHANGES = 4

export interface PageLawOptions {
  /** What is assumed of pages that were not watched for long. */
  readonly prior: ChangePrior
  /** Laws to choose from. Default: all. */
  readonly kinds?: readonly FittedKind[] | undefined
  /** When updates may happen, in a pattern that repeats, for quasi-deterministic laws. Without it there are none. */
  readonly updates?: UpdatePattern | undefined
}

/** Times of possible updates, ascending, counted from any repetition of the pattern. */
export interface UpdatePattern {
  readonly periodMs: number
  readonly timesMs: readonly number[]
  /** When the pattern begins once. */
  readonly startMs: number
}

/**
 * The law that fits the refreshes of a page best; a Poisson law, shrunk to the rate of all pages, where they are few.
 */
export function pageLaw(columns: LedgerColumns, doc: number, { prior, kinds, updates }: PageLawOptions): UpdateLaw {
  const isWanted = kinds === undefined || kinds.some((kind) => kind !== 'poisson')
  if (isWanted && columns.changes[doc]! >= FEWEST_CHANGES) {
    const law = betterThanPoisson(columns, doc, kinds, updates)
    if (law !== undefined) return law
  }
  return new PoissonLaw({ rate: Math.max(shrunkChangeRate(columns, doc, prior), Number.MIN_VALUE) })
}

/** Undefined where a Poisson law explains the visits as well, or they are too few to tell. */
function betterThanPoisson(
  columns: LedgerColumns,
  doc: number,
  kinds: readonly FittedKind[] = FITTED_KINDS,
  updates: UpdatePattern | undefined,
): UpdateLaw | undefined {
  const history = visitHistory(columns, doc)
  const fitted = (visits: VisitHistory) => {
    const watchedMs = visits.reduce((sum, { intervalMs }) => sum + intervalMs, 0)
    const updateTimes = updates && { ...updates, startMs: columns.refreshedMs[doc]! - watchedMs - updates.startMs }
    // Another law must be better than Poisson, which is always fitted.
    return fitLaws(visits, { kinds: [...new Set(['poisson' as const, ...kinds])], ...(updateTimes && { updateTimes }) })
  }
  let fits = fitted(history)
  // Visits whose times are only known on the mean may seem to contradict a pattern.
  const isPatternLost = updates !== undefined && fits.every(({ law }) => law.kind !== 'quasi-deterministic')
  if (isPatternLost && kinds.includes('quasi-deterministic')) {
    const recent = fitted(history.slice(-recentCount(columns, doc)))
    if (recent[0]?.law.kind === 'quasi-deterministic') fits = recent
  }
  const [best] = fits
  return best === undefined || best.law.kind === 'poisson' || best.akaike === Number.POSITIVE_INFINITY
    ? undefined
    : best.law
}

/** What the last refreshes of a page have seen, oldest first; none for a page without refreshes. */
export function visitHistory(columns: LedgerColumns, doc: number): VisitHistory {
  const rated = columns.rated[doc]!
  const visits = Math.min(rated, KNOWN_CHANGES)
  const recent = recentCount(columns, doc)
  let earlierMs = columns.sumIntervalMs[doc]!
  for (let back = 0; back < recent; back++) earlierMs -= recentIntervalMs(columns, doc, back)
  const earlierIntervalMs = Math.max(TICK_MS, rated > recent ? earlierMs / (rated - recent) : TICK_MS)
  return Array.from({ length: visits }, (_, at) => {
    const back = visits - 1 - at
    return {
      intervalMs: back < recent ? recentIntervalMs(columns, doc, back) : earlierIntervalMs,
      changed: ((columns.changeBits[doc]! >>> back) & 1) === 1,
    }
  })
}

function recentIntervalMs(columns: LedgerColumns, doc: number, back: number): number {
  return Math.max(TICK_MS, columns.recentIntervalSeconds[recentAt(columns, doc, back)]! * 1000)
}
