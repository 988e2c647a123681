/** How likely is it that somebody views the answer at a rank? I(r) of User-centric crawling, Eq. 2. */
import { describe } from '../describe.js'
import { numberOption } from '../option-checks.js'

/** I(rank1), ranks counting from 1: finite, never negative, never rising. Only its proportions matter. */
export type ViewLikelihood = (rank1: number) => number

/** r^-exponent. */
export function powerView(exponent: number): ViewLikelihood {
  numberOption('exponent', exponent, 0, { min: 0 })
  return (rank1) => rank1 ** -exponent
}

/** r^-3/2, as measured on a search engine (User-centric crawling, Eq. 2). */
export const DEFAULT_VIEW: ViewLikelihood = powerView(1.5)

export const HEAD_RANKS = 1024
const TAIL_BITS = { first: 11, last: 31 } as const

/** A likelihood as numbers, for those that cannot call a function. */
export interface SampledView {
  /** Of the ranks 1 to 1024. */
  readonly head: Float64Array
  /** (rank, likelihood) of the ranks 2048, 4096, … 2^31. */
  readonly tail: Float64Array
}

/** Calls the function once a rank, and refuses it with the rank at which it breaks its contract. */
export function sampleView(view: ViewLikelihood): SampledView {
  if (typeof view !== 'function') throw new TypeError(`view must be a function of the rank, received ${describe(view)}`)
  let before = Number.POSITIVE_INFINITY
  const sample = (rank1: number): number => {
    const value: unknown = view(rank1)
    const fault = faultOf(rank1, value, before)
    if (fault !== undefined) throw new RangeError(`view(${rank1}) must be ${fault}, received ${describe(value)}`)
    before = value as number
    return before
  }
  const head = Float64Array.from({ length: HEAD_RANKS }, (_, at) => sample(at + 1))
  const tail = new Float64Array((TAIL_BITS.last - TAIL_BITS.first + 1) * 2)
  for (let at = 0; at < tail.length; at += 2) {
    const rank1 = 2 ** (TAIL_BITS.first + at / 2)
    tail.set([rank1, sample(rank1)], at)
  }
  return { head, tail }
}

function faultOf(rank1: number, value: unknown, before: number): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return 'a finite number of at least 0'
  if (rank1 === 1 && value === 0) return 'above 0'
  return value > before ? `at most that of the rank before, ${before}` : undefined
}
