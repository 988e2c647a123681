/** How many pages link to each page of a snapshot folder. */
import { folderLinks } from './folder-links.js'

/**
 * Distinct pages that link to each page, as of the last week with links that is not after `week`. A page without a link to
 * it is not in the answer.
 */
export async function readInlinkCounts(folder: string, week = 0): Promise<Map<string, number>> {
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
  return new Map(Array.from(sources, ([to, from]) => [to, from.size]))
}
