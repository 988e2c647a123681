/**
 * Draws series as an SVG that needs nothing else. They differ in colour, in marks and in dashes, so that a print in
 * grey can be read too.
 */
import { escaped } from './html.js'

export interface Plot {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  readonly series: readonly Series[]
  readonly x?: Axis
  readonly y?: Axis
  /** A range of values to compare with. */
  readonly band?: { readonly from: number; readonly to: number; readonly label: string }
}

export interface Series {
  readonly name: string
  /**
   * In the order in which a line goes through them. Points that are not finite, or that a logarithm cannot take, are
   * left out.
   */
  readonly points: readonly Point[]
  /** 'line' unless told. */
  readonly as?: 'line' | 'dots'
  /** Drawn thicker and over the others: what a reader is to see first. */
  readonly isStrong?: boolean
}

export interface Point {
  readonly x: number
  readonly y: number
}

const PLOT_WIDTH = 560
const HEIGHT = 400
const EDGE = { left: 70, right: 20, top: 40, bottom: 60 }
/** The space beside the plot, for the names of series. */
const LEGEND_LINE = 18
const LEGEND_GAP = 12
const KEY_WIDTH = 34
/** The width of a character in a wide font, because the font of a viewer is not known. */
const CHARACTER_WIDTH = 7.6

/** Colours that also differ in lightness. A page that is dark says others. */
const COLORS = ['#1f4e9c', '#d1641f', '#2f8a4c', '#8a3ba0', '#b3203c', '#6b6b6b', '#17808f', '#a98600'].map(
  (color, at) => `var(--series-${at + 1}, ${color})`,
)
const PAGE = 'var(--plot-page, white)'
const TEXT = 'var(--plot-text, #222)'
const RULE = 'var(--plot-rule, #e2e2e2)'
const DASHES = ['', '7 3', '2 3', '9 3 2 3']
const MARKS = ['circle', 'square', 'triangle', 'diamond', 'cross'] as const
type Mark = (typeof MARKS)[number]

export function drawPlot(plot: Plot): string {
  const { title, xLabel, yLabel, series, band } = plot
  const drawable = series.map((one) => ({
    ...one,
    points: one.points.filter(({ x, y }) => isDrawable(x, plot.x) && isDrawable(y, plot.y)),
  }))
  const points = drawable.flatMap((one) => one.points)
  const area = { left: EDGE.left, right: PLOT_WIDTH - EDGE.right, top: EDGE.top, bottom: HEIGHT - EDGE.bottom }
  const bandEnds = band === undefined ? [] : [band.from, band.to]
  const xScale = axisScale(
    points.map(({ x }) => x),
    plot.x,
    area.left,
    area.right,
  )
  const yScale = axisScale([...points.map(({ y }) => y), ...bandEnds], plot.y, area.bottom, area.top)
  const names = series.map(({ name }) => name.length)
  const width = Math.ceil(PLOT_WIDTH + LEGEND_GAP + KEY_WIDTH + CHARACTER_WIDTH * Math.max(0, ...names))
  const height = Math.max(HEIGHT, EDGE.top + LEGEND_LINE * (series.length + 1))
  const middleX = (area.left + area.right) / 2
  const middleY = (area.top + area.bottom) / 2
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
      'font-family="sans-serif" font-size="12" role="img">',
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${PAGE}"/>`,
    text(middleX, 22, title, 'middle'),
    ...(band === undefined ? [] : bandOf(band, yScale, area)),
    ...yScale.ticks.flatMap((tick) => [
      rule(area.left, area.right, yScale.place(tick.value), yScale.place(tick.value)),
      text(area.left - 6, yScale.place(tick.value) + 4, tick.label, 'end'),
    ]),
    ...xScale.ticks.flatMap((tick) => [
      rule(xScale.place(tick.value), xScale.place(tick.value), area.top, area.bottom),
      text(xScale.place(tick.value), area.bottom + 18, tick.label, 'middle'),
    ]),
    text(middleX, HEIGHT - 16, xLabel, 'middle'),
    `<g transform="rotate(-90 16 ${middleY})">${text(16, middleY, yLabel, 'middle')}</g>`,
    ...(points.length === 0 ? [text(middleX, middleY, 'there is nothing to show', 'middle')] : []),
    ...drawn(drawable).flatMap(({ one, at }) => drawSeries(one, styleOf(at), (point) => placed(point, xScale, yScale))),
    ...drawable.flatMap((one, at) => legendOf(one, styleOf(at), PLOT_WIDTH + LEGEND_GAP, EDGE.top + LEGEND_LINE * at)),
    '</svg>',
    '',
  ].join('\n')
}

