/**
 * Lines over a common axis, drawn with characters. A character of Braille has 2 x 4 dots, so that a line is finer than
 * the rows of the terminal. Lines differ in their strokes, not in colour, and each is named at its end.
 */

export interface PlotPoint {
  readonly x: number
  readonly y: number
}

export interface PlotSeries {
  readonly name: string
  /** In ascending order of x, all numbers finite. Between two points the line is straight. */
  readonly points: readonly PlotPoint[]
}

export interface PlotOptions {
  /** Columns of the terminal, names of axis and lines included; 80 unless told. */
  readonly width?: number
  /** Rows of the terminal, without the two of the x axis; 10 unless told. */
  readonly height?: number
  /** What the y axis spans; what the points need unless told. Lines outside are cut off. */
  readonly yRange?: readonly [number, number]
  readonly xText?: (x: number) => string
  readonly yText?: (y: number) => string
  /** What the x axis counts, such as `week`. */
  readonly xName?: string
  /** With false only characters of ASCII are used. */
  readonly isUnicode?: boolean
}

/** Whether the terminal of these variables shows Braille: its encoding is UTF-8, and it is no bare console. */
export function isUnicodeTerminal(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return /utf-?8/i.test(locale) && env.TERM !== 'linux' && env.TERM !== 'dumb'
}

/** The lines of the plot, without trailing spaces; none if no series has a point. */
export function plot(series: readonly PlotSeries[], options: PlotOptions = {}): string[] {
  const drawn = series.filter(({ points }) => points.length > 0)
  if (drawn.length === 0) return []
  const { width = 80, height = 10, xText = String, yText = String, xName = '', isUnicode = true } = options
  const points = drawn.flatMap(({ points }) => points)
  const y = spanOf(options.yRange ?? rangeOf(points.map((point) => point.y)))
  const x = spanOf(rangeOf(points.map((point) => point.x)))
  const style = isUnicode ? BRAILLE : ASCII
  const yLabels = labelsByRow(y, height, yText)
  const yWidth = Math.max(...yLabels.map(({ length }) => length))
  const names = drawn.map(({ name }, at) => `${style.sample(at)} ${name}`)
  const nameWidth = Math.max(...names.map(({ length }) => length))
  const columns = Math.max(MIN_COLUMNS, width - yWidth - 2 - (nameWidth + 1))
  const grid = new Grid(columns, height, style)
  // The first series is the last to be drawn: where lines meet and only one can be shown, it is the first.
  for (const [at, { points }] of [...drawn.entries()].reverse()) {
    const path = points.map((point) => ({ x: partOf(x, point.x), y: 1 - partOf(y, point.y) }))
    grid.draw(path, at)
  }
  const ends = drawn.map(({ points }) => (1 - partOf(y, points.at(-1)!.y)) * (height - 1))
  const nameByRow = spread(ends, height)
  const rows = grid.rows().map((row, at) => {
    const label = yLabels[at]!
    const tick = label === '' ? style.axis.side : style.axis.tick
    return `${label.padStart(yWidth)} ${tick}${row} ${nameByRow.get(at) === undefined ? '' : names[nameByRow.get(at)!]}`
  })
  const below = style.axis.corner + style.axis.bottom.repeat(columns)
  const xAxis = xLabels(x, columns, xText, xName)
  const indent = ' '.repeat(yWidth + 1)
  return [...rows, indent + below, `${indent} ${xAxis}`].map((line) => line.trimEnd())
}

const MIN_COLUMNS = 10

interface Span {
  readonly low: number
  readonly high: number
}

/** A span of no length would leave no place for its one value. */
function spanOf([low, high]: readonly [number, number]): Span {
  return high > low ? { low, high } : { low: low - 0.5, high: low + 0.5 }
}

function rangeOf(values: readonly number[]): readonly [number, number] {
  return values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
}

function partOf({ low, high }: Span, value: number): number {
  return (value - low) / (high - low)
}

/** Steps of 1, 2 or 5 times a power of ten, at most so many of them. */
function roundValues({ low, high }: Span, most: number): number[] {
  const rough = (high - low) / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * (1 - 1e-9))!
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

/** A label for about every third row; '' for the others. */
function labelsByRow(y: Span, height: number, yText: (y: number) => string): string[] {
  const labels = Array.from({ length: height }, () => '')
  for (const value of roundValues(y, Math.max(1, Math.floor((height - 1) / 2)))) {
    labels[Math.round((1 - partOf(y, value)) * (height - 1))] = yText(value)
  }
  return labels
}

function xLabels(x: Span, columns: number, xText: (x: number) => string, xName: string): string {
  let line = ''
  for (const value of roundValues(x, Math.max(2, Math.floor(columns / 8)))) {
    const text = xText(value)
    const middle = Math.round(partOf(x, value) * (columns - 1))
    const start = Math.min(columns - text.length, Math.max(0, middle - Math.floor(text.length / 2)))
    if (start >= line.length + (line === '' ? 0 : 2)) line = line.padEnd(start) + text
  }
  return xName === '' ? line : `${line.padEnd(columns)} ${xName}`
}

