/** A small generated site as a snapshot folder, with what people ask and links between its pages. */
import path from 'node:path'
import { GeneratedSite, type SitePage } from '../../../src/lab/worlds/generated-site.js'
import { GeneratedWorkload } from '../../../src/lab/worlds/generated-text.js'
import { writeSnapshotFolder } from '../../../src/lab/worlds/snapshot-writer.js'
import type { World, WorldPage } from '../../../src/lab/worlds/world.js'
import { WorldPlace } from '../worlds/world-reading.js'

const WEEK_MS = 7 * 86_400_000
const START_MS = Date.UTC(2026, 0, 4, 23, 59, 59)

export interface GeneratedFolder {
  readonly folder: string
  readonly world: World
  remove(): void
}

export async function generatedFolder(seed: number, pages = 30, weeks = 8): Promise<GeneratedFolder> {
  const place = new WorldPlace()
  const folder = place.path('site')
  const world = generatedWorld(seed, pages, weeks)
  await writeSnapshotFolder(world, folder)
  const first = new GeneratedSite(seed, pages)
  const workload = new GeneratedWorkload(seed, first.pages())
  for (let week = 1; week <= weeks; week++) workload.add(first.advance().events)
  const lines = workload.queries.map(({ query, count }) => `${query}\t${count}\n`)
  place.write(path.join('site', 'queries.tsv'), lines.join(''))
  const urls = new GeneratedSite(seed, pages).pages().map(({ url }) => url)
  const links = urls.flatMap((to, at) => urls.slice(0, at).map((from) => ({ week: 0, from, to, anchor: '' })))
  place.writeLines(path.join('site', 'links.ndjson.gz'), links)
  return { folder, world, remove: () => place.remove() }
}

function generatedWorld(seed: number, pages: number, weeks: number): World {
  return {
    async *[Symbol.asyncIterator]() {
      const site = new GeneratedSite(seed, pages)
      yield { atMs: START_MS, versions: site.pages().map(worldPage), gone: [] }
      for (let week = 1; week <= weeks; week++) {
        const { changed, added, gone } = site.advance()
        yield { atMs: START_MS + week * WEEK_MS, versions: [...changed, ...added].map(worldPage), gone }
      }
    },
  }
}

function worldPage({ url, title, body }: SitePage): WorldPage {
  return { url, title, text: body }
}
