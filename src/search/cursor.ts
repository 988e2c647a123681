/**
 * Cursors: where the hits of a search go on, as text that users pass back. It says which state of the index the hits
 * are of, which search it was, and behind which hit the next ones begin. Nothing of it is secret or trusted.
 */
import { createHash } from 'node:crypto'
import { isCount } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { MAX_TIME_MS, timeValue } from '../base/time.js'
import type { CursorPoint } from './filter-tree.js'

export interface Cursor {
  /** The state of the index, as whoever keeps states calls it. */
  readonly state: string
  /** The search, see searchName. */
  readonly search: string
  /** For which moment documents are found; undefined where that makes no difference. */
  readonly atMs: number | undefined
  readonly point: CursorPoint
}

export function encodeCursor({ state, search, atMs, point }: Cursor): string {
  const parts = [state, search, atMs ?? null, point.document, ...point.values]
  return Buffer.from(JSON.stringify(parts), 'utf8').toString('base64url')
}

/** TypeError for anything that encodeCursor did not make. */
export function decodeCursor(value: unknown): Cursor {
  if (typeof value === 'string') {
    try {
      const [state, search, at, document, ...values] = JSON.parse(Buffer.from(value, 'base64url').toString('utf8'))
      const isTime = at === null || (typeof at === 'number' && Math.abs(at) <= MAX_TIME_MS)
      const isRight =
        typeof state === 'string' && typeof search === 'string' && isTime && isCount(document, 2 ** 32 - 1)
      if (isRight && values.every(isSortValue))
        return { state, search, atMs: at ?? undefined, point: { values, document } }
    } catch {
      // Not one of ours.
    }
  }
  throw new TypeError(`after must be the cursor of an earlier result, received ${describe(value)}`)
}

function isSortValue(value: unknown): value is number | string | null {
  return value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
}

/** What decides which hits a search has, and in which order. */
const DECIDING = ['fields', 'operator', 'filter', 'sort', 'boosts', 'synonyms'] as const

/** The same for searches whose hits are the same, and hardly ever for others. */
export function searchName(query: unknown, options: unknown): string {
  const given = (options ?? {}) as Readonly<Record<string, unknown>>
  const text = JSON.stringify([query, ...DECIDING.map((name) => given[name] ?? null)])
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}

/** Makes the cursor of a search from where its hits end. `options` are those of the search, with its moment. */
export function cursorMaker(query: unknown, options: unknown, stateName: () => string): (point: CursorPoint) => string {
  return (point) => {
    const { at } = (options ?? {}) as { readonly at?: unknown }
    return encodeCursor({ state: stateName(), search: searchName(query, options), atMs: timeValue('at', at), point })
  }
}

/** The cursor that a search goes on from. TypeError for that of another search. */
export function cursorFor(query: unknown, options: { readonly after?: unknown }): Cursor {
  const cursor = decodeCursor(options.after)
  if (cursor.search === searchName(query, options)) return cursor
  throw new TypeError('after is the cursor of another search: query, filter, sort and the like must be the same')
}
