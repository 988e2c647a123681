/**
 * The queries of a log in the order of their texts, for completions: those with a beginning that weigh most are found
 * without a look at all that begin so.
 *
 * Queries lie in blocks of neighbours, and each block knows the most that one of them weighs. Weights decay alike, so
 * they are compared by what never changes until a query is asked again: the logarithm of the weight at the beginning of
 * all time.
 *
 * Invariants
 *   C1  queries are in order of their plain texts, then of their names, across all blocks; no block is empty
 *   C2  no query of a block has a higher rank than the block
 */
import { NearBeginnings } from './near-beginnings.js'

export interface CompletedQuery {
  readonly name: string
  /** 0 for a query that begins with the text. */
  readonly edits: number
}

interface Item {
  readonly plain: string
  readonly name: string
  rank: number
}

interface Block {
  readonly items: Item[]
  rank: number
}

const MOST_IN_BLOCK = 256

/** Longer texts are compared without typos. */
const MOST_TOLERANT_UNITS = 64

export class QueryCompletions {
  readonly #plain: (name: string) => string
  readonly #byName = new Map<string, Item>()
  #blocks: Block[] = []

  /** `plain`: the form in which texts are compared. */
  constructor(plain: (name: string) => string) {
    this.#plain = plain
  }

  get size(): number {
    return this.#byName.size
  }

  /** Adds a query, or gives one another rank. */
  set(name: string, rank: number): void {
    const known = this.#byName.get(name)
    if (known === undefined) {
      this.#insert({ plain: this.#plain(name), name, rank })
      return
    }
    known.rank = rank
    const block = this.#blocks[this.#blockOf(known)] as Block
    block.rank = Math.max(block.rank, rank)
  }

  delete(name: string): void {
    const item = this.#byName.get(name)
    if (item === undefined) return
    this.#byName.delete(name)
    const at = this.#blockOf(item)
    const { items } = this.#blocks[at] as Block
    items.splice(items.indexOf(item), 1)
    if (items.length === 0) this.#blocks.splice(at, 1)
  }

  clear(): void {
    this.#byName.clear()
    this.#blocks = []
  }

  /** The queries of the highest ranks that begin with a plain text, at most so many; equal ranks by name. */
  beginningWith(text: string, limit: number): CompletedQuery[] {
    const best = new Best(limit)
    for (let at = this.#firstBlock(text); at < this.#blocks.length; at++) {
      const { items, rank } = this.#blocks[at] as Block
      const isWhole = (items[0] as Item).plain.startsWith(text) && (items.at(-1) as Item).plain.startsWith(text)
      if (!isWhole && isBehind((items[0] as Item).plain, text)) break
      if (best.isFull && rank < best.least) continue
      for (const item of items) if (isWhole || item.plain.startsWith(text)) best.offer(item, 0)
    }
    return best.take()
  }

  /**
   * Queries a beginning of which, or with `isWhole` all of which, is 1 to `edits` edits away from a plain text: the
   * nearest first, then by rank.
   */
  nearTo(text: string, edits: number, limit: number, isWhole = false): CompletedQuery[] {
    if (edits === 0 || text.length > MOST_TOLERANT_UNITS) return []
    const perEdits = Array.from({ length: edits + 1 }, () => new Best(limit))
    const near = new NearBeginnings(text, edits)
    for (const lead of near.leads()) {
      let place = this.#placeOf(lead)
      for (let item = this.#at(place); item?.plain.startsWith(lead); item = this.#at(place)) {
        const distance = near.distance(item.plain)
        if (distance >= 0) {
          const own = isWhole ? near.wholeDistance : distance
          if (own > 0) perEdits[own]?.offer(item, own)
          place = this.#next(place)
        } else {
          // Nothing that begins so is near: on behind all of that.
          place = this.#placeOf(behind(Array.from(item.plain).slice(0, -distance).join('')), place)
        }
      }
    }
    return perEdits.flatMap((best) => best.take()).slice(0, limit)
  }

