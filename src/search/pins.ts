/** Documents that are to come first for a query, whatever they score. */
import { readOptions } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { type Key, requireKey } from '../base/keys.js'

/** These documents come first for this query. */
export interface Pin {
  /** Compared with the text of a search without regard to case and white space. */
  readonly query: string
  /** In the order in which they are shown. At most 100. */
  readonly keys: readonly Key[]
}

/** The keys by query. */
export type PinTable = ReadonlyMap<string, readonly Key[]>

const MAX_PINNED = 100

export function pinsOption(value: unknown): PinTable | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw new TypeError(`pins must be a list of { query, keys }, received ${describe(value)}`)
  const table = new Map<string, readonly Key[]>()
  for (const [at, pin] of value.entries()) {
    const { query, keys } = readOptions(`pins[${at}]`, pin, ['query', 'keys'])
    const text = typeof query === 'string' ? sameForm(query) : ''
    if (text === '')
      throw new TypeError(`pins[${at}].query must be a text that is not empty, received ${describe(query)}`)
    if (table.has(text)) throw new TypeError(`pins[${at}].query is pinned already: "${text}"`)
    table.set(text, pinnedKeys(`pins[${at}].keys`, keys))
  }
  return table.size === 0 ? undefined : table
}

/** The option `pinned` of a search: keys, or false for none, whatever the index was opened with. */
export function pinnedOption(value: unknown): readonly Key[] | false | undefined {
  return value === undefined || value === false ? value : pinnedKeys('pinned', value)
}

function pinnedKeys(name: string, value: unknown): readonly Key[] {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be a list of keys, received ${describe(value)}`)
  if (value.length > MAX_PINNED)
    throw new RangeError(`${name} may name ${MAX_PINNED} documents, received ${value.length}`)
  return value.map((key) => requireKey(key, () => `${name}: `))
}

/** The keys that a query has pinned. A query tree has none. */
export function pinnedFor(table: PinTable | undefined, query: unknown): readonly Key[] {
  return (table !== undefined && typeof query === 'string' && table.get(sameForm(query))) || []
}

function sameForm(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ')
}
