/** A data set as the benchmarks want it: a snapshot folder in memory, by weeks, and its queries. */
import { FreshdexError, type PresetName } from 'freshdex'
import { Misuse, type OptionSpec } from './bench.js'
import { inBatches, pageOptions } from './experiment-parts.js'
import {
  type AskedQuery,
  readFolderQueries,
  readPageVersions,
  readWeekHistory,
  textBytes,
  type WeekHistory,
  type WorldPage,
} from './world-parts.js'

export type { Week } from './world-parts.js'
export { inBatches, pageOptions, textBytes }

export type Page = WorldPage
export type History = WeekHistory
export type CountedQuery = AskedQuery

export const ANALYZER: OptionSpec = {
  kind: 'choice',
  choices: ['standard', 'english'] satisfies PresetName[],
  default: 'standard',
  help: 'how text becomes tokens',
}

export function readHistory(folder: string): Promise<History> {
  return asMisuse(() => readWeekHistory(folder))
}

/** The pages of week 0 only; the rest of the file is not read. */
export function readFirstSnapshot(folder: string): Promise<Page[]> {
  return asMisuse(async () => {
    const pages: Page[] = []
    for await (const { week, page } of readPageVersions(folder)) {
      if (week > 0) break
      if (page !== undefined) pages.push(page)
    }
    if (pages.length === 0) throw new Misuse(`there is no page of week 0 in ${folder}`)
    return pages
  })
}

/** The most frequent queries first. */
export async function readQueries(folder: string): Promise<string[]> {
  return (await readCountedQueries(folder)).map(({ query }) => query)
}

/** The same with their counts. */
export function readCountedQueries(folder: string): Promise<CountedQuery[]> {
  return asMisuse(() => readFolderQueries(folder))
}

/** The first `count` of what passes; the items after the last one wanted are not tested. */
export function firstThat<T>(items: Iterable<T>, count: number, passes: (item: T) => boolean): T[] {
  const kept: T[] = []
  for (const item of items) {
    if (kept.length === count) break
    if (passes(item)) kept.push(item)
  }
  return kept
}

/** --data named the folder: what is wrong with its files is for the caller to mend. */
export async function asMisuse<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof FreshdexError) throw new Misuse(`--data must name the folder of a data set: ${error.message}`)
    throw error
  }
}
