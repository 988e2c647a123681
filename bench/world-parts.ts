/** The readers of snapshot folders that the lab has, from the compiled library: the entry does not show them. */
import type * as QueriesModule from '../dist/lab/worlds/folder-queries.js'
import type * as VersionsModule from '../dist/lab/worlds/page-versions.js'
import type * as HistoryModule from '../dist/lab/worlds/week-history.js'

export type { AskedQuery } from '../dist/lab/generated-workload.js'
export type { WorldPage } from '../dist/lab/world.js'
export type { Week, WeekHistory } from '../dist/lab/worlds/week-history.js'

async function load(name: string): Promise<unknown> {
  // Compiled benchmarks lie two folders below the root, their sources one.
  return import(new URL(`../../dist/lab/worlds/${name}.js`, import.meta.url).href)
}

export const { readPageVersions } = (await load('page-versions')) as typeof VersionsModule
export const { readFolderQueries } = (await load('folder-queries')) as typeof QueriesModule
export const { readWeekHistory, textBytes } = (await load('week-history')) as typeof HistoryModule
