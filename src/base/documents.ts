/** Documents as users give them: which of their properties can play which role, and how those are read. */
import { MAX_AMOUNT } from './amounts.js'
import { describe } from './describe.js'
import type { Key } from './keys.js'

type Present<T> = Exclude<T, null | undefined>

/**
 * Names of the properties of D whose values fit V. A property typed unknown or any counts (it is checked when written),
 * and so does every name where D has an index signature.
 */
type NamesOf<D, V> = string extends keyof D
  ? string
  : {
      [K in keyof D & string]-?: unknown extends D[K] ? K : [Present<D[K]>] extends [V] ? K : never
    }[keyof D & string]

/** Properties that can be the key: always present, and a string or a number. */
export type KeyName<D> = string extends keyof D
  ? string
  : { [K in keyof D & string]-?: unknown extends D[K] ? K : [D[K]] extends [Key] ? K : never }[keyof D & string]

/** Properties that can be searched: text, or a list of texts. */
export type FieldName<D> = NamesOf<D, string | readonly string[]>

/** Properties that can hold links: see PageLink in src/links/page-links.ts. */
export type LinksName<D> = NamesOf<D, readonly { readonly to: Key; readonly text?: string }[]>

/** Properties that can be the page weight. */
export type WeightName<D> = NamesOf<D, number>

export type PropertyName<D> = string extends keyof D ? string : keyof D & string

/**
 * The value of a property, own or from the document's class. What every object has from Object.prototype
 * (`constructor`, `toString`, `__proto__`) counts as absent, so that a field of that name is empty and not a function.
 */
export function readProperty(document: object, name: string): unknown {
  if (Object.hasOwn(document, name)) return (document as Record<string, unknown>)[name]
  // The prototype of every class has a constructor, which is not a property of the document.
  if (name === 'constructor') return undefined
  let ancestor: unknown = Object.getPrototypeOf(document)
  while (ancestor !== null && ancestor !== Object.prototype) {
    if (Object.hasOwn(ancestor as object, name)) return (document as Record<string, unknown>)[name]
    ancestor = Object.getPrototypeOf(ancestor)
  }
  return undefined
}

/** `place` says where the document comes from: a message begins with it. */
export function requireDocument(value: unknown, place: () => string = () => ''): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new TypeError(`${place()}a document must be an object, received ${describe(value)}`)
}

/** The text of a field: a string as it is, a list joined by line feeds, absent or null as the empty text. */
export function readText(document: object, field: string, key: Key): string {
  const value = readProperty(document, field)
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) {
    // Array.from visits holes too, which every() would skip.
    const parts = Array.from(value as unknown[])
    if (parts.every((part) => typeof part === 'string')) return parts.join('\n')
  }
  throw new TypeError(
    `field "${field}" of document ${describe(key)} must be a string or a list of strings, received ${describe(value)}`,
  )
}

/** The page weight, 0 when the document has none. */
export function readWeight(document: object, property: string, key: Key): number {
  const value = readProperty(document, property)
  return value === undefined || value === null ? 0 : requireWeight(value, property, key)
}

export function requireWeight(value: unknown, property: string, key: Key): number {
  const where = `weight "${property}" of document ${describe(key)}`
  if (typeof value !== 'number') throw new TypeError(`${where} must be a number, received ${describe(value)}`)
  if (!(value >= 0 && value <= MAX_AMOUNT)) {
    throw new RangeError(`${where} must be finite and from 0 to ${MAX_AMOUNT}, received ${describe(value)}`)
  }
  return value
}
