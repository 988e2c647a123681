/** The world of a folder of whole snapshots as lines of JSON, { url, title, text } each; a title may be missing. */

import { describe } from '../../base/describe.js'
import { jsonLines } from './files.js'
import { pageText } from './page-versions.js'
import { SnapshotDiffer } from './snapshot-differ.js'
import { listSnapshots, regularTimes, type SnapshotFiles, type SnapshotTimes, timeInName } from './snapshot-format.js'
import { damaged, damagedLine, type World, type WorldStep } from './world.js'

export const JSONL_FILE = /\.(?:jsonl|ndjson)(?:\.gz)?$/

/** Names tell the times unless `everyMs` does: each must hold a date, and no two the same. */
export function jsonlWorld(folder: string, times: SnapshotTimes = {}): World {
  return { [Symbol.asyncIterator]: () => tell(folder, times) }
}

async function* tell(folder: string, times: SnapshotTimes): AsyncGenerator<WorldStep> {
  const differ = new SnapshotDiffer()
  let versions = 0
  for (const { files, atMs } of inTime(await listSnapshots(folder, JSONL_FILE), folder, times)) {
    for (const file of files) await readSnapshot(file, differ)
    const step = differ.end(atMs)
    versions += step.versions.length
    yield step
  }
  if (versions === 0) throw damaged(folder, 'its snapshots hold no page')
}

function inTime(snapshots: readonly SnapshotFiles[], folder: string, times: SnapshotTimes) {
  const regular = regularTimes(times, snapshots.length)
  const timed = snapshots.map((snapshot, at) => ({ ...snapshot, atMs: regular?.[at] ?? timeInName(snapshot.name) }))
  const timeless = timed.find(({ atMs }) => Number.isNaN(atMs))
  if (timeless !== undefined) {
    const name = describe(timeless.name)
    const message = `the name ${name} tells no time, such as 2026-01-04, and no time between snapshots is given`
    throw damaged(folder, message)
  }
  timed.sort((a, b) => a.atMs - b.atMs)
  const twin = timed.find(({ atMs }, at) => at > 0 && atMs === timed[at - 1]!.atMs)
  if (twin !== undefined)
    throw damaged(folder, `two snapshots are of the same time, one of them ${describe(twin.name)}`)
  return timed
}

async function readSnapshot(file: string, differ: SnapshotDiffer): Promise<void> {
  for await (const { number, value } of jsonLines(file)) {
    const refuse = (message: string) => damagedLine(file, number, message)
    const { url, title = '', text } = value
    if (typeof url !== 'string' || url === '') throw refuse(`"url" must be text, received ${describe(url)}`)
    if (differ.has(url)) throw refuse(`the page ${describe(url)} comes twice in one snapshot`)
    differ.see({ url, ...pageText({ title, text }, refuse) })
  }
}
