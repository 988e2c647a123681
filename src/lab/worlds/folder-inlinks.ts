/** Which pages of a snapshot folder link to which. */
import path from 'node:path'
import { describe } from '../../describe.js'
import { jsonLines } from './file-lines.js'
import { LINKS_FILE } from './snapshot-format.js'
import { damagedLine } from './world-fault.js'

/** By page: the distinct pages that link to it. */
export type LinkSources = ReadonlyMap<string, ReadonlySet<string>>

/** How many pages link to each page, as readLinkSources() knows them. A page without a link to it is not in the answer. */
export async function readInlinkCounts(folder: string, week = 0): Promise<Map<string, number>> {
  return new Map(Array.from(await readLinkSources(folder, week), ([to, from]) => [to, from.size]))
}

/** As of the last week with links that is not after `week`. A page without a link to it is not in the answer. */
export async function readLinkSources(folder: string, week = 0): Promise<LinkSources> {
  const file = path.join(folder, LINKS_FILE)
  let sources = new Map<string, Set<string>>()
  let taken = -1
  for await (const { number, value } of jsonLines(file)) {
    const { week: at, from, to } = value
    const isLink = Number.isSafeInteger(at) && typeof from === 'string' && typeof to === 'string'
    if (!isLink) {
      const message = `a link must have a whole "week" and the texts "from" and "to", received ${describe(value)}`
      throw damagedLine(file, number, message)
    }
    if ((at as number) > week || (at as number) < taken) continue
    if ((at as number) > taken) sources = new Map()
    taken = at as number
    const known = sources.get(to)
    if (known === undefined) sources.set(to, new Set([from]))
    else known.add(from)
  }
  return sources
}
