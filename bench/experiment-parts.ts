/** Parts of experiments of the lab, from the compiled library: its entry shows whole experiments only. */

import type * as PageIndexModule from '../dist/lab/choosers/measured-index.js'
import type * as AgreementModule from '../dist/lab/experiments/estimate/agreement.js'
import type * as WorkloadModule from '../dist/lab/experiments/estimate/exact-answers.js'
import type * as SiteModule from '../dist/lab/experiments/estimate/numbered-pages.js'
import type * as EstimateModule from '../dist/lab/experiments/estimate/run.js'
import type * as UnaidedModule from '../dist/lab/experiments/estimate/unaided-agreement.js'
import type * as ProcessCostsModule from '../dist/lab/experiments/overhead/process-costs.js'
import type * as RevisionsModule from '../dist/lab/experiments/overhead/revision-stream.js'
import type * as PlotModule from '../dist/lab/report/plot.js'
import type * as QuantilesModule from '../dist/math/quantiles.js'

export type { Pair } from '../dist/lab/experiments/estimate/agreement.js'
export type { ScoringComparison } from '../dist/lab/experiments/estimate/gain-comparison.js'
export type { UnaidedAgreement } from '../dist/lab/experiments/estimate/unaided-agreement.js'
export type { Quartiles } from '../dist/lab/experiments/overhead/process-costs.js'

async function load(name: string): Promise<unknown> {
  // Compiled benchmarks lie two folders below the root, their sources one.
  return import(new URL(`../../dist/${name}.js`, import.meta.url).href)
}

export const { pairSpearman, relativeDifference } = (await load(
  'lab/experiments/estimate/agreement',
)) as typeof AgreementModule
export const { ExactSite } = (await load('lab/experiments/estimate/numbered-pages')) as typeof SiteModule
export const { exactWorkload, openMeasured } = (await load(
  'lab/experiments/estimate/exact-answers',
)) as typeof WorkloadModule
export const { isAsGoodAsRefitted, UNAIDED_LIMITS } = (await load(
  'lab/experiments/estimate/unaided-agreement',
)) as typeof UnaidedModule
export const { accountAgreement, busynessOf, differencesOf, quartilesOf } = (await load(
  'lab/experiments/overhead/process-costs',
)) as typeof ProcessCostsModule
export const WEEK_MS = 7 * 86_400_000
export const { runEstimate } = (await load('lab/experiments/estimate/run')) as typeof EstimateModule
export const { RevisionStream } = (await load('lab/experiments/overhead/revision-stream')) as typeof RevisionsModule
export const { drawPlot } = (await load('lab/report/plot')) as typeof PlotModule
export const { medianOf } = (await load('math/quantiles')) as typeof QuantilesModule
export const { inBatches, pageOptions } = (await load('lab/choosers/measured-index')) as typeof PageIndexModule
