/** A page of the frontier: what is known about it, as the user gives it, and as a row of the catalog. */
import { MAX_AMOUNT } from '../base/amounts.js'
import { isAmount, isCount, numberOption, readOptions } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { hostOf } from '../base/hosts.js'
import { requireKey } from '../base/keys.js'
import { MAX_TIME_MS } from '../base/time.js'
import type { FoundLinks } from '../engine.js'
import type { PageClues } from './impact/expected-score.js'
import { anchorNgrams, MAX_ANCHORS, urlNgrams } from './impact/ngrams.js'
import type { Lessons } from './lessons.js'

/** A link, or several, to a page that the index may not have. */
export interface FoundPage {
  /** The key that the page's document will have: a URL, or a path that begins with '/'. */
  readonly url: string
  /** The texts of links that lead to the page. */
  readonly anchors?: readonly string[]
  /** How many links lead to the page. The number of known anchors counts if that is more. */
  readonly inlinks?: number
}

export interface FrontierPage {
  readonly id: number
  readonly url: string
  /** Texts of links, with line feeds between them. */
  readonly anchors: string
  readonly inlinks: number
  readonly addedMs: number
  /** When the page's document was written; undefined while the page waits. */
  readonly fetchedMs: number | undefined
}

/** A found page, checked. */
export interface PageNews {
  readonly url: string
  readonly anchors: readonly string[]
  /** Undefined: as before. */
  readonly inlinks: number | undefined
}

/** The most distinct anchors that are kept of a page. */
const MAX_KEPT_ANCHORS = 1000
/** The most UTF-16 units of all anchors of a page together. */
const MAX_ANCHOR_UNITS = 64 * 1024
/** The most UTF-16 units of one anchor. */
const MAX_UNITS = 1000

export function readFoundPage(value: unknown): PageNews {
  if (typeof value !== 'object' || value === null)
    throw new TypeError(`a page must be { url, anchors, inlinks }, received ${describe(value)}`)
  const { url, anchors, inlinks } = readOptions('page', value, ['url', 'anchors', 'inlinks'])
  const range = { min: 0, max: MAX_AMOUNT, integer: true }
  return {
    url: requireUrl(url),
    anchors: readAnchors(anchors),
    inlinks: inlinks === undefined ? undefined : numberOption('inlinks', inlinks, 0, range),
  }
}

/** What links say of pages that nobody has fetched. A key that is no address cannot be fetched: it is left out. */
export function foundPages(found: readonly FoundLinks[]): PageNews[] {
  return found.flatMap(({ key, texts, links }) =>
    typeof key === 'string' && isAddress(key) ? [{ url: key, anchors: readAnchors(texts), inlinks: links }] : [],
  )
}

/** Returns a valid address as it is. A page is fetched from its key, so the key must be an address. */
export function requireUrl(url: unknown): string {
  if (typeof url !== 'string') throw new TypeError(`url must be a string, received ${describe(url)}`)
  if (!isAddress(url))
    throw new TypeError(`url must be a URL or a path that begins with '/', received ${describe(url)}`)
  return requireKey(url) as string
}

function isAddress(url: string): boolean {
  return url.startsWith('/') || URL.canParse(url)
}

function readAnchors(value: unknown): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new TypeError(`anchors must be a list of texts, received ${describe(value)}`)
  const anchors = new AnchorList('')
  for (const anchor of value) {
    if (typeof anchor !== 'string') throw new TypeError(`anchors must be texts, received ${describe(anchor)}`)
    if (anchors.isFull) break
    anchors.add(anchor)
  }
  return anchors.toArray()
}

/** The known anchors and the new ones behind them, as far as there is room. */
export function joinAnchors(known: string, more: readonly string[]): string {
  const anchors = new AnchorList(known)
  for (const anchor of more) anchors.add(anchor)
  return anchors.toArray().join('\n')
}

/** The anchors of a page, one by one. */
export function anchorsOf({ anchors }: Pick<FrontierPage, 'anchors'>): string[] {
  return anchors === '' ? [] : anchors.split('\n')
}

class AnchorList {
  readonly #texts: Set<string>
  #units: number

  constructor(known: string) {
    this.#texts = new Set(anchorsOf({ anchors: known }))
    this.#units = known.length
  }

  get isFull(): boolean {
    return this.#texts.size >= MAX_KEPT_ANCHORS || this.#units >= MAX_ANCHOR_UNITS
  }

  /** Adds an anchor with its white space collapsed, so that it has no line feed. Blank anchors are left out. */
  add(anchor: string): void {
    const text = anchor
      .slice(0, MAX_UNITS)
      .replace(/\p{Surrogate}/gu, '\ufffd')
      .replace(/\s+/g, ' ')
      .trim()
    if (text === '' || this.#texts.has(text) || this.isFull) return
    if (this.#units + text.length > MAX_ANCHOR_UNITS) return
    this.#texts.add(text)
    this.#units += text.length + 1
  }

  toArray(): string[] {
    return [...this.#texts]
  }
}

/** Tables by page number are kept in memory, so a damaged number must not ask for one of any size. */
const MAX_PAGE_NUMBER = 2 ** 27

/** The page of a row of the catalog; undefined for a damaged row. */
export function pageOfRow(values: readonly unknown[]): FrontierPage | undefined {
  const [id, url, anchors, inlinks, addedMs, fetchedMs] = values
  const isSound =
    isCount(id, MAX_PAGE_NUMBER) &&
    typeof url === 'string' &&
    isSoundUrl(url) &&
    anchors instanceof Uint8Array &&
    anchors.length <= 4 * MAX_ANCHOR_UNITS &&
    isCount(inlinks) &&
    isAmount(addedMs, MAX_TIME_MS) &&
    (fetchedMs === null || isAmount(fetchedMs, MAX_TIME_MS))
  if (!isSound) return undefined
  const text = Buffer.from(anchors).toString('utf8')
  return { id, url, anchors: text, inlinks, addedMs, fetchedMs: fetchedMs ?? undefined }
}

function isSoundUrl(url: string): boolean {
  try {
    requireUrl(url)
    return true
  } catch {
    return false
  }
}

/** The number of links to the page: at least the number of known anchors. */
export function inlinksOf(page: FrontierPage): number {
  let anchors = page.anchors === '' ? 0 : 1
  for (let at = page.anchors.indexOf('\n'); at >= 0; at = page.anchors.indexOf('\n', at + 1)) anchors++
  return Math.max(page.inlinks, anchors)
}

/** The importance of a page without queries, from which the quadratic of query-independent.ts predicts its impact. */
export function importanceOf(page: FrontierPage): number {
  return Math.log1p(inlinksOf(page))
}

/** All that is known about a page before it is fetched. */
export function cluesOf(page: FrontierPage, lessons: Lessons): PageClues {
  return {
    ...featuresOfPage(page, lessons),
    urlNgrams: urlNgrams(page.url),
    anchorNgrams: anchorsOf(page)
      .slice(0, MAX_ANCHORS)
      .map((anchor) => anchorNgrams([anchor])),
  }
}

/** What is known about a page besides its texts. */
export function featuresOfPage(page: FrontierPage, lessons: Lessons): Omit<PageClues, 'urlNgrams' | 'anchorNgrams'> {
  const host = lessons.host(hostOf(page.url))
  return { url: page.url, inlinks: inlinksOf(page), hostPages: host.pages, hostMeanScore: host.meanScore }
}
