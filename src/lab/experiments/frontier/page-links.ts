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

/** Calls back for every link to a page. */
export function forEachLink(
  { ends, sources, anchors }: PageLinks,
  page: number,
  visit: (source: number, anchor: string) => void,
): void {
  for (let at = page === 0 ? 0 : ends[page - 1]!; at < ends[page]!; at++) visit(sources[at]!, anchors[at]!)
}