/** In the order of drawing: strong ones cover the others. */
function drawn(series: readonly Series[]): { readonly one: Series; readonly at: number }[] {
  const placed = series.map((one, at) => ({ one, at }))
  return [...placed.filter(({ one }) => !one.isStrong), ...placed.filter(({ one }) => one.isStrong)]
}

function isDrawable(value: number, axis: Axis | undefined): boolean {
  return Number.isFinite(value) && (axis?.scale !== 'log' || value > 0)
}

interface Style {
  readonly color: string
  readonly dash: string
  readonly mark: Mark
}

/** The three have no common divisor, so that styles do not come again soon. */
function styleOf(at: number): Style {
  return { color: COLORS[at % COLORS.length]!, dash: DASHES[at % DASHES.length]!, mark: MARKS[at % MARKS.length]! }
}

function placed({ x, y }: Point, xScale: AxisScale, yScale: AxisScale): Point {
  return { x: xScale.place(x), y: yScale.place(y) }
}

function drawSeries({ points, as, isStrong }: Series, style: Style, place: (point: Point) => Point): string[] {
  const spots = points.map(place)
  if (as === 'dots') return spots.map((spot) => markAt(spot, style, 2.5, 0.5))
  const [width, size] = isStrong === true ? [STRONG_WIDTH, 5] : [WIDTH, 3.5]
  return [
    ...lineThrough(spots, lineStyle(style, isStrong), width),
    ...spots.map((spot) => markAt(spot, style, size, 1)),
  ]
}

/** Dashes of a thick line would look like marks. */
function lineStyle(style: Style, isStrong: boolean | undefined): Style {
  return isStrong === true ? { ...style, dash: '' } : style
}

const WIDTH = 1.8
const STRONG_WIDTH = 4

function lineThrough(spots: readonly Point[], { color, dash }: Style, width: number): string[] {
  if (spots.length < 2) return []
  const path = spots.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')
  const dashes = dash === '' ? '' : ` stroke-dasharray="${dash}"`
  return [`<polyline points="${path}" fill="none" stroke="${color}" stroke-width="${width}"${dashes}/>`]
}

function legendOf({ name, as, isStrong }: Series, style: Style, left: number, top: number): string[] {
  const y = top + LEGEND_LINE / 2
  const key =
    as === 'dots'
      ? []
      : lineThrough(
          [
            { x: left, y },
            { x: left + KEY_WIDTH - 8, y },
          ],
          lineStyle(style, isStrong),
          isStrong === true ? STRONG_WIDTH : WIDTH,
        )
  const mark = markAt({ x: left + (KEY_WIDTH - 8) / 2, y }, style, 3.5, 1)
  return [...key, mark, text(left + KEY_WIDTH, y + 4, name, 'start')]
}

function markAt({ x, y }: Point, { color, mark }: Style, size: number, opacity: number): string {
  const at = (dx: number, dy: number) => `${round(x + dx * size)} ${round(y + dy * size)}`
  const look = `fill="${color}"${opacity === 1 ? '' : ` fill-opacity="${opacity}"`}`
  switch (mark) {
    case 'circle':
      return `<circle cx="${round(x)}" cy="${round(y)}" r="${size}" ${look}/>`
    case 'square':
      return `<path d="M${at(-1, -1)}L${at(1, -1)}L${at(1, 1)}L${at(-1, 1)}Z" ${look}/>`
    case 'triangle':
      return `<path d="M${at(0, -1.2)}L${at(1.2, 1)}L${at(-1.2, 1)}Z" ${look}/>`
    case 'diamond':
      return `<path d="M${at(0, -1.4)}L${at(1.4, 0)}L${at(0, 1.4)}L${at(-1.4, 0)}Z" ${look}/>`
    case 'cross':
      return (
        `<path d="M${at(-1, -1)}L${at(1, 1)}M${at(1, -1)}L${at(-1, 1)}" ` +
        `stroke="${color}" stroke-width="1.8" stroke-opacity="${opacity}"/>`
      )
  }
}

