/**
 * The frontier in memory: pages by number and by URL, and the index that finds those matching a query. Numbers are
 * small and reused, but not while a cycle holds them across its pauses.
 */
import { anchorsOf, type FrontierPage, inlinksOf } from './frontier-page.js'
import { NgramIndex } from './impact/ngram-index.js'
import { makePageNgrams, NgramMaker } from './impact/ngrams.js'

/** Memory of a page besides its texts and n-grams: an object, and entries of a map and of a list. */
const PAGE_BYTES = 160

export class FrontierPages {
  /** The n-grams of the pages that wait. */
  readonly index = new NgramIndex()
  readonly #pages: (FrontierPage | undefined)[] = []
  /** Inlinks by page number, so that the best of many pages are found without reading each page. */
  #inlinks = new Float64Array()
  /** By page number: at which change of all it was last set or removed. */
  #changeOf = new Float64Array()
  #changes = 0
  readonly #numbers = new Map<string, number>()
  readonly #fetched = new Set<number>()
  readonly #free: number[] = []
  readonly #maker = new NgramMaker()
  /** Sorted in descending order, the lowest is taken first: numbers do not depend on the order of removals. */
  #isFreeSorted = true
  #holders = 0
  #textUnits = 0

  /** Pages that wait to be fetched. */
  get size(): number {
    return this.#numbers.size - this.#fetched.size
  }

  /** No page has this number or a higher one. */
  get end(): number {
    return this.#pages.length
  }

  get memoryBytes(): number {
    const columns = this.#inlinks.byteLength + this.#changeOf.byteLength
    return this.index.memoryBytes + columns + this.#textUnits + this.#numbers.size * PAGE_BYTES
  }

  /** Pages that were fetched and not yet learnt from, oldest first. */
  get fetched(): readonly number[] {
    const fetchedMs = (number: number) => this.#pages[number]?.fetchedMs ?? 0
    return [...this.#fetched].sort((a, b) => fetchedMs(a) - fetchedMs(b) || a - b)
  }

  /** Grows with every page that is set or removed. */
  get changes(): number {
    return this.#changes
  }

  /** The value of `changes` since which the page of this number is as it is. */
  changeOf(number: number): number {
    return this.#changeOf[number] ?? 0
  }

  page(number: number): FrontierPage | undefined {
    return this.#pages[number]
  }

  /** The inlinks of a page; any number where there is no page. */
  inlinks(number: number): number {
    return this.#inlinks[number] as number
  }

  /** The page, if it waits to be fetched. */
  waiting(number: number): FrontierPage | undefined {
    const page = this.#pages[number]
    return page?.fetchedMs === undefined ? page : undefined
  }

  find(url: string): FrontierPage | undefined {
    const number = this.#numbers.get(url)
    return number === undefined ? undefined : this.#pages[number]
  }

  /** The lowest free number; while numbers are held, the first one behind all pages. */
  newNumber(): number {
    if (!this.#isFreeSorted) this.#free.sort((a, b) => b - a)
    this.#isFreeSorted = true
    while (this.#holders === 0 && this.#free.length > 0) {
      const free = this.#free.pop() as number
      // A page has its number again if its removal was undone.
      if (this.#pages[free] === undefined) return free
    }
    return this.#pages.length
  }

  /** No number is given to another page until the function that this returns is called. */
  hold(): () => void {
    this.#holders++
    return () => {
      this.#holders--
    }
  }

  /** Adds or replaces the page of a URL. REQUIRES: its number is that of the URL's page, or newNumber(). */
  set(page: FrontierPage): void {
    const before = this.find(page.url)
    if (before !== undefined) this.#takeOut(before)
    while (this.#pages.length < page.id) this.#setFree(this.#pages.push(undefined) - 1)
    this.#pages[page.id] = page
    this.#keepInlinks(page)
    this.#noteChange(page.id)
    this.#numbers.set(page.url, page.id)
    this.#textUnits += page.url.length + page.anchors.length
    if (page.fetchedMs === undefined) this.index.add(page.id, makePageNgrams(this.#maker, page.url, anchorsOf(page)))
    else this.#fetched.add(page.id)
  }

  delete(url: string): void {
    const page = this.find(url)
    if (page === undefined) return
    this.#takeOut(page)
    this.#pages[page.id] = undefined
    this.#numbers.delete(url)
    this.#noteChange(page.id)
    this.#setFree(page.id)
  }

  #keepInlinks(page: FrontierPage): void {
    this.#inlinks = withPlace(this.#inlinks, page.id)
    this.#inlinks[page.id] = inlinksOf(page)
  }

  #noteChange(number: number): void {
    this.#changeOf = withPlace(this.#changeOf, number)
    this.#changeOf[number] = ++this.#changes
  }

  #setFree(number: number): void {
    this.#free.push(number)
    this.#isFreeSorted = false
  }

  #takeOut({ id, url, anchors }: FrontierPage): void {
    this.index.remove(id)
    this.#fetched.delete(id)
    this.#textUnits -= url.length + anchors.length
  }
}

/** The column with room for this number, half as long again where it has to grow. */
function withPlace(column: Float64Array<ArrayBuffer>, number: number): Float64Array<ArrayBuffer> {
  if (number < column.length) return column
  const longer = new Float64Array(Math.max(number + 1, 64, Math.ceil(1.5 * column.length)))
  longer.set(column)
  return longer
}
