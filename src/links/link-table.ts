/** Which documents link to which keys, with what texts. The other end of a link need not be a document. */
import type { Key } from '../base/keys.js'
import { type LinkTexts, NO_LINKS } from './page-links.js'

export interface LinkTable {
  /** The links of a document, by target. */
  linksFrom(source: Key): LinkTexts
  /** The links to a key, by the document that has them. */
  linksTo(target: Key): LinkTexts
}

/** What became of the links of a document to one target. */
export interface LinkChange {
  readonly source: Key
  readonly target: Key
  /** Undefined: there are none any more. */
  readonly texts: readonly string[] | undefined
}

/** The table of an index in memory. */
export class MemoryLinks implements LinkTable {
  readonly #from = new Map<Key, Map<Key, readonly string[]>>()
  readonly #to = new Map<Key, Map<Key, readonly string[]>>()

  linksFrom(source: Key): LinkTexts {
    return this.#from.get(source) ?? NO_LINKS
  }

  linksTo(target: Key): LinkTexts {
    return this.#to.get(target) ?? NO_LINKS
  }

  apply(changes: Iterable<LinkChange>): void {
    for (const { source, target, texts } of changes) {
      set(this.#from, source, target, texts)
      set(this.#to, target, source, texts)
    }
  }
}

function set(
  ends: Map<Key, Map<Key, readonly string[]>>,
  end: Key,
  other: Key,
  texts: readonly string[] | undefined,
): void {
  let links = ends.get(end)
  if (texts !== undefined) {
    if (links === undefined) {
      links = new Map()
      ends.set(end, links)
    }
    links.set(other, texts)
  } else if (links?.delete(other) && links.size === 0) ends.delete(end)
}
