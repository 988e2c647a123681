/** Small snapshot folders: a generated site of a few weeks, with its queries and links, or parts of one gone wrong. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { generatedWorld } from '../../../src/lab/worlds/generated-world.js'
import { writeSnapshotFolder } from '../../../src/lab/worlds/snapshot-writer.js'
import type { World, WorldStep } from '../../../src/lab/worlds/world.js'

const START_MS = Date.UTC(2026, 0, 4, 23, 59, 59)

export interface FolderOptions {
  readonly pages?: number
  readonly steps?: number
  /** Every step is as the first one. */
  readonly isStill?: boolean
}

export async function writeLabFolder(folder: string, options: FolderOptions = {}): Promise<void> {
  const { pages = 60, steps = 9, isStill = false } = options
  const world = generatedWorld({ seed: 5, pages, steps, startMs: START_MS, lossPerStep: 0.01, growthPerStep: 0.015 })
  const told: WorldStep[] = []
  for await (const step of world) told.push(isStill && told.length > 0 ? { ...step, versions: [], gone: [] } : step)
  await writeSnapshotFolder(worldOf(told), folder)
  const queries = world.queries.map(({ query, count }) => `${query}\t${count}\n`)
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

async function* tell(steps: readonly WorldStep[]): AsyncGenerator<WorldStep> {
  yield* steps
}

function worldOf(steps: readonly WorldStep[]): World {
  return { [Symbol.asyncIterator]: () => tell(steps) }
}
