/** Small snapshot folders: a generated site of a few weeks, with its queries and links, or parts of one gone wrong. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { GeneratedSite } from '../../../src/lab/worlds/generated-site.js'
import { GeneratedWorkload } from '../../../src/lab/worlds/generated-text.js'
import { writeSnapshotFolder } from '../../../src/lab/worlds/snapshot-writer.js'
import type { World, WorldPage, WorldStep } from '../../../src/lab/worlds/world.js'

const WEEK_MS = 7 * 86_400_000
const START_MS = Date.UTC(2026, 0, 4, 23, 59, 59)

export interface FolderOptions {
  readonly pages?: number
  readonly steps?: number
  /** Every step is as the first one. */
  readonly isStill?: boolean
}

export async function writeLabFolder(folder: string, options: FolderOptions = {}): Promise<void> {
  const { pages = 60, steps = 9, isStill = false } = options
  const site = new GeneratedSite(5, pages)
  const workload = new GeneratedWorkload(5, site.pages())
  const told: WorldStep[] = [{ atMs: START_MS, versions: site.pages().map(asPage), gone: [] }]
  for (let step = 1; step < steps; step++) {
    const { changed, added, gone, events } = site.advance()
    workload.add(events)
    const versions = isStill ? [] : [...changed, ...added].map(asPage)
    told.push({ atMs: START_MS + step * WEEK_MS, versions, gone: isStill ? [] : gone })
  }
  await writeSnapshotFolder(worldOf(told), folder)
  const queries = workload.queries.map(({ query, count }) => `${query}\t${count}\n`)
  writeFileSync(path.join(folder, 'queries.tsv'), queries.join(''))
  const urls = told[0]!.versions.map(({ url }) => url)
  const links = urls.flatMap((from, at) => urls.slice(0, at % 7).map((to) => ({ week: 0, from, to, anchor: '' })))
  writeFileSync(
    path.join(folder, 'links.ndjson.gz'),
    gzipSync(links.map((link) => `${JSON.stringify(link)}\n`).join('')),
  )
}

/** A copy in which one file is what `change` makes of it. */
export function spoiled(
  folder: string,
  copy: string,
  file: string,
  change: (content: Buffer) => Buffer | string,
): void {
  cpSync(folder, copy, { recursive: true })
  writeFileSync(path.join(copy, file), change(readFileSync(path.join(folder, file))))
}

/** For files that are packed: by lines. */
export function byLines(change: (lines: string[]) => string[]): (content: Buffer) => Buffer {
  return (content) => gzipSync(`${change(gunzipSync(content).toString().trimEnd().split('\n')).join('\n')}\n`)
}

function asPage({ url, title, body }: { url: string; title: string; body: string }): WorldPage {
  return { url, title, text: body }
}

async function* tell(steps: readonly WorldStep[]): AsyncGenerator<WorldStep> {
  yield* steps
}

function worldOf(steps: readonly WorldStep[]): World {
  return { [Symbol.asyncIterator]: () => tell(steps) }
}
