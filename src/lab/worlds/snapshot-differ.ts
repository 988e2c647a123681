/** Whole snapshots, one after the other, into what each changed. Of the last snapshot it keeps a digest a page, no text. */
import { createHash } from 'node:crypto'
import type { WorldPage, WorldStep } from '../world.js'

export class SnapshotDiffer {
  #before = new Map<string, string>()
  #now = new Map<string, string>()
  readonly #versions = new Map<string, WorldPage>()

  /** The page is there, like this. Said twice of one address, the later word counts. */
  see(page: WorldPage): void {
    const digest = digestOf(page)
    this.#now.set(page.url, digest)
    if (this.#before.get(page.url) === digest) this.#versions.delete(page.url)
    else this.#versions.set(page.url, page)
  }

  /** The page is as it was in the last snapshot; nothing is said if it was not there. */
  keep(url: string): void {
    const digest = this.#before.get(url)
    this.#versions.delete(url)
    if (digest === undefined) this.#now.delete(url)
    else this.#now.set(url, digest)
  }

  /** The page is not there, whatever was said before. */
  lose(url: string): void {
    this.#now.delete(url)
    this.#versions.delete(url)
  }

  has(url: string): boolean {
    return this.#now.has(url)
  }

  /** Ends the snapshot and begins the next one, in which nothing is there yet. */
  end(atMs: number): WorldStep {
    const gone = [...this.#before.keys()].filter((url) => !this.#now.has(url))
    const versions = [...this.#versions.values()]
    this.#before = this.#now
    this.#now = new Map()
    this.#versions.clear()
    return { atMs, versions, gone }
  }
}

function digestOf({ title, text }: WorldPage): string {
  return createHash('sha256')
    .update(JSON.stringify([title, text]))
    .digest('base64')
}
