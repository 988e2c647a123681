/**
 * Reads feeds: RSS 2.0 and its predecessors, Atom, and RSS 1.0, which is RDF. Each entry yields the page that it links
 * to, and all its dates: when it was published, and when it was changed.
 */

import { InputFault } from './source-text.js'
import { absolute, type EntryFinder, entriesOf, type XmlElement } from './xml-elements.js'

export interface FeedEntry {
  /** A complete URL wherever the base of a relative one is known; undefined where nothing is linked. */
  readonly url: string | undefined
  /** The dates as they are written. */
  readonly dates: readonly string[]
}

const ATOM = ['http://www.w3.org/2005/Atom', 'http://purl.org/atom/ns#']
const DUBLIN_CORE = ['http://purl.org/dc/elements/1.1/', 'http://purl.org/dc/terms/']
const OWN_DATES = ['pubDate', 'updated', 'published', 'modified', 'issued']
const FOREIGN_DATES = ['date', 'updated', 'published', 'modified', 'issued', 'created']

/** The most dates that are kept of one entry. */
const MAX_DATES = 16

/** How deep entries are, and what they are called. */
const FORMATS: Readonly<Record<string, { readonly depth: number; readonly local: string }>> = {
  rss: { depth: 2, local: 'item' },
  RDF: { depth: 1, local: 'item' },
  feed: { depth: 1, local: 'entry' },
}

export function readFeed(chunks: AsyncIterable<string>): AsyncGenerator<FeedEntry> {
  return entriesOf(chunks, new FeedFinder())
}

interface Link {
  readonly address: string
  readonly base: string | undefined
}

class FeedFinder implements EntryFinder<FeedEntry> {
  #found: FeedEntry[] = []
  /** Entries with a relative URL. The URL of the feed, which completes it, may come behind them. */
  #incomplete: { readonly link: Link; readonly dates: readonly string[] }[] = []
  #entry = { depth: 0, local: '' }
  #link: Link | undefined
  /** The substitute for a missing link: a guid, or what an RDF item is about. */
  #name: Link | undefined
  #dates: string[] = []
  /** The page that the feed belongs to. */
  #home: string | undefined

  opened(element: XmlElement): boolean {
    if (element.depth === 0) this.#begin(element)
    if (this.#isEntry(element)) {
      this.#link = undefined
      this.#name = nameOf(element.attributes.get('rdf:about'), element)
      this.#dates = []
    }
    const { parent } = element
    if (parent === undefined) return false
    if (this.#isEntry(parent)) return isLink(element, parent) || isGuid(element, parent) || isDate(element, parent)
    return isHome(parent) && isLink(element, parent)
  }

  closed(element: XmlElement, text: string): void {
    const { parent } = element
    if (this.#isEntry(element)) this.#add()
    if (parent === undefined) return
    if (this.#isEntry(parent)) {
      if (isLink(element, parent)) this.#link ??= linkOf(addressOf(element, text), element)
      else if (isGuid(element, parent)) this.#name ??= nameOf(text, element)
      else if (isDate(element, parent) && this.#dates.length < MAX_DATES) this.#dates.push(text.trim())
    } else if (isHome(parent) && isLink(element, parent)) {
      this.#home ??= absolute(addressOf(element, text)?.trim() ?? '', element.base)
    }
  }

  taken(): FeedEntry[] {
    const found = this.#found
    this.#found = []
    return found
  }

  ended(): void {
    for (const { link, dates } of this.#incomplete)
      this.#found.push({ url: absolute(link.address, this.#home) ?? link.address, dates })
  }

  #begin({ local }: XmlElement): void {
    const entry = Object.hasOwn(FORMATS, local) ? FORMATS[local] : undefined
    if (entry === undefined) throw new InputFault(`a feed begins with <rss>, <rdf:RDF> or <feed>, received <${local}>`)
    this.#entry = entry
  }

  #isEntry({ depth, local }: XmlElement): boolean {
    return depth === this.#entry.depth && local === this.#entry.local
  }

  #add(): void {
    const [link, dates] = [this.#link ?? this.#name, this.#dates]
    const url = link && absolute(link.address, link.base)
    if (link !== undefined && url === undefined) this.#incomplete.push({ link, dates })
    else this.#found.push({ url, dates })
  }
}

/** The element that names the page of the feed. */
function isHome({ depth, local }: XmlElement): boolean {
  return local === 'channel' ? depth === 1 : local === 'feed' && depth === 0
}

/** A link to the page itself, not one of the other relations of Atom. */
function isLink({ namespace, local, attributes }: XmlElement, parent: XmlElement): boolean {
  return local === 'link' && namespace === parent.namespace && (attributes.get('rel') ?? 'alternate') === 'alternate'
}

/** A guid is a permanent link unless it says otherwise. */
function isGuid({ namespace, local, attributes }: XmlElement, parent: XmlElement): boolean {
  return local === 'guid' && namespace === parent.namespace && attributes.get('isPermaLink') !== 'false'
}

function isDate({ namespace, local }: XmlElement, parent: XmlElement): boolean {
  if (namespace === parent.namespace) return OWN_DATES.includes(local)
  return [...DUBLIN_CORE, ...ATOM].includes(namespace) && FOREIGN_DATES.includes(local)
}

/** RSS has the address as text, Atom as an attribute. */
function addressOf({ attributes }: XmlElement, text: string): string | undefined {
  return attributes.get('href') ?? text
}

function linkOf(address: string | undefined, { base }: XmlElement): Link | undefined {
  const trimmed = address?.trim() ?? ''
  return trimmed === '' ? undefined : { address: trimmed, base }
}

/** Identifiers are often no addresses but numbers or tag: URIs. */
function nameOf(name: string | undefined, element: XmlElement): Link | undefined {
  return /^\s*https?:\/\//i.test(name ?? '') ? linkOf(name, element) : undefined
}
