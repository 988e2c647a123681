import { describe } from '../../describe.js'

/**
 * Pages by their place: what a fresh copy is worth, and how often the page changes, as a Poisson process. Rates are per any unit of time, the same for
 * changes, crawls and bandwidth.
 */
export interface PageRates {
  readonly importance: Float64Array
  readonly changeRates: Float64Array
}

export function checkPageRates({ importance, changeRates }: PageRates): void {
  if (importance.length !== changeRates.length) {
    throw new RangeError(
      `changeRates must be one for each of ${importance.length} pages, received ${changeRates.length} of them`,
    )
  }
  checkAll('importance', importance)
  checkAll('changeRates', changeRates)
}

function checkAll(name: string, values: Float64Array): void {
  for (let page = 0; page < values.length; page++) {
    const value = values[page]!
    if (value >= 0 && value <= Number.MAX_VALUE) continue
    throw new RangeError(`${name}[${page}] must be a finite number of at least 0, received ${describe(value)}`)
  }
}
