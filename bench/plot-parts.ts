/** The plots of the lab, from the compiled library: the entry does not show them. */
import type * as PlotModule from '../dist/lab/report/svg-plot.js'

// Compiled benchmarks lie two folders below the root, their sources one.
const url = new URL('../../dist/lab/report/svg-plot.js', import.meta.url)

export const { drawPlot } = (await import(url.href)) as typeof PlotModule
