/**
 * Whole snapshots, one after the other, into what each changed. Of the last snapshot it keeps a digest a page, no text.
 */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { readPageVersions, readWeekTimes } from './page-versions.js'
import { PAGES_FILE } from './snapshot-format.js'
import { damaged, type World, type WorldPage, type WorldStep } from './world.js'

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

/**
 * The world of a snapshot folder, told from its files as they are read: memory holds one step. Every week of
 * weeks.tsv is a step, also one without a change.
 */
export function snapshotFolderWorld(folder: string): World {
  return { [Symbol.asyncIterator]: () => tell(folder) }
}

async function* tell(folder: string): AsyncGenerator<WorldStep> {
  const times = await readWeekTimes(folder)
  let week = 0
  let step = newStep(times, week)
  for await (const version of readPageVersions(folder)) {
    if (version.week >= times.length) {
      throw damaged(
        path.join(folder, PAGES_FILE),
        `week ${version.week} is not among the ${times.length} weeks of weeks.tsv`,
      )
    }
    while (week < version.week) {
      yield step
      step = newStep(times, ++week)
    }
    if (version.page === undefined) step.gone.push(version.url)
    else step.versions.push(version.page)
  }
  yield step
  while (++week < times.length) yield newStep(times, week)
}

function newStep(times: readonly number[], week: number): { atMs: number; versions: WorldPage[]; gone: string[] } {
  return { atMs: times[week]!, versions: [], gone: [] }
}
