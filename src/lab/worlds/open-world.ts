/** The world of a folder, whichever kind of folder it is. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { World } from '../world.js'
import { JSONL_FILE, jsonlWorld } from './jsonl-snapshots.js'
import { hasSnapshots, type SnapshotTimes } from './snapshot-files.js'
import { snapshotFolderWorld } from './snapshot-folder.js'
import { PAGES_FILE } from './snapshot-format.js'
import { WARC_FILE, warcWorld } from './warc-snapshots.js'
import { damaged } from './world-fault.js'

/** `times` are for folders of JSON lines and of WARC files; a snapshot folder has its own. FreshdexError for a folder that is none of them. */
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
