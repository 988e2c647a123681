/** The links of a damaged index: those of documents that are stored with them, else the rows that can be read. */
import type { Key } from '../../base/keys.js'
import { ALL_LINKS, readTexts } from '../../catalog/link-rows.js'
import type { LinkChange } from '../../links/link-table.js'
import { type LinkTexts, NO_LINKS, readLinks } from '../../links/page-links.js'
import { hasStoredLinks, type OpenSettings } from '../../options/index-settings.js'
import type { SalvageSource } from './source.js'

export class SalvagedLinks {
  readonly #settings: OpenSettings
  readonly #rows = new Map<Key, Map<Key, readonly string[]>>()

  constructor(source: SalvageSource, settings: OpenSettings) {
    this.#settings = settings
    for (const [, from, to, stored] of source.rows(`${ALL_LINKS} LIMIT 1`, 'link')) {
      const texts = readTexts(stored)
      if (texts === undefined || !isKey(from) || !isKey(to)) {
        source.problems.push('a link is damaged')
        continue
      }
      const links = this.#rows.get(from)
      if (links === undefined) this.#rows.set(from, new Map([[to, texts]]))
      else links.set(to, texts)
    }
  }

  /** The links of a document, as news for a table that has none of it. `document`: where its stored form is intact. */
  of(key: Key, document?: object): LinkChange[] {
    return Array.from(this.#linksOf(key, document), ([target, texts]) => ({ source: key, target, texts }))
  }

  #linksOf(key: Key, document: object | undefined): LinkTexts {
    const { links } = this.#settings
    if (document !== undefined && links !== undefined && hasStoredLinks(this.#settings)) {
      try {
        return readLinks(document, links.property, key)
      } catch {
        // A patch cannot have stored anything else, but somebody else may have written the row.
      }
    }
    return this.#rows.get(key) ?? NO_LINKS
  }
}

function isKey(value: unknown): value is Key {
  return typeof value === 'string' || typeof value === 'number'
}