  #insert(item: Item): void {
    this.#byName.set(item.name, item)
    const at = this.#blockOf(item)
    const block = this.#blocks[at]
    if (block === undefined) {
      this.#blocks.push({ items: [item], rank: item.rank })
      return
    }
    let low = 0
    for (let high = block.items.length; low < high; ) {
      const middle = (low + high) >>> 1
      if (compare(block.items[middle] as Item, item) < 0) low = middle + 1
      else high = middle
    }
    block.items.splice(low, 0, item)
    block.rank = Math.max(block.rank, item.rank)
    if (block.items.length <= MOST_IN_BLOCK) return
    const second = block.items.splice(MOST_IN_BLOCK / 2)
    this.#blocks.splice(at + 1, 0, { items: second, rank: highest(second) })
    block.rank = highest(block.items)
  }

  /** The block that has an item, or where it belongs: the last one that does not begin behind it. */
  #blockOf(item: Item): number {
    let low = 0
    for (let high = this.#blocks.length; low < high; ) {
      const middle = (low + high) >>> 1
      if (compare((this.#blocks[middle] as Block).items[0] as Item, item) <= 0) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  /** The first block that may have a text from `text` on. */
  #firstBlock(text: string, from = 0): number {
    let low = from
    for (let high = this.#blocks.length; low < high; ) {
      const middle = (low + high) >>> 1
      if (((this.#blocks[middle] as Block).items.at(-1) as Item).plain < text) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Where the first text from `text` on stands, not before `from`. */
  #placeOf(text: string, from: Place = { block: 0, at: 0 }): Place {
    const block = this.#firstBlock(text, from.block)
    const items = this.#blocks[block]?.items ?? []
    let low = block === from.block ? from.at : 0
    for (let high = items.length; low < high; ) {
      const middle = (low + high) >>> 1
      if ((items[middle] as Item).plain < text) low = middle + 1
      else high = middle
    }
    return { block, at: low }
  }

  #at({ block, at }: Place): Item | undefined {
    return this.#blocks[block]?.items[at]
  }

  #next({ block, at }: Place): Place {
    return at + 1 < (this.#blocks[block] as Block).items.length ? { block, at: at + 1 } : { block: block + 1, at: 0 }
  }
}

interface Place {
  readonly block: number
  readonly at: number
}

/** The best by rank, ties by name. */
class Best {
  readonly #limit: number
  readonly #found: { readonly item: Item; readonly edits: number }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.#found.length >= this.#limit
  }

  /** REQUIRES: isFull. */
  get least(): number {
    return this.#found.at(-1)?.item.rank ?? Number.POSITIVE_INFINITY
  }

  offer(item: Item, edits: number): void {
    let at = this.#found.length
    while (at > 0 && isBetter(item, (this.#found[at - 1] as { item: Item }).item)) at--
    if (at >= this.#limit) return
    this.#found.splice(at, 0, { item, edits })
    if (this.#found.length > this.#limit) this.#found.pop()
  }

  take(): CompletedQuery[] {
    return this.#found.map(({ item, edits }) => ({ name: item.name, edits }))
  }
}

function isBetter(a: Item, b: Item): boolean {
  return a.rank > b.rank || (a.rank === b.rank && a.name < b.name)
}

function compare(a: Item, b: Item): number {
  if (a.plain !== b.plain) return a.plain < b.plain ? -1 : 1
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

function highest(items: readonly Item[]): number {
  return items.reduce((rank, item) => Math.max(rank, item.rank), Number.NEGATIVE_INFINITY)
}

/** Whether a text comes behind all that begin with `beginning`. */
function isBehind(text: string, beginning: string): boolean {
  return text > beginning && !text.startsWith(beginning)
}

/** The least text behind all that begin with `beginning`: strings are compared by UTF-16 units. */
function behind(beginning: string): string {
  for (let at = beginning.length - 1; at >= 0; at--) {
    const unit = beginning.charCodeAt(at)
    if (unit < 0xffff) return beginning.slice(0, at) + String.fromCharCode(unit + 1)
  }
  return `${beginning}\uffff`
}
