/** The bounds of an allocation of crawls to pages, and apportionment. */
import { numberOption, parameter } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { FreshdexError } from '../base/errors.js'

/** What crawls gain, by page. */
export interface Gains {
  readonly pages: number
  /** What one more crawl gains for a page that has `crawls`: at least 0, and never more than the crawl before. */
  gain(page: number, crawls: number): number
}

export interface AllocationBounds {
  /** R: the number of crawls of all pages together. */
  readonly crawls: number
  /** m: the fewest crawls of each page. Default 0. */
  readonly minimums?: ArrayLike<number>
  /** M: the most crawls of each page. Default: no limit. */
  readonly maximums?: ArrayLike<number>
}

/** Bounds that some allocation keeps. */
export interface CheckedBounds {
  readonly minimums: Uint32Array
  readonly maximums: Uint32Array
  /** Crawls to give away beyond the minimums. */
  readonly rest: number
}

const MAX_CRAWLS = 2 ** 32 - 1

/** INFEASIBLE when no allocation keeps the bounds. */
export function checkBounds(pages: number, { crawls, minimums, maximums }: AllocationBounds): CheckedBounds {
  numberOption('crawls', crawls, 0, { min: 0, max: MAX_CRAWLS, integer: true })
  const least = boundColumn('minimums', minimums, pages, 0)
  const most = boundColumn('maximums', maximums, pages, crawls)
  let sumOfLeast = 0
  let sumOfMost = 0
  for (let page = 0; page < pages; page++) {
    if (least[page]! > most[page]! && maximums !== undefined) {
      throw new RangeError(
        `the minimum of page ${page} must not exceed its maximum, received ${least[page]} and ${most[page]}`,
      )
    }
    sumOfLeast += least[page]!
    sumOfMost += most[page]!
  }
  if (sumOfLeast > crawls) {
    throw infeasible(`the minimums of all pages take ${sumOfLeast} crawls, and there are ${crawls}`, {
      crawls,
      needed: sumOfLeast,
    })
  }
  if (sumOfMost < crawls) {
    throw infeasible(`the maximums of all pages allow ${sumOfMost} crawls, and ${crawls} are to be made`, {
      crawls,
      allowed: sumOfMost,
    })
  }
  const rest = crawls - sumOfLeast
  for (let page = 0; page < pages; page++) most[page] = Math.min(most[page]!, least[page]! + rest)
  return { minimums: least, maximums: most, rest }
}

function infeasible(message: string, detail: Readonly<Record<string, number>>): FreshdexError {
  return new FreshdexError('INFEASIBLE', message, { detail })
}

function boundColumn(
  name: string,
  values: ArrayLike<number> | undefined,
  pages: number,
  fallback: number,
): Uint32Array {
  const column = new Uint32Array(pages)
  if (values === undefined) return column.fill(fallback)
  if (values.length !== pages) {
    throw new RangeError(`${name} must be one for each of ${pages} pages, received ${values.length}`)
  }
  for (let page = 0; page < pages; page++) {
    const value = values[page]
    // Infinity is no limit.
    const bound = value === Number.POSITIVE_INFINITY && name === 'maximums' ? MAX_CRAWLS : value
    column[page] = parameter(`${name}[${page}]`, bound, { min: 0, max: MAX_CRAWLS, integer: true })
  }
  return column
}

/**
 * Whole numbers in proportion to shares, with the given sum: all are rounded down, then those with the largest
 * remainders are rounded up, of equals the lowest.
 */
export function apportion(shares: ArrayLike<number>, total: number): Uint32Array {
  numberOption('total', total, 0, { min: 0, max: 2 ** 32 - 1, integer: true })
  let sum = 0
  for (let at = 0; at < shares.length; at++) {
    const share = shares[at]!
    if (!(share >= 0) || share === Number.POSITIVE_INFINITY) {
      throw new RangeError(`shares[${at}] must be a finite number of at least 0, received ${describe(share)}`)
    }
    sum += share
  }
  if (total === 0) return new Uint32Array(shares.length)
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`the sum of shares must be a positive finite number, it is ${describe(sum)}`)
  }
  const parts = new Uint32Array(shares.length)
  const remainders = new Float64Array(shares.length)
  let left = total
  for (let at = 0; at < shares.length; at++) {
    const exact = (shares[at]! / sum) * total
    // Rounding may carry a product past a whole number, and so the sum past the total.
    parts[at] = Math.min(Math.floor(exact), left)
    remainders[at] = exact - parts[at]!
    left -= parts[at]!
  }
  for (const at of largestRemainders(remainders, left)) parts[at]!++
  return parts
}

function largestRemainders(remainders: Float64Array, count: number): Uint32Array {
  if (count === 0) return new Uint32Array()
  const order = Uint32Array.from(remainders, (_, at) => at)
  return order.sort((a, b) => remainders[b]! - remainders[a]! || a - b).subarray(0, count)
}
