/** The frontier of a damaged index, as far as its rows can be read: see salvaged-refresh.ts. */
import { FRONTIER_COLUMNS, type FrontierCommit, type StoredFrontierPage } from '../catalog/frontier-rows.js'
import { pageOfRow } from '../discovery/frontier-page.js'
import { Lessons } from '../discovery/lessons.js'
import type { Key } from '../documents.js'
import type { SalvageSource } from './salvage-source.js'

/** Pages of one commit. */
const PORTION = 1000

export class SalvagedFrontier {
  readonly pages = { kept: 0, lost: 0 }
  readonly lessons = { kept: 0, lost: 0 }
  readonly #source: SalvageSource
  readonly #isThere: boolean

  constructor(source: SalvageSource) {
    this.#source = source
    this.#isThere = source.columnsOf('frontier').size > 0
  }

  /** Everything, in portions. A page that waits must be no document of the new index. */
  *commits(isDocument: (key: Key) => boolean): Generator<FrontierCommit> {
    if (!this.#isThere) return
    const lessons = this.#lessons()
    if (lessons !== undefined) yield { ...NOTHING, lessons }
    let put: StoredFrontierPage[] = []
    for (const page of this.#sound(isDocument)) {
      put.push(page)
      if (put.length < PORTION) continue
      yield { ...NOTHING, put }
      put = []
    }
    if (put.length > 0) yield { ...NOTHING, put }
  }

  *#sound(isDocument: (key: Key) => boolean): Generator<StoredFrontierPage> {
    const urls = new Set<string>()
    const text = `SELECT ${FRONTIER_COLUMNS} FROM frontier WHERE id > ? ORDER BY id LIMIT 1`
    for (const values of this.#source.rows(text, 'page of the frontier')) {
      const page = pageOfRow(values)
      const isSound =
        page !== undefined && !urls.has(page.url) && (page.fetchedMs !== undefined || !isDocument(page.url))
      this.pages[isSound ? 'kept' : 'lost']++
      if (!isSound) continue
      urls.add(page.url)
      yield page
    }
    if (this.pages.lost > 0) this.#source.problems.push(`${this.pages.lost} pages of the frontier make no sense`)
  }

  /** Undefined when there are none. */
  #lessons(): Uint8Array | undefined {
    const what = 'what was learnt from the frontier'
    const row = this.#source.lookup('SELECT lessons FROM frontier_state', what)()
    const bytes = row?.[0]
    if (bytes instanceof Uint8Array && bytes.length === 0) return undefined
    const isSound = Lessons.unpack(bytes) !== undefined
    this.lessons[isSound ? 'kept' : 'lost']++
    if (!isSound) this.#source.problems.push(`${what} is damaged`)
    return isSound ? (bytes as Uint8Array) : undefined
  }
}

const NOTHING: FrontierCommit = { removed: [], put: [], fetched: [], fetchedMs: 0, lessons: undefined }
