import { describe } from '../describe.js'
import { FreshdexError } from '../errors.js'
import { numberOption } from '../option-checks.js'

/** What crawls are worth to pages. */
export interface Gains {
  readonly pages: number
  /** What one crawl more is worth to a page that has `crawls`: at least 0, and never more than the crawl before. */
  gain(page: number, crawls: number): number
}

export interface AllocationBounds {
  /** R: all crawls of all pages. */
  readonly crawls: number
  /** m: the fewest crawls of each page; 0 unless told. */
  readonly minimums?: ArrayLike<number>
  /** M: the most crawls of each page; no limit unless told. */
  readonly maximums?: ArrayLike<number>
}

/** Bounds that can be kept. */
export interface CheckedBounds {
  readonly minimums: Uint32Array
  readonly maximums: Uint32Array
  /** Crawls to give away beyond the minimums. */
  readonly rest: number
}

const MAX_CRAWLS = 2 ** 32 - 1

/** INFEASIBLE when no allocation keeps them. */
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
    column[page] = numberOption(`${name}[${page}]`, bound, Number.NaN, { min: 0, max: MAX_CRAWLS, integer: true })
    if (value === undefined) throw new TypeError(`${name}[${page}] must be a number, received ${describe(value)}`)
  }
  return column
}
