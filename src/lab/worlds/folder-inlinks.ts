/** Which pages of a snapshot folder link to which. */
import { folderLinks } from './folder-links.js'

/** By page: the distinct pages that link to it. */
export type LinkSources = ReadonlyMap<string, ReadonlySet<string>>

/** How many pages link to each page, as readLinkSources() knows them. A page without a link to it is not in the answer. */
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
