/** The page versions of a snapshot folder, checked as they come. */
import path from 'node:path'
import { describe } from '../../describe.js'
import type { WorldPage } from '../world.js'
import { jsonLines } from './file-lines.js'
import { PAGES_FILE } from './snapshot-format.js'
import { damaged, damagedLine } from './world-fault.js'

export interface PageVersion {
  readonly week: number
  readonly url: string
  /** Undefined: the page is gone. */
  readonly page: WorldPage | undefined
  /** It was there the week before. */
  readonly isKnown: boolean
}

/**
 * In the order of the file. A FreshdexError CORRUPT names file and line of a version that cannot be: a first week other than 0, a week before the last one, a page
 * twice in a week, a page that is gone and was not there. So does a file without any page.
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
