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
  /** From a value to its place. */
  place(value: number): number
  readonly ticks: readonly { readonly value: number; readonly label: string }[]
}

/** Round values along an axis, about. */
const TICKS = 6
/** Of the length of an axis, between the outermost values and its ends. */
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
