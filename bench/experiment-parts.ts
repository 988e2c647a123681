/** Experiments and parts of them that the lab has too, from the compiled library: the entry does not show them. */
import type * as AgreementModule from '../dist/lab/estimate/agreement.js'
import type * as EstimateModule from '../dist/lab/estimate/estimate-experiment.js'
import type * as SiteModule from '../dist/lab/estimate/exact-site.js'
import type * as WorkloadModule from '../dist/lab/estimate/exact-workload.js'
import type * as GainModule from '../dist/lab/estimate/gain-comparison.js'
import type * as MedianModule from '../dist/lab/overhead/median.js'
import type * as OverheadModule from '../dist/lab/overhead/overhead-experiment.js'
import type * as PageIndexModule from '../dist/lab/page-index.js'
import type * as OverheadPlotModule from '../dist/lab/report/overhead-plot.js'

export type { Pair } from '../dist/lab/estimate/agreement.js'
export type { GainComparison } from '../dist/lab/estimate/gain-comparison.js'

async function load(name: string): Promise<unknown> {
  // Compiled benchmarks lie two folders below the root, their sources one.
  return import(new URL(`../../dist/lab/${name}.js`, import.meta.url).href)
}

export const { pairSpearman, relativeDifference } = (await load('estimate/agreement')) as typeof AgreementModule
export const { ExactSite } = (await load('estimate/exact-site')) as typeof SiteModule
export const { exactWorkload, openMeasured } = (await load('estimate/exact-workload')) as typeof WorkloadModule
export const { WEEK_MS } = (await load('estimate/gain-comparison')) as typeof GainModule
export const { runEstimate } = (await load('estimate/estimate-experiment')) as typeof EstimateModule
export const { medianOf } = (await load('overhead/median')) as typeof MedianModule
export const { runOverhead } = (await load('overhead/overhead-experiment')) as typeof OverheadModule
export const { inBatches, pageOptions } = (await load('page-index')) as typeof PageIndexModule
export const { overheadPlot } = (await load('report/overhead-plot')) as typeof OverheadPlotModule
