/** Lists of [key, options] that say something of documents: observations and signals. */
import { describe } from '../base/describe.js'
import { type Key, requireKey } from '../base/keys.js'

export type NumberOf = (key: Key) => number | undefined

/** Throws for an entry that is none, whose options `read` refuses, or whose document is not there. */
export function readEntries<Given>(
  what: 'observation' | 'signal',
  entries: unknown,
  read: (options: unknown) => Given,
  numberOf: NumberOf,
): (Given & { readonly key: Key })[] {
  if (typeof entries !== 'object' || entries === null || !(Symbol.iterator in entries))
    throw new TypeError(`${what}s must be iterable, received ${describe(entries)}`)
  return Array.from(entries as Iterable<unknown>, (entry) => {
    if (!Array.isArray(entry)) {
      const article = what === 'observation' ? 'an' : 'a'
      throw new TypeError(`${article} ${what} must be [key, options], received ${describe(entry)}`)
    }
    const given = { ...read(entry[1]), key: requireKey(entry[0]) }
    // Now as well, so that whoever makes the entries one by one is told which of them is wrong.
    requireNumber(given.key, numberOf)
    return given
  })
}

/** Within the turn that records them: documents may have been removed since the entries were read. */
export function* numbered<Given extends { readonly key: Key }>(
  given: readonly Given[],
  numberOf: NumberOf,
): Generator<Given & { readonly doc: number }> {
  for (const entry of given) yield { ...entry, doc: requireNumber(entry.key, numberOf) }
}

function requireNumber(key: Key, numberOf: NumberOf): number {
  const doc = numberOf(key)
  if (doc === undefined) throw new RangeError(`there is no document with the key ${describe(key)}`)
  return doc
}
