import { forEachChange, type Timeline } from '../../quality/timeline.js'
import { distinctValues } from '../../report/table.js'
import type { FolderLink } from '../../worlds/folder-tables.js'

/** Which pages link to which, and with which words, ordered by the page that is linked to. Plain data. */
export interface PageLinks {
  /** By page: where the links to it end in the columns below. */
  readonly ends: Uint32Array
  readonly sources: Uint32Array
  readonly anchors: readonly string[]
}

/** Each once, whatever the weeks it is told of; links from or to other pages are passed over. */
export function pageLinks(urls: readonly string[], links: Iterable<FolderLink>): PageLinks {
  const numbers = new Map(urls.map((url, page) => [url, page]))
  const byTarget = urls.map(() => new Map<string, { readonly source: number; readonly anchor: string }>())
  for (const { from, to, anchor } of links) {
    const [source, target] = [numbers.get(from), numbers.get(to)]
    if (source === undefined || target === undefined || source === target) continue
    byTarget[target]!.set(`${source} ${anchor}`, { source, anchor })
  }
  const all = byTarget.flatMap((own) => [...own.values()])
  let end = 0
  return {
    ends: Uint32Array.from(byTarget, (own) => {
      end += own.size
      return end
    }),
    sources: Uint32Array.from(all, ({ source }) => source),
    anchors: all.map(({ anchor }) => anchor),
  }
}

/**
 * How many pages linked to each page when it was first there. A history says which links there are at a few weeks only:
 * of a page that comes later, those of the first of these weeks at which it is there count, and of one that comes after
 * all of them those of the last. A page without a link to it is not in the answer.
 */
export function inlinksAtFirstSight(timeline: Timeline, links: readonly FolderLink[]): Map<string, number> {
  const weeks = distinctValues(links.map(({ week }) => week))
  const firstSteps = new Map<string, number>()
  for (let step = 0; step < timeline.atMs.length; step++)
    forEachChange(timeline, step, (page) => {
      const url = timeline.urls[page]!
      if (!firstSteps.has(url)) firstSteps.set(url, step)
    })
  const sources = new Map<string, Set<string>>()
  for (const { week, from, to } of links) {
    const first = firstSteps.get(to)
    if (first === undefined || from === to) continue
    if (week !== (weeks.find((told) => told >= first) ?? weeks.at(-1))) continue
    const known = sources.get(to)
    if (known === undefined) sources.set(to, new Set([from]))
    else known.add(from)
  }
  return new Map(Array.from(sources, ([to, from]) => [to, from.size]))
}

/** Calls back for every link to a page. */
export function forEachLink(
  { ends, sources, anchors }: PageLinks,
  page: number,
  visit: (source: number, anchor: string) => void,
): void {
  for (let at = page === 0 ? 0 : ends[page - 1]!; at < ends[page]!; at++) visit(sources[at]!, anchors[at]!)
}
