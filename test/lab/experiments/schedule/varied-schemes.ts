/** Schemes compared along one axis of a figure of the paper. */
import { compareSchemes, type Metric, type SchemeRow } from '../../../../src/lab/experiments/schedule/crawl-schemes.js'
import { generateMixture, type MixtureOptions } from '../../../../src/lab/experiments/schedule/update-mixture.js'

/** Figures 7 (left) and 8. */
export function schemesByCrawls(
  options: MixtureOptions,
  metric: Metric,
  crawlsPerPage: readonly number[],
): readonly SchemeRow[] {
  const mixture = generateMixture(options)
  return crawlsPerPage.flatMap((crawls) => compareSchemes(mixture, metric, crawls))
}

/** Figure 7 (right): from the most skewed rates, theta 0, to equal ones, theta 1. */
export function schemesBySkew(
  options: MixtureOptions,
  metric: Metric,
  crawlsPerPage: number,
  thetas: readonly number[],
): readonly (SchemeRow & { readonly theta: number })[] {
  return thetas.flatMap((theta) => {
    const rows = compareSchemes(generateMixture({ ...options, theta }), metric, crawlsPerPage)
    return rows.map((row) => ({ ...row, theta }))
  })
}

/** Figure 9, for shapes above 1: the tail of Pareto intervals from heavy to light, the mean the same. */
export function schemesByTail(
  options: MixtureOptions,
  metric: Metric,
  crawlsPerPage: number,
  paretoShapes: readonly number[],
): readonly (SchemeRow & { readonly paretoShape: number })[] {
  return paretoShapes.flatMap((paretoShape) => {
    const mixture = generateMixture({ ...options, paretoShape, paretoShare: 1, quasiDeterministicShare: 0 })
    return compareSchemes(mixture, metric, crawlsPerPage).map((row) => ({ ...row, paretoShape }))
  })
}
