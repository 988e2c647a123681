import { OVERHEAD_KINDS, type OverheadResult } from '../overhead/overhead-experiment.js'
import { drawPlot } from './svg-plot.js'
import { shareText } from './table.js'

const PAPER = { from: 0.07, to: 0.08, label: 'User-centric crawling, in Lucene' }

/** Figure 2 of User-centric crawling, as shares. */
export function overheadPlot(data: string, sizesMB: readonly number[], { bySize }: OverheadResult): string {
  return drawPlot({
    title: `Time that measuring adds to a batch, ${data}`,
    xLabel: 'batch, MB of text',
    yLabel: '(with - without) / without',
    x: { scale: 'log', ticks: sizesMB },
    y: { from: 0, label: shareText },
    series: OVERHEAD_KINDS.map((kind) => ({
      name: kind === 'refresh' ? 'page revisions' : 'new pages',
      points: sizesMB.map((sizeMB) => ({ x: sizeMB, y: bySize[`${sizeMB} MB`]![kind] })),
    })),
    band: PAPER,
  })
}
