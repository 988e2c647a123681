/** Boost functions: the score of the text times a function of a column's value. */
import { numberOption, readOptions } from '../base/checks.js'
import { type ColumnName, type ColumnOptions, type ColumnSetting, columnNamed } from '../base/columns.js'
import { describe } from '../base/describe.js'
import { coreValue, type DateValue } from './column-values.js'
import { requireObject } from './filter.js'
import type { BoostFunction } from './filter-tree.js'

/**
 * Documents count less the farther their value is from an origin: `floor + (1 - floor) · 2^(-distance / halfLife)`; the
 * nearest value counts, and `floor` where there is none.
 */
export interface DecayBoost<C> {
  /** A date or number column. */
  readonly decay: ColumnName<C>
  /** Where the factor is 1. Default: for dates, the moment of the search. */
  readonly origin?: DateValue
  /** How far from the origin half of it is left: milliseconds of a date column, above 0. */
  readonly halfLife: number
  /** The least factor, from 0 to 1. Default 0. */
  readonly floor?: number
}

/** Documents count more the larger their value is: `1 + factor · ln(1 + value)`; 1 where there is none, or below 0. */
export interface LogBoost<C> {
  /** A number column. */
  readonly log: ColumnName<C>
  /** At least 0. Default 1. */
  readonly factor?: number
}

export type Boost<D, C = ColumnOptions<D>> = DecayBoost<C> | LogBoost<C>

const MAX_BOOSTS = 8

export function resolveBoosts(
  value: unknown,
  columns: readonly ColumnSetting[],
  atMs: () => number,
): readonly BoostFunction[] | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value))
    throw new TypeError(`boosts must be a list such as [{ log: 'inlinks' }], received ${describe(value)}`)
  if (value.length > MAX_BOOSTS) throw new RangeError(`boosts may be ${MAX_BOOSTS}, received ${value.length}`)
  if (value.length === 0) return undefined
  return Array.from(value, (item, at) => {
    const place = `boosts[${at}]`
    const given = requireObject(item, place, "such as { log: 'inlinks' } or { decay: 'published', halfLife }")
    if ((given.decay === undefined) === (given.log === undefined))
      throw new TypeError(`${place} must have exactly one of decay, log, received ${describe(given)}`)
    return given.decay === undefined ? logBoost(given, place, columns) : decayBoost(given, place, columns, atMs)
  })
}

function logBoost(value: object, place: string, columns: readonly ColumnSetting[]): BoostFunction {
  const { log, factor } = readOptions(place, value, ['log', 'factor'])
  const column = columnNamed(log, columns, `${place}.log`)
  requireKind(columns[column] as ColumnSetting, ['number'], `${place}.log`)
  return { kind: 'log', column, factor: numberOption(`${place}.factor`, factor, 1, { min: 0, max: 1e9 }) }
}

function decayBoost(
  value: object,
  place: string,
  columns: readonly ColumnSetting[],
  atMs: () => number,
): BoostFunction {
  const { decay, origin, halfLife, floor } = readOptions(place, value, ['decay', 'origin', 'halfLife', 'floor'])
  const column = columnNamed(decay, columns, `${place}.decay`)
  const setting = columns[column] as ColumnSetting
  requireKind(setting, ['date', 'number'], `${place}.decay`)
  if (halfLife === undefined)
    throw new TypeError(`${place} needs a halfLife: how far from the origin half of the factor is left`)
  if (origin === undefined && setting.kind === 'number')
    throw new TypeError(`${place} needs an origin: the value for which the factor is 1`)
  return {
    kind: 'decay',
    column,
    origin: origin === undefined ? atMs() : (coreValue(origin, setting, `${place}.origin`) as number),
    halfLife: numberOption(`${place}.halfLife`, halfLife, 1, { min: 0, aboveMin: true }),
    floor: numberOption(`${place}.floor`, floor, 0, { min: 0, max: 1 }),
  }
}

function requireKind({ name, kind }: ColumnSetting, kinds: readonly ColumnSetting['kind'][], place: string): void {
  if (kinds.includes(kind)) return
  throw new TypeError(`${place} must be a ${kinds.join(' or ')} column: "${name}" is a ${kind} column`)
}
