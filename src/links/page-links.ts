/** The links of a document as users give them, and as they are kept: for each target, the texts of the links to it. */
import { toWellFormed } from '../base/bytes.js'
import { describe } from '../base/describe.js'
import { readProperty } from '../base/documents.js'
import { type Key, requireKey } from '../base/keys.js'

/** A link of a document to another one. */
export interface PageLink {
  /** The key that the target has, or will have. */
  readonly to: Key
  /** The words that the link stands on. Default: none, the link is only counted. */
  readonly text?: string
}

/** The texts of links by the other end, in the order of the document that has the links. */
export type LinkTexts = ReadonlyMap<Key, readonly string[]>

export const NO_LINKS: LinkTexts = new Map()

/** The links that a property of a document holds; none when it is absent or null. */
export function readLinks(document: object, property: string, key: Key): LinkTexts {
  const value = readProperty(document, property)
  if (value === undefined || value === null) return NO_LINKS
  const place = () => `links "${property}" of document ${describe(key)}`
  if (!Array.isArray(value))
    throw new TypeError(`${place()} must be a list such as [{ to, text }], received ${describe(value)}`)
  const texts = new Map<Key, string[]>()
  for (const link of value as unknown[]) {
    if (typeof link !== 'object' || link === null || Array.isArray(link))
      throw new TypeError(`${place()}: a link must be { to, text }, received ${describe(link)}`)
    const { to, text } = link as Partial<Record<keyof PageLink, unknown>>
    if (text !== undefined && text !== null && typeof text !== 'string')
      throw new TypeError(`${place()}: the text of a link must be a string, received ${describe(text)}`)
    const target = requireKey(to, () => `${place()}, the target of a link: `)
    const known = texts.get(target)
    const read = toWellFormed(text ?? '')
    if (known === undefined) texts.set(target, [read])
    else known.push(read)
  }
  return texts
}
