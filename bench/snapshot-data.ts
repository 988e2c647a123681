/** A data set as the benchmarks want it: a snapshot folder in memory, by weeks, and its queries. */
import { FreshdexError, type OpenOptions, type PresetName } from 'freshdex'
import { Misuse, type OptionSpec } from './bench.js'
import { readFolderQueries, readPageVersions, type WorldPage } from './world-parts.js'

export type Page = WorldPage

/** What one week changes. Week 0 only adds. */
export interface Week {
  readonly added: readonly Page[]
  readonly replaced: readonly Page[]
  readonly gone: readonly string[]
}

export interface History {
  readonly weeks: readonly Week[]
  /** Lines that carry a page. */
  readonly versions: number
  /** The pages of the last week, in order of their first version. */
  readonly final: readonly Page[]
}

export const ANALYZER: OptionSpec = {
  kind: 'choice',
  choices: ['standard', 'english'] satisfies PresetName[],
  default: 'standard',
  help: 'how text becomes tokens',
}

/** How the benchmarks index pages unless they ask about something else. */
export function pageOptions(analyzer: PresetName): OpenOptions<Page> {
  return { key: 'url', fields: { title: { boost: 2 }, text: {} }, analyzer }
}

export function readHistory(folder: string): Promise<History> {
  return asMisuse(async () => {
    const weeks: { added: Page[]; replaced: Page[]; gone: string[] }[] = []
    const present = new Map<string, Page>()
    let versions = 0
    for await (const { week, page, url, isKnown } of readPageVersions(folder)) {
      while (weeks.length <= week) weeks.push({ added: [], replaced: [], gone: [] })
      const changes = weeks[week]!
      if (page === undefined) {
        changes.gone.push(url)
        present.delete(url)
        continue
      }
      versions++
      if (isKnown) changes.replaced.push(page)
      else changes.added.push(page)
      present.set(url, page)
    }
    return { weeks, versions, final: [...present.values()] }
  })
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

export interface CountedQuery {
  readonly query: string
  /** How often it was asked. */
  readonly count: number
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

export function textBytes(pages: readonly Page[]): number {
  return pages.reduce((sum, { title, text }) => sum + Buffer.byteLength(title) + Buffer.byteLength(text), 0)
}

export function* inBatches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/** --data named the folder: what is wrong with its files is for the caller to mend. */
async function asMisuse<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof FreshdexError) throw new Misuse(`--data must name the folder of a data set: ${error.message}`)
    throw error
  }
}
