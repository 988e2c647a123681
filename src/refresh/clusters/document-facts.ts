/** What an index knows of its documents that features of pages are made of: stored fields, links, and the ledger. */
import type { Key } from '../../base/keys.js'
import { PACKED_CYCLES } from '../../clusters/change-weights.js'
import { type LinkFacts, linkFactsInSteps } from '../../clusters/link-facts.js'
import type { PageFacts } from '../../clusters/page-facts.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import { lastDivergenceOf } from '../../ledger/profile.js'
import type { ClusterSource } from './build.js'

/** The characters of a document that are read. The rest of a longer text adds little. */
const TEXT_CHARACTERS = 16_384
/** Documents that are read between two pauses. */
export const PORTION = 64

/** By position; undefined where the index does not read links, or does not store them. Other targets do not count. */
export async function linksBetween(source: ClusterSource, keys: readonly Key[]): Promise<LinkFacts | undefined> {
  const { linksName } = source
  if (linksName === undefined) return undefined
  const places = new Map<Key, number>()
  const linking: number[][] = []
  for (const [at, key] of keys.entries()) {
    if (at % PORTION === 0) await source.pause()
    places.set(key, at)
    linking.push([])
  }
  let areStored = false
  for (const [at, key] of keys.entries()) {
    if (at % PORTION === 0) await source.pause()
    const links = source.documentOf(key)?.[linksName]
    if (!Array.isArray(links)) continue
    areStored = true
    const targets = new Set(links.flatMap(({ to }: { readonly to?: unknown }) => places.get(to as Key) ?? []))
    for (const target of targets) linking[target]!.push(at)
  }
  if (!areStored) return undefined
  const facts = linkFactsInSteps(linking)
  for (let step = facts.next(); ; step = facts.next()) {
    if (step.done) return step.value
    await source.pause()
  }
}

export function factsByLinks(links: LinkFacts | undefined, at: number): Partial<PageFacts> {
  if (links === undefined) return {}
  return { pageRank: links.pageRanks[at]!, inlinks: links.inlinks[at]!, outlinks: links.outlinks[at]! }
}

/** All but how its amounts have changed, which visits.ts says. */
export function factsOf(source: ClusterSource, doc: number, key: Key, byLinks: Partial<PageFacts>): PageFacts {
  const columns = source.columns()
  const document = source.documentOf(key) ?? {}
  const texts = source.fieldNames.map((name) => document[name]).filter((value) => typeof value === 'string')
  const weight = source.weightName === undefined ? undefined : document[source.weightName]
  const text = texts.join(' ')
  const cycles = Math.min(columns.refreshes[doc]!, PACKED_CYCLES)
  return {
    url: String(key),
    ...(texts.length === 0 ? {} : { text: text.slice(0, TEXT_CHARACTERS), bytes: Buffer.byteLength(text) }),
    ...(isAmount(weight) ? { inlinks: weight } : {}),
    ...byLinks,
    // The text of a page has no markup: how much of it there was is known if the document says so.
    ...(isAmount(document.images) ? { images: document.images } : {}),
    ...(isAmount(document.tables) ? { tables: document.tables } : {}),
    ...similarityOf(columns, doc),
    history: { bits: columns.changeBits[doc]!, cycles },
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** How much of the page was as at the refresh before; nothing before the second visit, or without a sketch. */
function similarityOf(columns: LedgerColumns, doc: number): Partial<PageFacts> {
  if (columns.refreshes[doc] === 0) return {}
  if ((columns.changeBits[doc]! & 1) === 0) return { similarity: 1 }
  const divergence = lastDivergenceOf(columns, doc)
  return divergence === undefined ? {} : { similarity: 1 - divergence }
}
