/**
 * What a batch does to the links of an index, and what that makes of the targets: their text of links and their number
 * of links. A target is no refreshed document. Nobody has looked at it, and what others say of it is all that has
 * moved.
 *
 * The text of a target is that of all links to it, in the order of the keys of the linking documents (numbers first,
 * then strings), and for each of them in the order of its own list. So it depends on nothing but the links that there
 * are.
 */
import type { Key } from '../base/keys.js'
import { Pauses } from '../base/turns.js'
import type { LinkChange, LinkTable } from './link-table.js'
import { type LinkTexts, NO_LINKS } from './page-links.js'

/** A batch as far as links go. */
export interface LinkBatch {
  /** The keys of the documents put, and the links of each. */
  readonly keys: readonly Key[]
  readonly links: readonly LinkTexts[]
  readonly removedKeys: readonly Key[]
  /** The text of links of every document put is made anew, whether links moved or not. Default false. */
  readonly isRefill?: boolean
}

/** What links make of a document. */
export interface LinkedDocument {
  readonly key: Key
  /** Lines, one for each link that has words. */
  readonly text: string
  /** How many links lead to it. */
  readonly links: number
}

/** A key that the index does not have, to which the batch has brought links. */
export interface FoundTarget {
  readonly key: Key
  /** Texts of the new links. */
  readonly texts: readonly string[]
  /** How many links lead to it. */
  readonly links: number
}

export interface LinkMoves {
  readonly changes: readonly LinkChange[]
  /** Documents of the index, those of the batch included, whose links have moved. */
  readonly targets: readonly LinkedDocument[]
  readonly found: readonly FoundTarget[]
}

export interface LinkContext {
  readonly table: LinkTable
  /** Whether the index has the document, the batch left out. */
  has(key: Key): boolean
  /** The text of a target is cut, link by link, to so many bytes. */
  readonly maxBytes: number
}

/** REQUIRES: nothing else changes the table meanwhile. */
export async function linkMoves(batch: LinkBatch, context: LinkContext): Promise<LinkMoves> {
  const { table, has } = context
  const pauses = new Pauses()
  const moved = new MovedLinks()
  const added: Key[] = []
  for (const [nth, key] of batch.keys.entries()) {
    if (pauses.isDue) await pauses.pause()
    const isKnown = has(key)
    if (!isKnown) added.push(key)
    moved.compare(key, isKnown ? table.linksFrom(key) : NO_LINKS, batch.links[nth] ?? NO_LINKS)
  }
  for (const key of batch.removedKeys) moved.compare(key, table.linksFrom(key), NO_LINKS)
  const put = new Set(batch.keys)
  const removed = new Set(batch.removedKeys)
  const targets: LinkedDocument[] = []
  const found: FoundTarget[] = []
  // Links may have been waiting for a document that is new.
  const waiting = batch.isRefill === true ? batch.keys : added
  for (const key of new Set([...moved.targets.keys(), ...waiting])) {
    if (pauses.isDue) await pauses.pause()
    const changes = moved.targets.get(key)
    const isDocument = put.has(key) || (has(key) && !removed.has(key))
    if (removed.has(key) && changes === undefined) continue
    const links = after(table.linksTo(key), changes)
    if (isDocument) {
      if (changes !== undefined || links.size > 0 || batch.isRefill === true)
        targets.push(linkedDocument(key, links, context.maxBytes))
      continue
    }
    const texts = [...(changes?.values() ?? [])].flatMap((change) => change?.added ?? [])
    if (texts.length > 0) found.push({ key, texts, links: countOf(links) })
  }
  return { changes: moved.changes, targets, found }
}

/** What the links that there are make of a document. */
export function linkedDocument(key: Key, links: LinkTexts, maxBytes: number): LinkedDocument {
  const lines: string[] = []
  let bytes = 0
  for (const source of [...links.keys()].sort(compareKeys)) {
    for (const text of links.get(source) as readonly string[]) {
      if (text === '') continue
      bytes += Buffer.byteLength(text) + 1
      if (bytes <= maxBytes) lines.push(text)
    }
  }
  return { key, text: lines.join('\n'), links: countOf(links) }
}

/** Numbers by size, then strings by their UTF-16 units. */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

interface Change {
  readonly texts: readonly string[] | undefined
  /** Texts of links that were not there before. */
  readonly added: readonly string[]
}

class MovedLinks {
  readonly changes: LinkChange[] = []
  /** By target and source. */
  readonly targets = new Map<Key, Map<Key, Change>>()

  /** The links of a document before and after. */
  compare(source: Key, before: LinkTexts, now: LinkTexts): void {
    for (const [target, texts] of now) {
      const known = before.get(target) ?? []
      const isSame =
        before.has(target) && known.length === texts.length && known.every((text, at) => text === texts[at])
      if (!isSame) this.#note(source, target, { texts, added: newTexts(known, texts) })
    }
    for (const target of before.keys()) {
      if (!now.has(target)) this.#note(source, target, { texts: undefined, added: [] })
    }
  }

  #note(source: Key, target: Key, change: Change): void {
    this.changes.push({ source, target, texts: change.texts })
    const changes = this.targets.get(target)
    if (changes === undefined) this.targets.set(target, new Map([[source, change]]))
    else changes.set(source, change)
  }
}

/** A link that only moved within its document is not new, and a second one of the same words is. */
function newTexts(before: readonly string[], now: readonly string[]): string[] {
  const left = [...before]
  return now.filter((text) => {
    const at = left.indexOf(text)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

function after(before: LinkTexts, changes: ReadonlyMap<Key, Change> | undefined): LinkTexts {
  if (changes === undefined) return before
  const links = new Map(before)
  for (const [source, { texts }] of changes) {
    if (texts === undefined) links.delete(source)
    else links.set(source, texts)
  }
  return links
}

function countOf(links: LinkTexts): number {
  let count = 0
  for (const texts of links.values()) count += texts.length
  return count
}
