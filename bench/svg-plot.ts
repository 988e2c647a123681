/** Draws series over a logarithmic axis as an SVG that needs nothing else. */
export interface Plot {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  readonly series: readonly Series[]
  /** A range of values to compare with. */
  readonly band?: { readonly from: number; readonly to: number; readonly label: string }
}

export interface Series {
  readonly name: string
  /** x above 0, ascending. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

const WIDTH = 640
const HEIGHT = 400
const EDGE = { left: 70, right: 20, top: 40, bottom: 60 }
const COLORS = ['#1f6fb4', '#c8501e', '#3a8f3a', '#7b4fa3']
const Y_STEPS = 5

export function drawPlot({ title, xLabel, yLabel, series, band }: Plot): string {
  const points = series.flatMap((one) => one.points)
  const ys = [0, ...points.map(({ y }) => y), ...(band === undefined ? [] : [band.to])]
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b)
  const toX = scale(Math.log(xs[0]!), Math.log(xs.at(-1)!), EDGE.left, WIDTH - EDGE.right)
  const [low, high] = [Math.min(...ys), Math.max(...ys) * 1.1]
  const toY = scale(low, high, HEIGHT - EDGE.bottom, EDGE.top)
  const placed = (point: { readonly x: number; readonly y: number }) => ({ x: toX(Math.log(point.x)), y: toY(point.y) })
  const values = Array.from({ length: Y_STEPS + 1 }, (_, step) => low + ((high - low) * step) / Y_STEPS)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    text(WIDTH / 2, 22, title, 'middle'),
    ...(band === undefined ? [] : bandOf(band, toY)),
    ...values.flatMap((value) => [rule(toY(value)), text(EDGE.left - 6, toY(value) + 4, value.toFixed(3), 'end')]),
    ...xs.map((x) => text(toX(Math.log(x)), HEIGHT - EDGE.bottom + 18, String(x), 'middle')),
    text(WIDTH / 2, HEIGHT - 16, xLabel, 'middle'),
    `<g transform="rotate(-90 16 ${HEIGHT / 2})">${text(16, HEIGHT / 2, yLabel, 'middle')}</g>`,
    ...series.flatMap((one, at) => line(one.name, one.points.map(placed), COLORS[at % COLORS.length]!, at)),
    '</svg>',
    '',
  ].join('\n')
}

/** From [from, to] to [start, end]; the middle for a range of nothing. */
function scale(from: number, to: number, start: number, end: number): (value: number) => number {
  return (value) => (to === from ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start))
}

function bandOf({ from, to, label }: NonNullable<Plot['band']>, toY: (value: number) => number): string[] {
  const [top, bottom] = [toY(to), toY(from)]
  const width = WIDTH - EDGE.left - EDGE.right
  return [
    `<rect x="${EDGE.left}" y="${round(top)}" width="${width}" height="${round(bottom - top)}" fill="#eecf6d" fill-opacity="0.6"/>`,
    text(WIDTH - EDGE.right - 4, top - 4, label, 'end'),
  ]
}

function line(name: string, points: readonly { x: number; y: number }[], color: string, at: number): string[] {
  const path = points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')
  const legendY = EDGE.top + 14 + at * 16
  return [
    `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...points.map(({ x, y }) => `<circle cx="${round(x)}" cy="${round(y)}" r="3" fill="${color}"/>`),
    `<rect x="${EDGE.left + 10}" y="${legendY - 9}" width="10" height="10" fill="${color}"/>`,
    text(EDGE.left + 26, legendY, name, 'start'),
  ]
}

function rule(y: number): string {
  return `<line x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${round(y)}" y2="${round(y)}" stroke="#dddddd"/>`
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped(content)}</text>`
}

function escaped(content: string): string {
  return content.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