interface Area {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

function bandOf({ from, to, label }: NonNullable<Plot['band']>, { place }: AxisScale, { left, right }: Area): string[] {
  const [top, bottom] = [place(to), place(from)]
  return [
    `<rect x="${left}" y="${round(top)}" width="${right - left}" height="${round(bottom - top)}" ` +
      'fill="#eecf6d" fill-opacity="0.6"/>',
    text(right - 4, top - 4, label, 'end'),
  ]
}

function rule(x1: number, x2: number, y1: number, y2: number): string {
  return `<line x1="${round(x1)}" x2="${round(x2)}" y1="${round(y1)}" y2="${round(y2)}" stroke="${RULE}"/>`
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${TEXT}">${escaped(content)}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Where values lie along an axis, and which of them are written beside it. */
export interface Axis {
  /** 'linear' unless told. Logarithmic axes show values above 0 only. */
  readonly scale?: 'linear' | 'log'
  /** Values that the axis reaches at least. */
  readonly from?: number
  readonly to?: number
  /** The values to write, in place of round ones. */
  readonly ticks?: readonly number[]
  readonly label?: (value: number) => string
}

export interface AxisScale {
  /** Gives the place of a value. */
  place(value: number): number
  readonly ticks: readonly { readonly value: number; readonly label: string }[]
}

/** About how many round values are written along an axis. */
const TICKS = 6
/** The space between the outermost values and the ends of an axis, as a share of its length. */
const MARGIN = 0.03

/** From the least to the greatest value, placed from `start` to `end`. */
export function axisScale(values: readonly number[], axis: Axis = {}, start: number, end: number): AxisScale {
  const isLog = axis.scale === 'log'
  const toLine = isLog ? Math.log10 : (value: number) => value
  const wanted = [...values, ...(axis.ticks ?? []), axis.from, axis.to].filter((value) => value !== undefined)
  const usable = isLog ? wanted.filter((value) => value > 0) : wanted
  const low = toLine(usable.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY))
  const high = toLine(usable.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY))
  const [from, to] = Number.isFinite(low) && Number.isFinite(high) ? [low, high] : [0, 1]
  const room = (to - from) * MARGIN
  const place = (value: number) =>
    to === from ? (start + end) / 2 : start + ((toLine(value) - from + room) / (to - from + 2 * room)) * (end - start)
  const shown = axis.ticks ?? (isLog ? logTicks(from, to) : linearTicks(from, to))
  const digits = axis.label === undefined && !isLog ? digitsOf(shown) : undefined
  const label = axis.label ?? ((value: number) => (digits === undefined ? plain(value) : value.toFixed(digits)))
  return { place, ticks: shown.map((value) => ({ value, label: label(value) })) }
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function linearTicks(from: number, to: number): number[] {
  if (from === to) return [from]
  const rough = (to - from) / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough)!
  const first = Math.ceil(from / step - 1e-9)
  const last = Math.floor(to / step + 1e-9)
  // Products, not sums: rounding does not add up. Plus 0 makes 0 of -0.
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step + 0)
}

/** Powers of ten, with 2 and 5 times them where these are few; `from` and `to` are logarithms. */
function logTicks(from: number, to: number): number[] {
  const first = Math.floor(from)
  const last = Math.ceil(to)
  const factors = to - from > 2.5 ? [1] : [1, 2, 5]
  const every = Math.max(1, Math.ceil((last - first) / (2 * TICKS)))
  const ticks: number[] = []
  for (let power = first; power <= last; power += every)
    for (const factor of factors) ticks.push(Number(`${factor}e${power}`))
  const inside = ticks.filter((tick) => Math.log10(tick) >= from - 1e-9 && Math.log10(tick) <= to + 1e-9)
  return inside.length > 0 ? inside : [10 ** from]
}

/** As many digits behind the point as tell neighbours apart. */
function digitsOf(ticks: readonly number[]): number {
  const step = ticks.length < 2 ? Math.abs(ticks[0] ?? 0) : ticks[1]! - ticks[0]!
  return step > 0 ? Math.min(10, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))) : 0
}

function plain(value: number): string {
  return value >= 1e6 || value < 1e-4 ? value.toExponential() : String(Number(value.toPrecision(3)))
}
