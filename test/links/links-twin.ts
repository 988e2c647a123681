/**
 * The naive twin of an index that reads links: all documents, and for each of them the links to it, looked up in all of
 * the others whenever somebody asks. The answers come from the naive index of the model test, to which the texts of
 * links are an ordinary field and their number an ordinary weight.
 */
import type { PageLink } from 'freshdex'
import { type NaiveConfig, type NaiveDocument, NaiveIndex, type NaiveKey } from '../model/naive-index.js'

export interface LinkingPage {
  readonly id: NaiveKey
  readonly body: string
  readonly out?: readonly PageLink[]
}

export class LinksTwin {
  readonly #documents = new Map<NaiveKey, LinkingPage>()
  readonly index: NaiveIndex

  constructor(config: NaiveConfig) {
    this.index = new NaiveIndex(config)
  }

  keys(): NaiveKey[] {
    return [...this.#documents.keys()]
  }

  document(key: NaiveKey): LinkingPage | undefined {
    return this.#documents.get(key)
  }

  /** Keys to which documents link, and that are none. */
  missing(): Set<NaiveKey> {
    const targets = [...this.#documents.values()].flatMap(({ out = [] }) => out.map(({ to }) => to))
    return new Set(targets.filter((key) => !this.#documents.has(key)))
  }

  /** The texts of the links to a key, those without words included, by the order of the linking keys. */
  linksTo(key: NaiveKey): string[] {
    const sources = this.keys().sort((a, b) => {
      if (typeof a === typeof b) return a < b ? -1 : 1
      return typeof a === 'number' ? -1 : 1
    })
    return sources.flatMap((source) => {
      const { out = [] } = this.#documents.get(source) as LinkingPage
      return out.filter(({ to }) => to === key).map(({ text }) => text ?? '')
    })
  }

  write(put: readonly LinkingPage[], remove: readonly NaiveKey[]): void {
    for (const document of put) this.#documents.set(document.id, document)
    for (const key of remove) {
      this.#documents.delete(key)
      this.index.remove(key)
    }
    for (const [key, document] of this.#documents) this.#index(key, document)
  }

  #index(key: NaiveKey, { body }: LinkingPage): void {
    const links = this.linksTo(key)
    const document: NaiveDocument = {
      id: key,
      body,
      anchors: links.filter((text) => text !== '').join('\n'),
      weight: links.length,
    }
    const known = this.index.document(key)
    const isSame = known !== undefined && Object.keys(document).every((name) => known[name] === document[name])
    if (!isSame) this.index.put(document)
  }
}
