/** The readers of snapshot folders that the lab has, from the compiled library: the entry does not show them. */
import type * as QueriesModule from '../dist/lab/worlds/folder-tables.js'
import type * as VersionsModule from '../dist/lab/worlds/page-versions.js'
import type * as HistoryModule from '../dist/lab/worlds/page-versions.js'

export type { AskedQuery } from '../dist/lab/worlds/generated-text.js'
export type { Week, WeekHistory } from '../dist/lab/worlds/page-versions.js'
export type { WorldPage } from '../dist/lab/worlds/world.js'

async function load(name: string): Promise<unknown> {
  // Compiled benchmarks lie two folders below the root, their sources one.
  return import(new URL(`../../dist/lab/worlds/${name}.js`, import.meta.url).href)
}

export const { readPageVersions } = (await load('page-versions')) as typeof VersionsModule
export const { readFolderQueries } = (await load('folder-tables')) as typeof QueriesModule
export const { readWeekHistory, textBytes } = (await load('page-versions')) as typeof HistoryModule
