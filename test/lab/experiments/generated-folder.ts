/** A small generated site as a snapshot folder, with what people ask and links between its pages. */
import path from 'node:path'
import { type GeneratedWorld, generatedWorld } from '../../../src/lab/worlds/generated-world.js'
import { writeSnapshotFolder } from '../../../src/lab/worlds/snapshot-writer.js'
import type { World } from '../../../src/lab/worlds/world.js'
import { WorldPlace } from '../worlds/world-reading.js'

const START_MS = Date.UTC(2026, 0, 4, 23, 59, 59)

export interface GeneratedFolder {
  readonly folder: string
  readonly world: World
  remove(): void
}

export async function generatedFolder(seed: number, pages = 30, weeks = 8): Promise<GeneratedFolder> {
  const place = new WorldPlace()
  const folder = place.path('site')
  const world = folderWorld(seed, pages, weeks)
  await writeSnapshotFolder(world, folder)
  const lines = world.queries.map(({ query, count }) => `${query}\t${count}\n`)
  place.write(path.join('site', 'queries.tsv'), lines.join(''))
  const urls = [...world.motions().keys()]
  const links = urls.flatMap((to, at) => urls.slice(0, at).map((from) => ({ week: 0, from, to, anchor: '' })))
  place.writeLines(path.join('site', 'links.ndjson.gz'), links)
  return { folder, world, remove: () => place.remove() }
}

/** The world of such a folder: its first pages and `weeks` later steps, in which pages come and go. */
function folderWorld(seed: number, pages: number, weeks: number): GeneratedWorld {
  const coming = { lossPerStep: 0.01, growthPerStep: 0.015 }
  return generatedWorld({ seed, pages, steps: weeks + 1, startMs: START_MS, ...coming })
}
