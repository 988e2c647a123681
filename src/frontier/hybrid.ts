/** Impact with and without queries, together (Crawl ordering by search impact, section 5.4). */
import { numberOption } from '../option-checks.js'

/** Of the query-based part in the paper's experiments, which were not sensitive to it. */
export const QUERY_WEIGHT = 0.9

export function hybridImpact(queryBased: number, queryIndependent: number, queryWeight = QUERY_WEIGHT): number {
  return queryWeight * queryBased + (1 - queryWeight) * queryIndependent
}

export function hybridImpacts(
  queryBased: ArrayLike<number>,
  queryIndependent: ArrayLike<number>,
  queryWeight = QUERY_WEIGHT,
): Float64Array {
  numberOption('queryWeight', queryWeight, QUERY_WEIGHT, { min: 0, max: 1 })
  if (queryBased.length !== queryIndependent.length) {
    const received = `${queryBased.length} and ${queryIndependent.length}`
    throw new RangeError(`both impacts must be of the same pages, received ${received}`)
  }
  return Float64Array.from({ length: queryBased.length }, (_, at) =>
    hybridImpact(queryBased[at]!, queryIndependent[at]!, queryWeight),
  )
}
