/**
 * The frontier of an index, and how it changes: a change is made before it is durable, and taken back if it does not
 * become so. Rows of an earlier process are read when they are needed; a write does not need them, the catalog finds
 * the pages of its keys by itself.
 *
 * I1  A page that waits is no document of the index.
 * I2  What is loaded is what the catalog has, but for a change under way and rows that are damaged.
 */

import type { Key } from '../base/keys.js'
import type { Step } from '../base/step.js'
import { finish, inTurns, Pauses, type Steps } from '../base/turns.js'
import { type FrontierPage, joinAnchors, type PageNews, pageOfRow } from './frontier-page.js'
import { FrontierPages } from './frontier-pages.js'
import { Lessons } from './lessons.js'

/** Where pages come from that an earlier process left. */
export interface FrontierSource {
  /** Grows with every change. */
  readonly version: number
  /** Pages that wait. */
  size(): number
  rows(portion: number): Iterable<readonly (readonly unknown[])[]>
  lessons(): unknown
}

/** A change of the frontier. Rows are undefined when nothing changes. */
export type FrontierStep = Step<FrontierRows | undefined>

export interface AddReport {
  readonly added: number
  /** Known to the frontier before. */
  readonly updated: number
  /** Documents of the index, and so not added. */
  readonly known: number
}

export interface FrontierStats {
  /** Pages that wait to be fetched. */
  readonly pages: number
  /**
   * Pages that were fetched, and whose scores will be learnt from. Like all below 0 until the frontier is first used:
   * it is read then.
   */
  readonly fetched: number
  /** Pages learnt from so far. */
  readonly learnt: number
  readonly memoryBytes: number
  /** Rows that could not be read. */
  readonly damagedRows: number
}

/** Rows taken over before the event loop has its turn. */
const PORTION = 1024
/** Fetched pages that are kept to learn from: those after them take the place of the oldest. */
const MAX_FETCHED = 1000

const NOTHING: FrontierStep = { rows: undefined, undo: () => {} }

export class FrontierState {
  readonly pages = new FrontierPages()
  readonly #source: FrontierSource | undefined
  /** The version of the source that this state shows. */
  readonly version: number
  #lessons = new Lessons()
  #isLoaded: boolean
  #loading: Promise<void> | undefined
  #isSourceEmpty: boolean | undefined
  /** Numbers that the catalog has and nobody wants any more. */
  #unwanted: number[] = []
  #damagedRows = 0

  constructor(source: FrontierSource | undefined) {
    this.#source = source
    this.version = source?.version ?? 0
    this.#isLoaded = source === undefined
  }

  get lessons(): Lessons {
    return this.#lessons
  }

  /** Pages that wait. */
  get size(): number {
    return this.#isLoaded ? this.pages.size : (this.#source as FrontierSource).size()
  }

  get stats(): FrontierStats {
    return {
      pages: this.size,
      fetched: this.pages.fetched.length,
      learnt: this.#lessons.pages,
      memoryBytes: this.#isLoaded ? this.pages.memoryBytes + this.#lessons.memoryBytes : 0,
      damagedRows: this.#damagedRows,
    }
  }

  /** With pauses. REQUIRES, where anybody writes: it is part of a turn. */
  async load(): Promise<void> {
    if (this.#isLoaded) return
    this.#loading ??= this.#take(this.#source as FrontierSource)
    try {
      await this.#loading
    } finally {
      this.#loading = undefined
    }
  }

  async #take(source: FrontierSource): Promise<void> {
    this.#damagedRows = 0
    const pauses = new Pauses()
    for (const portion of source.rows(PORTION)) {
      for (const values of portion) {
        if (pauses.isDue) await pauses.pause()
        const page = pageOfRow(values)
        const other = page && this.pages.find(page.url)
        if (page === undefined || (other !== undefined && other.id !== page.id)) this.#damagedRows++
        else this.pages.set(page)
      }
      await pauses.pause()
      await inTurns(this.pages.index.merging(), pauses, { perLook: 1 })
    }
    this.#lessons = Lessons.unpack(source.lessons() ?? new Uint8Array()) ?? new Lessons()
    this.#forgetOldest()
    this.#isLoaded = true
  }

