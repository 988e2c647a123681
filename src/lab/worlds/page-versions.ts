/** The page versions of a snapshot folder, checked as they come. */
import path from 'node:path'
import { describe } from '../../base/describe.js'
import { fileLines, jsonLines } from './files.js'
import { END_COLUMN, PAGES_FILE, WEEK_COLUMN, WEEKS_FILE, weekEndMs } from './snapshot-format.js'
import { damaged, damagedLine, type WorldPage } from './world.js'

export interface PageVersion {
  readonly week: number
  readonly url: string
  /** Undefined: the page is gone. */
  readonly page: WorldPage | undefined
  /** Whether the page was there the week before. */
  readonly isKnown: boolean
}

/**
 * In the order of the file. A FreshdexError CORRUPT names file and line of a version that cannot be: a first week other
 * than 0, a week before the last one, a page twice in a week, a page that is gone and was not there. So does a file
 * without any page.
 */
export async function* readPageVersions(folder: string): AsyncGenerator<PageVersion> {
  const file = path.join(folder, PAGES_FILE)
  const present = new Set<string>()
  let named = new Set<string>()
  let week = 0
  let versions = 0
  for await (const { number, value } of jsonLines(file)) {
    const refuse = (message: string) => damagedLine(file, number, message)
    const version = toVersion(value, refuse)
    if (versions === 0 && version.week > 0) throw refuse(`week 0 must come first, received week ${version.week}`)
    if (version.week < week) throw refuse(`week ${version.week} comes after week ${week}`)
    if (version.week > week) named = new Set()
    week = version.week
    const { url, page } = version
    if (named.has(url)) throw refuse(`the page ${describe(url)} comes twice in week ${week}`)
    named.add(url)
    const isKnown = present.has(url)
    if (page === undefined && !isKnown) throw refuse(`the page ${describe(url)} is gone but was not there`)
    if (page === undefined) present.delete(url)
    else present.add(url)
    if (page !== undefined) versions++
    yield { ...version, isKnown }
  }
  if (versions === 0) throw damaged(file, 'it holds no page')
}

function toVersion(
  { week, url, title, text, gone }: Readonly<Record<string, unknown>>,
  refuse: (message: string) => Error,
): Omit<PageVersion, 'isKnown'> {
  if (!Number.isSafeInteger(week) || (week as number) < 0)
    throw refuse(`"week" must be a whole number, received ${describe(week)}`)
  const at = week as number
  if (typeof url !== 'string' || url === '') throw refuse(`"url" must be text, received ${describe(url)}`)
  if (gone === true) return { week: at, url, page: undefined }
  return { week: at, url, page: { url, ...pageText({ title, text }, refuse) } }
}

/** What every form of a page must have beside its address. */
export function pageText(
  { title, text }: { readonly title?: unknown; readonly text?: unknown },
  refuse: (message: string) => Error,
): { title: string; text: string } {
  if (typeof title !== 'string') throw refuse(`"title" must be text, received ${describe(title)}`)
  if (typeof text !== 'string') throw refuse(`"text" must be text, received ${describe(text)}`)
  return { title, text }
}

/** What one week changes. Week 0 only adds. */
export interface Week {
  readonly added: readonly WorldPage[]
  readonly replaced: readonly WorldPage[]
  readonly gone: readonly string[]
}

/** The history of a snapshot folder in memory, for what goes over it again and again. */
export interface WeekHistory {
  readonly weeks: readonly Week[]
  /** Lines that carry a page. */
  readonly versions: number
  /** The pages of the last week, in order of their first version. */
  readonly final: readonly WorldPage[]
}

/** Weeks are those of the pages, times are not read. FreshdexError for files that are missing or damaged. */
export async function readWeekHistory(folder: string): Promise<WeekHistory> {
  const weeks: { added: WorldPage[]; replaced: WorldPage[]; gone: string[] }[] = []
  const present = new Map<string, WorldPage>()
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
}

export function textBytes(pages: readonly WorldPage[]): number {
  return pages.reduce((sum, { title, text }) => sum + Buffer.byteLength(title) + Buffer.byteLength(text), 0)
}

/** When the weeks of a snapshot folder end. The time of week w is at [w]; the times grow. */
export async function readWeekTimes(folder: string): Promise<number[]> {
  const file = path.join(folder, WEEKS_FILE)
  const times: number[] = []
  let columns: readonly number[] | undefined
  for await (const { number, text } of fileLines(file)) {
    const cells = text.split('\t')
    const refuse = (message: string) => damagedLine(file, number, message)
    if (columns === undefined) {
      columns = [WEEK_COLUMN, END_COLUMN].map((name) => cells.indexOf(name))
      if (columns.includes(-1)) throw refuse(`the header must name the columns ${WEEK_COLUMN} and ${END_COLUMN}`)
      continue
    }
    const [week = '', end = ''] = columns.map((at) => cells[at])
    const atMs = weekEndMs(end)
    if (week !== String(times.length)) throw refuse(`it must be about week ${times.length}, not ${describe(week)}`)
    if (Number.isNaN(atMs)) throw refuse(`${END_COLUMN} must be a day or a moment in UTC, received ${describe(end)}`)
    if (atMs <= (times.at(-1) ?? Number.NEGATIVE_INFINITY))
      throw refuse(`week ${week} does not end after the week before`)
    times.push(atMs)
  }
  if (times.length === 0) throw damaged(file, 'it holds no week')
  return times
}
