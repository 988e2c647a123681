/** The world of a snapshot folder, told from its files as they are read: memory holds one step. */
import path from 'node:path'
import type { World, WorldPage, WorldStep } from '../world.js'
import { readPageVersions } from './page-versions.js'
import { PAGES_FILE } from './snapshot-format.js'
import { readWeekTimes } from './week-times.js'
import { damaged } from './world-fault.js'

/** A step for every week of weeks.tsv, also for those without a change. */
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
