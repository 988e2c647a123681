/**
 * Reads a data set: pages that change from week to week, and queries.
 *
 *   pages.ndjson.gz  one line per page version, by week: { week, url, title, text }, or { week, url, gone: true }.
 *                    A page without a line in a week is as it was. Week 0 holds the whole first snapshot.
 *   queries.tsv      query TAB count, the most frequent first; words of a-z and 0-9 between spaces
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { OpenOptions, PresetName } from 'freshdex'
import { Misuse, type OptionSpec } from './bench.js'

export interface Page {
  readonly url: string
  readonly title: string
  readonly text: string
}

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

export async function readHistory(folder: string): Promise<History> {
  const weeks: { added: Page[]; replaced: Page[]; gone: string[] }[] = []
  const present = new Map<string, Page>()
  let versions = 0
  for await (const { week, page, url } of readVersions(folder)) {
    while (weeks.length <= week) weeks.push({ added: [], replaced: [], gone: [] })
    const changes = weeks[week]!
    if (page === undefined) {
      changes.gone.push(url)
      present.delete(url)
      continue
    }
    versions++
    if (present.has(url)) changes.replaced.push(page)
    else changes.added.push(page)
    present.set(url, page)
  }
  if (versions === 0) throw new Misuse(`no page in ${dataFile(folder, PAGES)}`)
  return { weeks, versions, final: [...present.values()] }
}

/** The pages of week 0 only; the rest of the file is not read. */
export async function readFirstSnapshot(folder: string): Promise<Page[]> {
  const pages: Page[] = []
  for await (const { week, page } of readVersions(folder)) {
    if (week > 0) break
    if (page !== undefined) pages.push(page)
  }
  if (pages.length === 0) throw new Misuse(`no page of week 0 in ${dataFile(folder, PAGES)}`)
  return pages
}

/** The most frequent queries first. */
export function readQueries(folder: string): string[] {
  return readCountedQueries(folder).map(({ query }) => query)
}

export interface CountedQuery {
  readonly query: string
  /** How often it was asked. */
  readonly count: number
}

/** The same with their counts. */
export function readCountedQueries(folder: string): CountedQuery[] {
  const lines = readFileSync(dataFile(folder, QUERIES), 'utf8').split('\n')
  const fields = lines.map((line) => line.split('\t')).filter(([query]) => query!.trim() !== '')
  if (fields.length === 0) throw new Misuse(`no query in ${dataFile(folder, QUERIES)}`)
  return fields.map(([query, count]) => ({ query: query!.trim(), count: Number(count) }))
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

const PAGES = 'pages.ndjson.gz'
const QUERIES = 'queries.tsv'

interface Version {
  readonly week: number
  readonly url: string
  /** undefined: the page is gone. */
  readonly page: Page | undefined
}

interface VersionLine extends Page {
  readonly week: number
  readonly gone?: boolean
}

async function* readVersions(folder: string): AsyncGenerator<Version> {
  const file = createReadStream(dataFile(folder, PAGES))
  const gunzip = createGunzip()
  // pipe() does not pass on errors of the file.
  file.on('error', (error) => gunzip.destroy(error))
  const lines = createInterface({ input: file.pipe(gunzip), crlfDelay: Number.POSITIVE_INFINITY })
  try {
    for await (const line of lines) {
      const { week, url, title, text, gone } = JSON.parse(line) as VersionLine
      yield { week, url, page: gone === true ? undefined : { url, title, text } }
    }
  } finally {
    lines.close()
    file.destroy()
    gunzip.destroy()
  }
}

function dataFile(folder: string, name: string): string {
  const file = path.join(folder, name)
  if (!existsSync(file)) throw new Misuse(`${file} is missing: --data must name the folder of a data set`)
  return file
}
