/**
 * One run of the model test of columns: an index and its twin go through the same random steps. Writes, patches and
 * removals by filters come between searches with filters, sorts, facets, groups, boosts and cursors; in a folder the
 * index is also opened anew, given more columns, and compacted.
 */
import { isDeepStrictEqual } from 'node:util'
import { Freshdex, type OpenOptions, type Query, type SearchOptions, type SearchResult } from 'freshdex'
import { inventText, MIXED, type TextShape, Vocabulary } from '../support/corpus.js'
import type { SeededRandom } from '../support/seed.js'
import {
  COLUMNS,
  generateBoosts,
  generateFacets,
  generateFilter,
  generateMoment,
  generateProperty,
  generateSort,
  generateValues,
  LATER_COLUMNS,
} from './column-generator.js'
import { nearlyEqual } from './comparison.js'
import { standardTokens, withoutAccents } from './configurations.js'
import {
  type NaiveBoost,
  NaiveColumnReader,
  type NaiveColumns,
  type NaiveFilter,
  type NaiveSortBy,
} from './naive-columns.js'
import { type NaiveDocument, NaiveIndex, type NaiveKey } from './naive-index.js'
import type { NaiveQuery } from './naive-matcher.js'
import { generateQuery } from './query-generator.js'

const FIELDS = [
  { name: 'body', boost: 1 },
  { name: 'section', boost: 2 },
]
const TWIN = {
  key: 'id',
  fields: FIELDS,
  scoring: { model: 'bm25', k1: 1.2, b: 0.75 },
  analyze: standardTokens,
  normalize: withoutAccents,
} as const

/** A flush, a fold and a merge are due all the time. */
const UPKEEP = { logBytes: 20_000, foldPostings: 200, phrasePages: 5, packRecords: true, partitionBytes: 4_000 }
/** Of the clock: long before anything expires, so that upkeep removes nothing until a test says so. */
const BEFORE_MS = Date.UTC(2025, 0, 1)

export interface ColumnBudget {
  /** ':memory:' or a folder. */
  readonly path: string
  readonly operations: number
  readonly searches: number
  readonly mostDocuments: number
}

/** What is known of one state of the index. */
interface State {
  readonly twin: NaiveIndex
  readonly columns: NaiveColumns
  /** The places of all documents in order of their numbers. */
  readonly ranks: ReadonlyMap<NaiveKey, number>
}

interface Reader {
  search(query: Query, options?: SearchOptions<NaiveDocument>): SearchResult<NaiveDocument>
}

export class ColumnRun {
  readonly #random: SeededRandom
  readonly #budget: ColumnBudget
  readonly #shape: TextShape
  readonly #twin = new NaiveIndex(TWIN)
  #index!: Freshdex<NaiveDocument>
  #columns: NaiveColumns = COLUMNS
  #ranks: ReadonlyMap<NaiveKey, number> = new Map()
  #nowMs = BEFORE_MS
  readonly counts = {
    operations: 0,
    searches: 0,
    cursors: 0,
    reopenings: 0,
    newColumns: 0,
    expired: 0,
    removedWhere: 0,
  }

  constructor(random: SeededRandom, budget: ColumnBudget) {
    this.#random = random
    this.#budget = budget
    this.#shape = { vocabulary: new Vocabulary(random, 120, MIXED) }
  }

  get index(): Freshdex<NaiveDocument> {
    return this.#index
  }

  /** The columns that the index has by now. */
  get columns(): NaiveColumns {
    return this.#columns
  }

  /** All steps, then the last checks. The index stays open. */
  async play(): Promise<void> {
    await this.#open()
    const { operations, searches } = this.#budget
    while (this.counts.operations < operations || this.counts.searches < searches) {
      await this.#change()
      this.#learnRanks()
      const goal = Math.min(searches, Math.ceil((this.counts.operations / operations) * searches))
      while (this.counts.searches < goal) this.#look(this.#index, this.#state())
    }
    await this.#compact()
    await this.verify(this.#index)
  }

  /** An index that is to be as this one, though its documents may have other numbers: a salvaged one. */
  async verify(index: Freshdex<NaiveDocument>, searches = 50): Promise<void> {
    const report = await index.check()
    if (!report.ok) fail('check', report)
    const ranks = ranksOf(index)
    this.#requireSame('documents', [...ranks.keys()].sort(byText), this.#twin.keys().sort(byText))
    const state = { twin: this.#twin, columns: this.#columns, ranks }
    for (let nth = 0; nth < searches; nth++) this.#look(index, state)
  }

  async #open(): Promise<void> {
    this.#index = await Freshdex.open<NaiveDocument>(this.#budget.path, {
      key: 'id',
      fields: { body: {}, section: { boost: 2 } },
      columns: this.#columns,
      expires: 'until',
      workload: false,
      now: () => this.#nowMs,
      ...(this.#isOnDisk ? { upkeep: UPKEEP } : {}),
    } as OpenOptions<NaiveDocument>)
    await this.#index.reindexing
  }

