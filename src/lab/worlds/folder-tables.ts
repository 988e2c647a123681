/** What lies in the folder of a world beside its pages: what people ask, and which pages link to which. */
import path from 'node:path'
import { describe } from '../../base/describe.js'
import { FreshdexError } from '../../base/errors.js'
import { readQueryLines } from '../../workload/query-lines.js'
import { fileLines, jsonLines } from './files.js'
import type { AskedQuery } from './generated-text.js'
import { LINKS_FILE, QUERIES_FILE } from './snapshot-format.js'
import { damaged, damagedLine } from './world.js'

/** The name of a data set. Where the folder lies is no part of a result. */
export function folderName(folder: string): string {
  return path.basename(path.resolve(folder))
}

/**
 * In the order of the file, which by its format is the most frequent first. `name` chooses another log of the folder.
 */
export async function readFolderQueries(folder: string, name: string = QUERIES_FILE): Promise<AskedQuery[]> {
  const file = path.join(folder, name)
  const queries: AskedQuery[] = []
  try {
    for await (const { text, count } of readQueryLines(texts(file))) queries.push({ query: text, count })
  } catch (error) {
    if (error instanceof RangeError) throw damaged(file, error.message, error)
    const isMissing = error instanceof FreshdexError && error.message.startsWith('there is no file')
    if (!isMissing) throw error
    const message = `${error.message}: it says what people ask; freshdex workload export writes it from an index`
    throw new FreshdexError('IO', message, { detail: error.detail, cause: error })
  }
  if (queries.length === 0) throw damaged(file, 'it holds no query')
  return queries
}

async function* texts(file: string): AsyncGenerator<string> {
  let line = 0
  for await (const { number, text } of fileLines(file)) {
    // Blank lines count.
    for (line++; line < number; line++) yield ''
    yield text
  }
}

export interface FolderLink {
  readonly week: number
  readonly from: string
  readonly to: string
  /** Empty where the file has none. */
  readonly anchor: string
}

/** In the order of the file. FreshdexError for a file that is missing or damaged. */
export async function* folderLinks(folder: string): AsyncGenerator<FolderLink> {
  const file = path.join(folder, LINKS_FILE)
  for await (const { number, value } of jsonLines(file)) {
    const { week, from, to, anchor } = value
    const isLink = Number.isSafeInteger(week) && typeof from === 'string' && typeof to === 'string'
    if (!isLink) {
      const message = `a link must have a whole "week" and the texts "from" and "to", received ${describe(value)}`
      throw damagedLine(file, number, message)
    }
    yield { week: week as number, from, to, anchor: typeof anchor === 'string' ? anchor : '' }
  }
}

/** By page: the distinct pages that link to it. */
export type LinkSources = ReadonlyMap<string, ReadonlySet<string>>

/**
 * How many pages link to each page, as readLinkSources() knows them. A page without a link to it is not in the answer.
 */
export async function readInlinkCounts(folder: string, week = 0): Promise<Map<string, number>> {
  return new Map(Array.from(await readLinkSources(folder, week), ([to, from]) => [to, from.size]))
}

/** As of the last week with links that is not after `week`. A page without a link to it is not in the answer. */
export async function readLinkSources(folder: string, week = 0): Promise<LinkSources> {
  let sources = new Map<string, Set<string>>()
  let taken = -1
  for await (const { week: at, from, to } of folderLinks(folder)) {
    if (at > week || at < taken) continue
    if (at > taken) sources = new Map()
    taken = at
    const known = sources.get(to)
    if (known === undefined) sources.set(to, new Set([from]))
    else known.add(from)
  }
  return sources
}
