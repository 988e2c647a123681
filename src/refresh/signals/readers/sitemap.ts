/**
 * Reads sitemaps (sitemaps.org, version 0.9): the pages of a `urlset` with their `lastmod`, or the further sitemaps of
 * a `sitemapindex`. Extensions for images, news, videos and languages have elements of other namespaces, which are
 * ignored.
 */

import { InputFault } from './source-text.js'
import { type EntryFinder, entriesOf, type XmlElement } from './xml-elements.js'

export interface SitemapEntry {
  /** A page, or one more sitemap. */
  readonly what: 'page' | 'sitemap'
  /** Undefined where nothing is named. */
  readonly url: string | undefined
  /** As it stands. */
  readonly lastmod: string | undefined
}

const CHILDREN: Readonly<Record<string, { readonly local: string; readonly what: SitemapEntry['what'] }>> = {
  urlset: { local: 'url', what: 'page' },
  sitemapindex: { local: 'sitemap', what: 'sitemap' },
}

export function readSitemap(chunks: AsyncIterable<string>): AsyncGenerator<SitemapEntry> {
  return entriesOf(chunks, new SitemapFinder())
}

class SitemapFinder implements EntryFinder<SitemapEntry> {
  #found: SitemapEntry[] = []
  #namespace = ''
  #child = { local: '', what: 'page' as SitemapEntry['what'] }
  #url: string | undefined
  #lastmod: string | undefined

  opened(element: XmlElement): boolean {
    const { depth, parent } = element
    if (depth === 0) this.#begin(element)
    if (depth === 1) [this.#url, this.#lastmod] = [undefined, undefined]
    return depth === 2 && this.#isEntry(parent as XmlElement) && this.#isOwn(element, 'loc', 'lastmod')
  }

  closed(element: XmlElement, text: string): void {
    if (element.depth === 1 && this.#isEntry(element))
      this.#found.push({ what: this.#child.what, url: this.#url, lastmod: this.#lastmod })
    if (element.depth !== 2 || !this.#isEntry(element.parent as XmlElement)) return
    if (this.#isOwn(element, 'loc')) this.#url ??= text.trim()
    if (this.#isOwn(element, 'lastmod')) this.#lastmod ??= text.trim()
  }

  taken(): SitemapEntry[] {
    const found = this.#found
    this.#found = []
    return found
  }

  ended(): void {}

  #begin({ local, namespace }: XmlElement): void {
    const child = Object.hasOwn(CHILDREN, local) ? CHILDREN[local] : undefined
    if (child === undefined)
      throw new InputFault(`a sitemap begins with <urlset> or <sitemapindex>, received <${local}>`)
    this.#child = child
    this.#namespace = namespace
  }

  #isEntry(element: XmlElement): boolean {
    return this.#isOwn(element, this.#child.local)
  }

  /** Whether the element is in the namespace of the root. */
  #isOwn({ namespace, local }: XmlElement, ...names: readonly string[]): boolean {
    return namespace === this.#namespace && names.includes(local)
  }
}
