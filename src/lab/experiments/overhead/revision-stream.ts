/**
 * The revisions of a site as one stream without end: all of them in order, then taken back in reverse order, and so on.
 */

import { textBytes, type WeekHistory } from '../../worlds/page-versions.js'
import type { WorldPage } from '../../worlds/world.js'

const WRITE_PAGES = 500

interface Revision {
  readonly before: WorldPage
  readonly after: WorldPage
}

export class RevisionStream {
  /** The first version of every page, where the stream begins. */
  readonly first: readonly WorldPage[]
  readonly #revisions: readonly Revision[]
  #at = 0
  #isForward = true

  constructor({ weeks }: WeekHistory) {
    const current = new Map<string, WorldPage>()
    const first: WorldPage[] = []
    const revisions: Revision[] = []
    for (const after of weeks.flatMap(({ added, replaced }) => [...added, ...replaced])) {
      const before = current.get(after.url)
      if (before === undefined) first.push(after)
      else revisions.push({ before, after })
      current.set(after.url, after)
    }
    this.first = first
    this.#revisions = revisions
  }

  get revisions(): number {
    return this.#revisions.length
  }

  /** The next `bytes` of text or a little more, as writes of up to 500 pages in which no page comes twice. */
  take(bytes: number): WorldPage[][] {
    return this.#takeUntil(bytes, (page) => textBytes([page]))
  }

  /** The next `pages` revisions, in the same way. */
  takePages(pages: number): WorldPage[][] {
    return this.#takeUntil(pages, () => 1)
  }

  #takeUntil(amount: number, amountOf: (page: WorldPage) => number): WorldPage[][] {
    const writes: WorldPage[][] = []
    let urls = new Set<string>()
    for (let taken = 0; taken < amount; ) {
      const page = this.#next()
      if (writes.length === 0 || urls.size === WRITE_PAGES || urls.has(page.url)) {
        writes.push([])
        urls = new Set()
      }
      urls.add(page.url)
      writes.at(-1)!.push(page)
      taken += amountOf(page)
    }
    return writes
  }

  #next(): WorldPage {
    if (this.#isForward) {
      const page = this.#revisions[this.#at++]!.after
      this.#isForward = this.#at < this.#revisions.length
      return page
    }
    const page = this.#revisions[--this.#at]!.before
    this.#isForward = this.#at === 0
    return page
  }
}

/** Pages that no index has yet: those given, again and again under other addresses. */
export class NewPages {
  readonly #pages: readonly WorldPage[]
  #made = 0

  constructor(pages: readonly WorldPage[]) {
    this.#pages = pages
  }

  take(bytes: number): WorldPage[][] {
    const writes: WorldPage[][] = []
    for (let taken = 0; taken < bytes; ) {
      const page = this.#pages[this.#made % this.#pages.length]!
      const copy = { ...page, url: `${page.url}#copy${this.#made++}` }
      if (writes.length === 0 || writes.at(-1)!.length === WRITE_PAGES) writes.push([])
      writes.at(-1)!.push(copy)
      taken += textBytes([copy])
    }
    return writes
  }
}