  /** In steps. REQUIRES: loaded, and nobody else changes the pages until all steps are done. */
  *adding(
    news: readonly PageNews[],
    atMs: number,
    isDocument: (url: string) => boolean,
  ): Steps<FrontierStep & AddReport> {
    const report = { added: 0, updated: 0, known: 0 }
    const step = yield* this.#changing(news, (changes, { url, anchors, inlinks }) => {
      const known = this.pages.find(url)
      if (isDocument(url)) {
        report.known++
      } else if (known?.fetchedMs === undefined && known !== undefined) {
        report.updated++
        changes.set({ ...known, anchors: joinAnchors(known.anchors, anchors), inlinks: inlinks ?? known.inlinks })
      } else {
        report.added++
        const id = known?.id ?? this.pages.newNumber()
        changes.set({
          id,
          url,
          anchors: joinAnchors('', anchors),
          inlinks: inlinks ?? 0,
          addedMs: atMs,
          fetchedMs: undefined,
        })
      }
    })
    return { ...report, ...step }
  }

  /** Gives how many were there, in steps. REQUIRES: as above. */
  *removing(urls: readonly string[]): Steps<FrontierStep & { readonly removed: number }> {
    let removed = 0
    const step = yield* this.#changing(urls, (changes, url) => {
      const known = this.pages.find(url)
      if (known === undefined || known.fetchedMs !== undefined) return
      changes.delete(url)
      removed++
    })
    return { removed, ...step }
  }

  /** All of it, or nothing, in steps: what throws half-way leaves no trace. */
  *#changing<Item>(items: readonly Item[], take: (changes: PageChanges, item: Item) => void): Steps<FrontierStep> {
    const changes = new PageChanges(this.pages)
    try {
      for (const [nth, item] of items.entries()) {
        take(changes, item)
        // The index must not have to sort much at once.
        if ((nth + 1) % PORTION === 0) yield* this.pages.index.merging()
        yield
      }
      return yield* this.#stepping(changes)
    } catch (error) {
      changes.undo()
      throw error
    }
  }

  /**
   * Documents with these keys are being written, and links of theirs lead to other pages. REQUIRES: loaded, if any page
   * is found; none of them is a document.
   */
  written(keys: readonly Key[], found: readonly PageNews[], atMs: number): FrontierStep {
    const fetched = this.fetched(keys, atMs)
    if (found.length === 0) return fetched
    const added = finish(this.adding(found, atMs, () => false))
    const [one, other] = [fetched.rows, added.rows]
    return {
      rows:
        one === undefined || other === undefined
          ? (one ?? other)
          : { ...one, removed: [...one.removed, ...other.removed], put: [...one.put, ...other.put] },
      undo: () => {
        added.undo()
        fetched.undo()
      },
    }
  }

  /** Documents with these keys are being written. */
  fetched(keys: readonly Key[], atMs: number): FrontierStep {
    const urls = keys.filter((key) => typeof key === 'string')
    if (!this.#isLoaded) {
      this.#isSourceEmpty ??= (this.#source as FrontierSource).size() === 0
      if (this.#isSourceEmpty || urls.length === 0) return NOTHING
      return { rows: rowsOf({ fetched: urls, fetchedMs: atMs }), undo: () => {} }
    }
    const changes = new PageChanges(this.pages)
    const known = urls.filter((url) => this.pages.find(url)?.fetchedMs === undefined && this.pages.find(url))
    if (known.length === 0) return NOTHING
    for (const url of known) changes.set({ ...(this.pages.find(url) as FrontierPage), fetchedMs: atMs })
    for (const number of this.pages.fetched.slice(0, -MAX_FETCHED))
      changes.delete(this.pages.page(number)?.url as string)
    return this.#stepOf(changes, { fetched: known, fetchedMs: atMs })
  }

  /** What these pages, fetched before, have taught is in the lessons now, in steps. REQUIRES: as above. */
  *learning(numbers: readonly number[], lessons: Lessons): Steps<FrontierStep> {
    const changes = new PageChanges(this.pages)
    for (const number of numbers) {
      const page = this.pages.page(number)
      if (page?.fetchedMs !== undefined) changes.delete(page.url)
      yield
    }
    const before = this.#lessons
    this.#lessons = lessons
    const { rows, undo } = yield* this.#stepping(changes, { lessons: lessons.pack() })
    return {
      rows,
      undo: () => {
        this.#lessons = before
        undo()
      },
    }
  }

  #stepOf(changes: PageChanges, more: Partial<FrontierRows> = {}): FrontierStep {
    return finish(this.#stepping(changes, more))
  }

  *#stepping(changes: PageChanges, more: Partial<FrontierRows> = {}): Steps<FrontierStep> {
    const { put, removed } = yield* changes.rows()
    const unwanted = this.#unwanted
    if (put.length + removed.length === 0 && Object.keys(more).length === 0) return NOTHING
    this.#unwanted = []
    return {
      rows: rowsOf({ put, removed: [...unwanted, ...removed], ...more }),
      undo: () => {
        this.#unwanted = unwanted
        changes.undo()
      },
    }
  }

  #forgetOldest(): void {
    for (const number of this.pages.fetched.slice(0, -MAX_FETCHED)) {
      this.pages.delete(this.pages.page(number)?.url as string)
      this.#unwanted.push(number)
    }
  }
}

/** Changes of pages, as rows and as what was before. */
class PageChanges {
  readonly #pages: FrontierPages
  readonly #before = new Map<string, FrontierPage | undefined>()

  constructor(pages: FrontierPages) {
    this.#pages = pages
  }

  set(page: FrontierPage): void {
    this.#remember(page.url)
    this.#pages.set(page)
  }

  delete(url: string): void {
    this.#remember(url)
    this.#pages.delete(url)
  }

  /** A page whose fetching is all that changed is no row: the catalog knows by its URL. */
  *rows(): Steps<{ readonly put: readonly FrontierPage[]; readonly removed: readonly number[] }> {
    const put: FrontierPage[] = []
    const removed: number[] = []
    for (const [url, before] of this.#before) {
      const page = this.#pages.find(url)
      if (page === undefined && before !== undefined) removed.push(before.id)
      else if (page !== undefined && page.fetchedMs === undefined) put.push(page)
      yield
    }
    return { put, removed }
  }

  undo(): void {
    for (const [url] of this.#before) this.#pages.delete(url)
    for (const page of this.#before.values()) if (page !== undefined) this.#pages.set(page)
  }

  #remember(url: string): void {
    if (!this.#before.has(url)) this.#before.set(url, this.#pages.find(url))
  }
}

function rowsOf(parts: Partial<FrontierRows>): FrontierRows {
  return { removed: [], put: [], fetched: [], fetchedMs: 0, lessons: undefined, ...parts }
}

/** What a write, or a change of the frontier, changes. Done in this order. */
export interface FrontierRows {
  /** Numbers of rows that are no more. */
  readonly removed: readonly number[]
  readonly put: readonly FrontierPage[]
  /** Pages that have become documents; those that the frontier does not have are passed over. */
  readonly fetched: readonly string[]
  readonly fetchedMs: number
  /** Undefined: as they were. */
  readonly lessons: Uint8Array | undefined
}
