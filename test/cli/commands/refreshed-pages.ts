/** Indexes with a workload and a history, for the commands that tell of refreshes. */
import { cpSync } from 'node:fs'
import { Freshdex, type RefreshExplanation } from 'freshdex'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { PAGES, Workplace } from '../program.js'

export const DAY_MS = 86_400_000
export const START = Date.UTC(2026, 10, 1)
/** The page that changed: the query "ferry" finds it now. */
export const CHANGED = { url: '/harbour', title: 'The harbour', body: 'Boats of all sizes, and the ferry.' }

/** Every test of the file has an index of its own. */
export function newPagesForEach(): RefreshedPages {
  const pages = new RefreshedPages()
  beforeAll(() => pages.make())
  beforeEach(() => pages.copy())
  afterAll(() => pages.place.remove())
  return pages
}

class RefreshedPages {
  readonly place = new Workplace()
  #copies = 0

  /** The index: three pages of November 1st, a workload of two queries, and a change of one page on the 4th. */
  async make(): Promise<void> {
    const index = await Freshdex.open<(typeof PAGES)[number]>(this.place.path('original'), {
      key: 'url',
      fields: { title: { boost: 2 }, body: {} },
      analyzer: 'english',
    })
    await index.write({ put: PAGES }, { at: START })
    index.workload.record('ferry', { count: 40 })
    index.workload.record('market day', { count: 5 })
    await index.write({ put: [CHANGED] }, { at: START + 3 * DAY_MS })
    await index.close()
  }

  /** Nobody has the original open, so that its files are all of it. */
  copy(): void {
    this.#copies++
    cpSync(this.place.path('original'), this.place.path(this.name), { recursive: true })
  }

  /** What the library says of the newest index, to compare with what the program prints. */
  async ask<T>(question: (index: Freshdex<Record<string, unknown>>) => T | Promise<T>): Promise<T> {
    const index = await Freshdex.open<Record<string, unknown>>(this.place.path(this.name), { readOnly: true })
    try {
      return await question(index)
    } finally {
      await index.close()
    }
  }

  explained(key: string): Promise<RefreshExplanation | undefined> {
    return this.ask((index) => index.refresh.explain(key))
  }

  /** Of the newest index, as the program is told it. */
  get name(): string {
    return `pages-${this.#copies}`
  }
}
