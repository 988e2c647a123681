/** Parts of experiments of the lab, from the compiled library: its entry shows whole experiments only. */

import type * as PageIndexModule from '../dist/lab/choosers/measured-index.js'
import type * as AgreementModule from '../dist/lab/experiments/estimate/agreement.js'
import type * as WorkloadModule from '../dist/lab/experiments/estimate/exact-answers.js'
import type * as SiteModule from '../dist/lab/experiments/estimate/numbered-pages.js'
import type * as EstimateModule from '../dist/lab/experiments/estimate/run.js'
import type * as UnaidedModule from '../dist/lab/experiments/estimate/unaided-agreement.js'
import type * as OverheadPlotModule from '../dist/lab/experiments/overhead/report.js'
import type * as OverheadModule from '../dist/lab/experiments/overhead/run.js'
import type * as QuantilesModule from '../dist/math/quantiles.js'

export type { Pair } from '../dist/lab/experiments/estimate/agreement.js'
export type { ScoringComparison } from '../dist/lab/experiments/estimate/gain-comparison.js'
export type { UnaidedAgreement } from '../dist/lab/experiments/estimate/unaided-agreement.js'

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
export const WEEK_MS = 7 * 86_400_000
export const { runEstimate } = (await load('lab/experiments/estimate/run')) as typeof EstimateModule
export const { medianOf } = (await load('math/quantiles')) as typeof QuantilesModule
export const { runOverhead } = (await load('lab/experiments/overhead/run')) as typeof OverheadModule
export const { inBatches, pageOptions } = (await load('lab/choosers/measured-index')) as typeof PageIndexModule
export const { overheadPlot } = (await load('lab/experiments/overhead/report')) as typeof OverheadPlotModule