/** Rows for the names, each as near to the end of its line as the others allow: from row to place in `ends`. */
function spread(ends: readonly number[], height: number): Map<number, number> {
  const order = [...ends.keys()].sort((a, b) => ends[a]! - ends[b]! || a - b)
  const rows = order.map((at) => Math.min(height - 1, Math.max(0, Math.round(ends[at]!))))
  for (let at = 1; at < rows.length; at++) rows[at] = Math.max(rows[at]!, rows[at - 1]! + 1)
  for (let at = rows.length - 1; at >= 0; at--) {
    rows[at] = Math.min(rows[at]!, at === rows.length - 1 ? height - 1 : rows[at + 1]! - 1)
  }
  return new Map(rows.map((row, at) => [row, order[at]!]))
}

interface Style {
  readonly dots: { readonly across: number; readonly down: number }
  readonly axis: Readonly<Record<'side' | 'tick' | 'corner' | 'bottom', string>>
  /** Whether a dot of the line is drawn: `step` counts the dots from its start. */
  isDrawn(series: number, step: number): boolean
  /** The character of a cell, of the dots (bit = row of the cell x across + column) and the series drawn there last. */
  character(dots: number, series: number): string
  sample(series: number): string
}

/** The bits of Unicode's Braille patterns, from left to right and from top to bottom. */
const BRAILLE_BITS = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
/** Which dots of a line are drawn, over and over. */
const STROKES = ['x', 'xxxx  ', 'x  ', 'xxxxx  x  ']

const BRAILLE: Style = {
  dots: { across: 2, down: 4 },
  axis: { side: '│', tick: '┤', corner: '└', bottom: '─' },
  isDrawn(series, step) {
    const stroke = STROKES[series % STROKES.length]!
    return stroke[step % stroke.length] === 'x'
  },
  character(dots) {
    const bits = BRAILLE_BITS.reduce((sum, bit, at) => ((dots >> at) & 1 ? sum | bit : sum), 0)
    return bits === 0 ? ' ' : String.fromCharCode(0x2800 + bits)
  },
  sample(series) {
    const cells = Array.from({ length: 3 }, (_, cell) => {
      const isDrawn = (column: number) => BRAILLE.isDrawn(series, 2 * cell + column)
      return BRAILLE.character((isDrawn(0) ? 0b10000 : 0) | (isDrawn(1) ? 0b100000 : 0), series)
    })
    return cells.join('')
  },
}

const MARKS = ['#', 'o', '.', '+']

const ASCII: Style = {
  dots: { across: 1, down: 1 },
  axis: { side: '|', tick: '+', corner: '+', bottom: '-' },
  isDrawn: () => true,
  character: (dots, series) => (dots === 0 ? ' ' : MARKS[series % MARKS.length]!),
  sample: (series) => MARKS[series % MARKS.length]!.repeat(3),
}

/** The cells of the plot, with the dots that are set in each. */
class Grid {
  readonly #columns: number
  readonly #rows: number
  readonly #style: Style
  readonly #dots: Uint8Array
  readonly #series: Uint8Array

  constructor(columns: number, rows: number, style: Style) {
    this.#columns = columns
    this.#rows = rows
    this.#style = style
    this.#dots = new Uint8Array(columns * rows)
    this.#series = new Uint8Array(columns * rows)
  }

  /** A line through points whose coordinates go from 0 to 1, y downwards. */
  draw(path: readonly PlotPoint[], series: number): void {
    const { across, down } = this.#style.dots
    const right = this.#columns * across - 1
    const bottom = this.#rows * down - 1
    let step = 0
    const set = (x: number, y: number) => {
      if (this.#style.isDrawn(series, step++)) this.#set(x, y, series)
    }
    path.forEach((to, at) => {
      const from = path[at - 1]
      const [x, y] = [Math.round(to.x * right), Math.round(to.y * bottom)]
      if (from !== undefined) {
        const [x0, y0] = [Math.round(from.x * right), Math.round(from.y * bottom)]
        const steps = Math.max(Math.abs(x - x0), Math.abs(y - y0))
        for (let part = 1; part < steps; part++) {
          set(Math.round(x0 + ((x - x0) * part) / steps), Math.round(y0 + ((y - y0) * part) / steps))
        }
        if (steps === 0) return
      }
      set(x, y)
    })
  }

  rows(): string[] {
    return Array.from({ length: this.#rows }, (_, row) =>
      Array.from({ length: this.#columns }, (_, column) => {
        const cell = row * this.#columns + column
        return this.#style.character(this.#dots[cell]!, this.#series[cell]!)
      }).join(''),
    )
  }

  #set(x: number, y: number, series: number): void {
    const { across, down } = this.#style.dots
    if (y < 0 || y >= this.#rows * down) return
    const cell = Math.floor(y / down) * this.#columns + Math.floor(x / across)
    this.#dots[cell]! |= 1 << ((y % down) * across + (x % across))
    this.#series[cell] = series
  }
}
