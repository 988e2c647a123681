/** The world of a folder, whichever kind of folder it is. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { JSONL_FILE, jsonlWorld } from './jsonl-snapshots.js'
import { snapshotFolderWorld } from './snapshot-differ.js'
import { hasSnapshots, PAGES_FILE, type SnapshotTimes } from './snapshot-format.js'
import { WARC_FILE, warcWorld } from './warc.js'
import { damaged, type World, type WorldPage, type WorldStep } from './world.js'

/**
 * `times` are for folders of JSON lines and of WARC files; a snapshot folder has its own. FreshdexError for a folder
 * that is none of them.
 */
export async function openWorld(folder: string, times: SnapshotTimes = {}): Promise<World> {
  if (existsSync(path.join(folder, PAGES_FILE))) return snapshotFolderWorld(folder)
  const hasJsonl = await hasSnapshots(folder, JSONL_FILE)
  const hasWarc = await hasSnapshots(folder, WARC_FILE)
  if (hasJsonl && hasWarc) throw damaged(folder, 'it holds both JSON lines and WARC files; a world is told by one kind')
  if (hasJsonl) return jsonlWorld(folder, times)
  if (hasWarc) return warcWorld(folder, times)
  throw damaged(
    folder,
    `it is no snapshot folder, which has a ${PAGES_FILE}, and holds neither JSON lines nor WARC files`,
  )
}

/**
 * The same world in longer steps: what several steps that follow each other change together. The first step stays as
 * it is. Steps at the end that are too few for a longer one are left out.
 */
export function withLongerSteps(world: World, steps: number): World {
  return steps === 1 ? world : { [Symbol.asyncIterator]: () => tell(world, steps) }
}

async function* tell(world: World, steps: number): AsyncGenerator<WorldStep> {
  const present = new Set<string>()
  /** By address: undefined where the page is gone. */
  let changes = new Map<string, WorldPage | undefined>()
  let at = 0
  for await (const { atMs, versions, gone } of world) {
    for (const page of versions) changes.set(page.url, page)
    for (const url of gone) changes.set(url, undefined)
    if (at++ % steps !== 0) continue
    const kept = [...changes.values()].filter((page) => page !== undefined)
    const lost = [...changes.keys()].filter((url) => changes.get(url) === undefined && present.delete(url))
    for (const { url } of kept) present.add(url)
    yield { atMs, versions: kept, gone: lost }
    changes = new Map()
  }
}
