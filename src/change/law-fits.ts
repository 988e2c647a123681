/**
 * Which law a page follows, from visits that saw whether it had changed since the one before: no law ever sees when an update happened. All laws are
 * fitted by maximum likelihood to the same visits, so their likelihoods can be compared, and the best is the one with the smallest
 * Akaike criterion, 2 parameters - 2 ln likelihood (Akaike, 1974): a law with more numbers to choose must be so much more likely as
 * these alone would make it. Unlike a held-out part it uses all visits, of which most pages have few.
 */
import { describe } from '../describe.js'
import { fitQuasiDeterministic, type UpdateTimes } from './fits/quasi-deterministic-fit.js'
import { type FittedLaw, fitPareto, fitPoisson, fitWeibull } from './fits/renewal-fits.js'
import type { LawKind, UpdateLaw } from './update-law.js'
import { totalsOf, type VisitHistory } from './visit-history.js'

/** A general survival function has no parameters to fit. */
export type FittedKind = Exclude<LawKind, 'survival'>

const KINDS = ['poisson', 'weibull', 'pareto', 'quasi-deterministic'] as const satisfies readonly FittedKind[]

export interface LawFit extends FittedLaw<UpdateLaw> {
  readonly akaike: number
}

export interface LawFitOptions {
  /** All of them unless told. */
  readonly kinds?: readonly FittedKind[]
  /** Without them no quasi-deterministic law is fitted: its times must be known. */
  readonly updateTimes?: UpdateTimes
}

/**
 * The fitted laws, the best first; times are in milliseconds. None for a page that no visit saw changed: it has no law yet. Where
 * every visit saw a change only Poisson and quasi-deterministic laws are fitted: the shape of an interval cannot be told from that.
 */
export function fitLaws(history: VisitHistory, { kinds = KINDS, updateTimes }: LawFitOptions = {}): LawFit[] {
  for (const kind of kinds) {
    if (!KINDS.includes(kind))
      throw new RangeError(`kinds must be among ${KINDS.join(', ')}, received ${describe(kind)}`)
  }
  const { visits, changes } = totalsOf(history)
  if (changes === 0) return []
  const fits: FittedLaw<UpdateLaw>[] = []
  if (kinds.includes('poisson')) fits.push(fitPoisson(history))
  if (kinds.includes('weibull') && changes < visits) fits.push(fitWeibull(history))
  if (kinds.includes('pareto') && changes < visits) fits.push(fitPareto(history))
  if (kinds.includes('quasi-deterministic') && updateTimes !== undefined) {
    const fit = fitQuasiDeterministic(history, updateTimes)
    if (fit !== undefined) fits.push(fit)
  }
  return (
    fits
      // A law under which the visits are next to impossible is no fit.
      .filter(({ logLikelihood }) => Number.isFinite(logLikelihood))
      .map((fit) => ({ ...fit, akaike: 2 * fit.parameters - 2 * fit.logLikelihood }))
      .sort((a, b) => a.akaike - b.akaike)
  )
}