  get #isOnDisk(): boolean {
    return this.#budget.path !== ':memory:'
  }

  #state(): State {
    return { twin: this.#twin, columns: this.#columns, ranks: this.#ranks }
  }

  async #change(): Promise<void> {
    const way = this.#random.next()
    if (way < 0.08) await this.#patch()
    else if (way < 0.1) await this.#removeWhere()
    else if (way < 0.12) await this.#compact()
    else if (way < 0.16) await this.#goOn()
    else if (way < 0.19 && this.#isOnDisk) await this.#reopen()
    else if (way < 0.2) await this.#snapshotLook()
    else await this.#write()
  }

  async #write(): Promise<void> {
    const random = this.#random
    const keys = new Set<NaiveKey>(Array.from({ length: random.between(1, 12) }, () => this.#key()))
    const put: NaiveDocument[] = []
    const remove: NaiveKey[] = []
    for (const key of keys) {
      const isRemoved = this.#twin.size > this.#budget.mostDocuments ? random.chance(0.9) : random.chance(0.25)
      if (isRemoved) remove.push(key)
      else put.push(this.#document(key))
    }
    this.counts.operations += keys.size
    for (const document of put) this.#twin.put(document)
    for (const key of remove) this.#twin.remove(key)
    await this.#index.write({ put, remove })
  }

  /** Mostly a new version, in which only columns are new, only text, or both. */
  #document(key: NaiveKey): NaiveDocument {
    const random = this.#random
    const before = this.#twin.document(key)
    const body = () => inventText(random, this.#shape, random.between(0, 2))
    const way = random.next()
    if (before === undefined || way < 0.2) return { id: key, body: body(), ...generateValues(random) }
    if (way < 0.4) return { ...before, body: body() }
    const name = random.pick(Object.keys(COLUMNS))
    return { ...before, [name]: generateProperty(random, name), ...(way < 0.6 ? { body: body() } : {}) }
  }

  #key(): NaiveKey {
    const number = this.#random.int(this.#budget.mostDocuments * 1.3)
    return number % 3 === 0 ? number : `/${number}`
  }

  async #patch(): Promise<void> {
    const random = this.#random
    const keys = random.shuffle(this.#twin.keys()).slice(0, random.between(1, 5))
    // A column that is also a field is text, which needs a write.
    const patches = keys.map((key) => {
      const names = random.shuffle(['tags', 'words', 'marks', 'published', 'until', 'draft', 'shelf', 'level'])
      const values = names.slice(0, random.between(1, 3)).map((name) => [name, generateProperty(random, name)])
      return [key, Object.fromEntries(values)] as const
    })
    for (const [key, values] of patches) this.#twin.put({ ...this.#twin.document(key), ...values })
    this.counts.operations += patches.length
    await this.#index.patch(patches as never)
  }

  async #removeWhere(): Promise<void> {
    const random = this.#random
    const filter = { and: [generateFilter(random, this.#columns), { marks: random.between(-3, 12) }] }
    const reader = new NaiveColumnReader(this.#columns)
    const put = random.chance(0.3) ? [this.#document(this.#key())] : []
    const doomed = this.#twin.keys().filter((key) => reader.passes(this.#twin.document(key) as NaiveDocument, filter))
    const removed = doomed.filter((key) => put.every(({ id }) => id !== key))
    for (const key of removed) this.#twin.remove(key)
    for (const document of put) this.#twin.put(document)
    this.counts.operations += removed.length + put.length
    this.counts.removedWhere += removed.length
    const report = await this.#index.write({ put, removeWhere: filter as never })
    this.#requireSame('removed', report.removed, removed.length)
  }

  /** What has expired by the clock leaves. */
  async #compact(): Promise<void> {
    if (this.#random.chance(0.4)) this.#nowMs = generateMoment(this.#random)
    const reader = new NaiveColumnReader({ until: 'date' })
    const expired = this.#twin.keys().filter((key) => !isFound(this.#twin.document(key), reader, this.#nowMs))
    for (const key of expired) this.#twin.remove(key)
    this.counts.operations += expired.length
    this.counts.expired += expired.length
    await this.#index.compact()
    // Upkeep between writes must remove nothing that the twin does not know of.
    this.#nowMs = BEFORE_MS
    this.#requireSame('documents left', this.#index.stats().documents, this.#twin.size)
  }

  async #reopen(): Promise<void> {
    await this.#index.close()
    const later = Object.keys(LATER_COLUMNS).find((name) => !Object.hasOwn(this.#columns, name))
    if (later !== undefined && this.#random.chance(0.5)) {
      this.#columns = { ...this.#columns, [later]: LATER_COLUMNS[later] as 'keyword' }
      this.counts.newColumns++
    }
    await this.#open()
    this.counts.reopenings++
    this.counts.operations++
    if (this.#random.chance(0.3)) {
      const report = await this.#index.check()
      if (!report.ok) fail('check', report)
    }
  }

  async #snapshotLook(): Promise<void> {
    const snapshot = this.#index.snapshot()
    const state = { ...this.#state(), twin: this.#twin.copy() }
    await this.#write()
    this.#look(snapshot as Reader, state)
    this.#look(snapshot as Reader, state)
    snapshot.close()
  }

  /** A document keeps its number as long as its key is in the index. */
  #learnRanks(): void {
    const ranks = ranksOf(this.#index)
    this.#requireSame('number of documents', ranks.size, this.#twin.size)
    const stayed = [...ranks.keys()].filter((key) => this.#twin.document(key) !== undefined)
    this.#requireSame('documents', stayed.length, ranks.size)
    this.#ranks = ranks
  }

  #look(index: Reader, state: State): void {
    this.counts.searches++
    const { query, options, words, filter, sort, atMs } = this.#generate(state)
    const all = { ...options, at: atMs, limit: 10_000 }
    const result = index.search(query, all)
    const facts = { query, options: all }
    const found = result.hits.map(({ key, score }) => ({ key, score }))
    this.#compareHits(found, state, { words, filter, sort, atMs, options }, facts)
    this.#requireSame('total', [result.total, result.isTotalExact], [found.length, true], facts)
    const reader = new NaiveColumnReader(state.columns)
    const documents = found.map(({ key }) => state.twin.document(key) as NaiveDocument)
    for (const facet of (options.facets ?? []) as never[]) {
      const column = typeof facet === 'string' ? facet : (facet as { column: string }).column
      this.#requireSame(`facet ${column}`, result.facets?.[column], reader.facet(documents, facet), facts)
    }
    const way = this.#random.next()
    if (way < 0.3) this.#comparePages(index, query, options, atMs, found)
    else if (way < 0.45) this.#compareGroups(index, query, options, atMs, found, state)
    else if (way < 0.6) {
      const [offset, limit] = [this.#random.int(12), this.#random.int(12)]
      const { hits } = index.search(query, { ...options, at: atMs, offset, limit })
      const expected = found.slice(offset, offset + limit)
      this.#requireSame('page', hits.map(keyOf), expected.map(keyOf), { ...facts, offset, limit })
    }
  }

  #generate({ twin, columns }: State) {
    const random = this.#random
    const source = { random, twin, shape: this.#shape, fields: ['body', 'section'] }
    const isForAll = random.chance(0.3)
    const words: NaiveQuery | undefined = isForAll ? undefined : generateQuery(source)
    const filter: NaiveFilter = random.chance(0.75) ? generateFilter(random, columns) : {}
    const sort = random.chance(0.4) ? generateSort(random, columns) : []
    const options: Record<string, unknown> = {
      countUpTo: Number.POSITIVE_INFINITY,
      ...(Object.keys(filter).length > 0 ? { filter } : {}),
      ...(sort.length > 0 ? { sort: sort.length === 1 ? sort[0] : sort } : {}),
      ...(random.chance(0.3) ? { facets: generateFacets(random, columns) } : {}),
      ...(random.chance(0.15) ? { boosts: generateBoosts(random) } : {}),
    }
    const query = (words ?? (random.chance(0.5) ? '*' : { all: true })) as Query
    const atMs = random.chance(0.5) ? BEFORE_MS : generateMoment(random)
    return { query, words, filter, sort, atMs, options: options as SearchOptions<NaiveDocument> }
  }

  /** Members and scores by the twin; the order by the engine's scores, which are the twin's but for rounding. */
  #compareHits(found: readonly Found[], { twin, columns, ranks }: State, asked: Asked, facts: object): void {
    const reader = new NaiveColumnReader(columns)
    const text = asked.words === undefined ? undefined : twin.search(asked.words).scores
    const boosts = (asked.options.boosts ?? []) as readonly NaiveBoost[]
    const expected = new Map<NaiveKey, number>()
    for (const key of twin.keys()) {
      const document = twin.document(key) as NaiveDocument
      const score = text === undefined ? 1 : text.get(key)
      const isFoundNow = isFound(document, reader, asked.atMs) && reader.passes(document, asked.filter)
      if (score === undefined || !isFoundNow) continue
      expected.set(
        key,
        boosts.reduce((product, boost) => product * reader.factor(document, boost), score),
      )
    }
    this.#requireSame('matches', found.map(keyOf).sort(byText), [...expected.keys()].sort(byText), facts)
    for (const { key, score } of found)
      if (!nearlyEqual(score, expected.get(key) as number))
        fail('score', { key, score, ...facts, expected: expected.get(key) })
    for (let at = 1; at < found.length; at++) {
      const [a, b] = [found[at - 1] as Found, found[at] as Found]
      const ranked = ({ key, score }: Found) => ({ document: twin.document(key) as NaiveDocument, score })
      const order = reader.compare(ranked(a), ranked(b), asked.sort.length === 0 ? ['score'] : asked.sort)
      const tie = (ranks.get(a.key) as number) - (ranks.get(b.key) as number)
      if (order > 0 || (order === 0 && tie >= 0)) {
        const documents = { a: twin.document(a.key), b: twin.document(b.key) }
        fail('order', { at, a, b, documents, order, tie, ...facts })
      }
    }
  }

  /** From cursor to cursor nothing is repeated or left out. */
  #comparePages(index: Reader, query: Query, options: object, at: number, found: readonly Found[]): void {
    const limit = this.#random.between(1, 15)
    const seen: unknown[] = []
    for (let after: string | undefined, pages = 0; pages <= found.length + 1; pages++) {
      const result = index.search(query, { ...options, at, limit, ...(after === undefined ? {} : { after }) })
      seen.push(...result.hits.map(keyOf))
      this.counts.cursors++
      after = result.cursor
      if (after === undefined) break
    }
    this.#requireSame('pages', seen, found.map(keyOf), { query, options, at, limit })
  }

  #compareGroups(
    index: Reader,
    query: Query,
    options: object,
    at: number,
    found: readonly Found[],
    state: State,
  ): void {
    const random = this.#random
    const by = random.pick(Object.keys(state.columns))
    const [size, limit, offset] = [random.between(1, 3), random.between(1, 6), random.int(3)]
    const reader = new NaiveColumnReader(state.columns)
    const groups = new Map<string, { key: NaiveKey; group: unknown }[]>()
    for (const { key } of found) {
      const group = reader.group(state.twin.document(key) as NaiveDocument, by)
      const name = JSON.stringify(group) ?? 'none'
      groups.set(name, [...(groups.get(name) ?? []), { key, group }])
    }
    const chosen = [...groups.values()].slice(offset, offset + limit)
    const expected = chosen.flatMap((hits) => hits.slice(0, size))
    const { hits } = index.search(query, { ...options, at, limit, offset, group: { by, size } } as never)
    const facts = { query, options, at, by, size, limit, offset }
    this.#requireSame(
      'groups',
      hits.map(({ key, group }) => ({ key, group })),
      expected,
      facts,
    )
  }

  /** A cursor goes on in the state that it is of, whatever was written since. */
  async #goOn(): Promise<void> {
    const state = { ...this.#state(), twin: this.#twin.copy() }
    const { query, options, atMs } = this.#generate(state)
    const asked = { ...options, at: atMs }
    const whole = this.#index.search(query, { ...asked, limit: 10_000 })
    const first = this.#index.search(query, { ...asked, limit: 3 })
    const { cursor } = first
    if (cursor === undefined) return
    for (let writes = this.#random.between(1, 3); writes > 0; writes--) await this.#write()
    const rest = this.#index.search(query, { ...asked, limit: 10_000, after: cursor })
    this.counts.cursors++
    const seen = [...first.hits, ...rest.hits].map(keyOf)
    this.#requireSame('hits from page to page over writes', seen, whole.hits.map(keyOf), { query, asked })
  }

  #requireSame(what: string, got: unknown, expected: unknown, facts: object = {}): void {
    if (!isDeepStrictEqual(got, expected)) fail(what, { got, expected, ...facts })
  }
}

interface Found {
  readonly key: NaiveKey
  readonly score: number
}

interface Asked {
  readonly words: NaiveQuery | undefined
  readonly filter: NaiveFilter
  readonly sort: readonly NaiveSortBy[]
  readonly atMs: number
  readonly options: SearchOptions<NaiveDocument>
}

function isFound(document: NaiveDocument | undefined, reader: NaiveColumnReader, atMs: number): boolean {
  const until = reader.values(document ?? {}, 'until') as readonly number[]
  return until.length === 0 || until.some((timeMs) => timeMs > atMs)
}

/** All documents in order of their numbers. */
function ranksOf(index: Freshdex<NaiveDocument>): ReadonlyMap<NaiveKey, number> {
  const { hits } = index.search('*', { limit: 10_000, at: BEFORE_MS })
  return new Map(hits.map(({ key }, rank) => [key, rank]))
}

function keyOf({ key }: { readonly key: NaiveKey }): NaiveKey {
  return key
}

function byText(a: unknown, b: unknown): number {
  const [first, second] = [JSON.stringify(a), JSON.stringify(b)]
  return first < second ? -1 : first > second ? 1 : 0
}

function fail(what: string, facts: object): never {
  throw new Error(`${what}\n${JSON.stringify(facts, undefined, 1).slice(0, 6_000)}`)
}
