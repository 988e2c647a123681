import { describe, expect, it } from 'vitest'
import { axisScale, drawPlot, type Plot } from '../../../src/lab/report/plot.js'

const line = [
  { x: 1, y: 0.2 },
  { x: 10, y: 0.4 },
  { x: 100, y: 0.9 },
]
const plot: Plot = {
  title: 'quality',
  xLabel: 'budget',
  yLabel: 'Q',
  x: { scale: 'log' },
  series: [
    { name: 'first', points: line },
    { name: 'second', points: line.map(({ x, y }) => ({ x, y: y / 2 })) },
  ],
}

describe('an axis', () => {
  it('places values evenly, by value or by logarithm, inside its ends', () => {
    const linear = axisScale([0, 5, 10], {}, 100, 200)
    expect(linear.place(5)).toBeCloseTo(150)
    expect(linear.place(10) - linear.place(5)).toBeCloseTo(linear.place(5) - linear.place(0))
    expect(linear.place(0)).toBeGreaterThan(100)
    expect(linear.place(10)).toBeLessThan(200)
    const log = axisScale([0.1, 1000], { scale: 'log' }, 200, 0)
    expect(log.place(10)).toBeCloseTo(100)
    expect(log.place(1) - log.place(0.1)).toBeCloseTo(log.place(1000) - log.place(100))
  })

  it('is labelled by round values within its range', () => {
    const labels = (values: readonly number[], scale: 'linear' | 'log' = 'linear') =>
      axisScale(values, { scale }, 0, 1).ticks.map(({ label }) => label)
    expect(labels([0, 1])).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8', '1.0'])
    expect(labels([-0.003, 0.0041])).toEqual(['-0.002', '0.000', '0.002', '0.004'])
    expect(labels([995, 1005])).toEqual(['996', '998', '1000', '1002', '1004'])
    expect(labels([0.001, 0.1], 'log')).toEqual(['0.001', '0.002', '0.005', '0.01', '0.02', '0.05', '0.1'])
    expect(labels([1, 1e9], 'log')).toEqual([
      '1',
      '10',
      '100',
      '1000',
      '10000',
      '100000',
      '1e+6',
      '1e+7',
      '1e+8',
      '1e+9',
    ])
    expect(labels([7, 7])).toEqual(['7'])
    expect(labels([3, 4], 'log')).toEqual(['3'])
    expect(labels([1e-20, 1e20], 'log').length).toBeLessThan(20)
  })

  it('has a place for what it was not given', () => {
    for (const scale of ['linear', 'log'] as const) {
      expect(Number.isFinite(axisScale([], { scale }, 0, 1).place(1))).toBe(true)
      expect(axisScale([4], { scale }, 0, 1).place(4)).toBe(0.5)
    }
  })
})

describe('a plot', () => {
  it('is markup with a line, three marks and a name for each series', () => {
    const svg = drawPlot(plot)
    expect(isWellFormed(svg)).toBe(true)
    // One for the series, one for its legend.
    expect(svg.match(/<polyline/g)).toHaveLength(4)
    expect(svg.match(/<circle/g)).toHaveLength(4)
    expect(svg).toContain('>first</text>')
    expect(svg).not.toMatch(/href|<script|url\(/)
  })

  it('tells series apart without colour', () => {
    const series = Array.from({ length: 20 }, (_, at) => ({ name: `policy ${at}`, points: line }))
    const grey = drawPlot({ ...plot, series }).replace(/#[0-9a-f]{6}/g, '#000000')
    const legend = [...grey.matchAll(/<polyline points="572[^>]*>\n<[^>]+>/g)].map(([drawn]) =>
      // All at the same height.
      drawn.replace(/cy="[^"]*"|(?<=[\d.]+[ ,])[\d.]+/g, ''),
    )
    expect(legend).toHaveLength(20)
    expect(new Set(legend).size).toBe(20)
  })

  it('leaves out what has no place', () => {
    const points = [
      ...line,
      { x: 0, y: 0.5 },
      { x: -1, y: 0.5 },
      { x: 50, y: Number.NaN },
      { x: 60, y: Number.POSITIVE_INFINITY },
    ]
    expect(drawPlot({ ...plot, series: [{ name: 'first', points }, plot.series[1]!] })).toBe(drawPlot(plot))
    const empty = drawPlot({ ...plot, series: [{ name: 'none', points: [] }] })
    expect(empty).toContain('there is nothing to show')
    expect(empty).not.toMatch(/NaN|Infinity/)
    expect(isWellFormed(empty)).toBe(true)
  })

  it('cannot be broken by a name', () => {
    const name = `</text><script>alert("&")</script>'\u0000\ud800`
    const svg = drawPlot({ ...plot, title: name, xLabel: name, yLabel: name, series: [{ name, points: line }] })
    expect(svg).not.toContain('<script')
    expect(isWellFormed(svg)).toBe(true)
    expect(svg).toContain('&lt;/text&gt;&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;&#39;\ufffd\ufffd')
  })

  it('is the same for the same content', () => {
    expect(drawPlot(plot)).toBe(drawPlot(structuredClone(plot)))
  })
})

/** Every element is closed in order, and no text holds a bare sign of markup. */
function isWellFormed(markup: string): boolean {
  const open: string[] = []
  const rest = markup.replace(/<(\/?)([a-z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g, (_, end, name, __, self) => {
    if (end === '/') return open.pop() === name ? '' : '<'
    if (self !== '/') open.push(name)
    return ''
  })
  return open.length === 0 && !/[<>"]|&(?!(?:amp|lt|gt|quot|#39);)/.test(rest)
}
