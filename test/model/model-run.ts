/**
 * One run of the model test: an index and its twin go through the same random steps, and every answer is compared.
 * The first difference ends the run with an error that names the step and the smallest part of the query that differs.
 */
import { isDeepStrictEqual } from 'node:util'
import { Freshdex, type Query, type Snapshot } from 'freshdex'
import type { SeededRandom } from '../support/seed.js'
import { nearlyEqual } from './comparison.js'
import type { Configuration } from './configurations.js'
import { editDocument, generateDocument, generateKey } from './document-generator.js'
import { HitOrder } from './hit-order.js'
import { type NaiveDocument, NaiveIndex, type NaiveKey } from './naive-index.js'
import type { NaiveQuery } from './naive-matcher.js'
import { QueryCheck, type SearchOptions, storedForm, type View } from './query-check.js'
import { generateQuery, type QuerySource } from './query-generator.js'

export interface Budget {
  /** Puts and removals of documents, and other calls but searches. */
  readonly operations: number
  readonly queries: number
  readonly fewestDocuments: number
  readonly mostDocuments: number
  readonly largestBatch: number
}

interface Batch {
  readonly put: NaiveDocument[]
  readonly remove: NaiveKey[]
}

const ALL: SearchOptions = { limit: 10_000 }
const EVERY_DOCUMENT: NaiveQuery = { not: { word: 'thiswordisnowhere' } }
const MOST_SNAPSHOTS = 4

export class ModelRun {
  readonly #random: SeededRandom
  readonly #configuration: Configuration
  readonly #budget: Budget
  readonly #index: Freshdex<NaiveDocument>
  readonly #twin: NaiveIndex
  readonly #order = new HitOrder()
  readonly #snapshots: { readonly view: View; readonly handle: Snapshot<NaiveDocument> }[] = []
  readonly #gone: NaiveDocument[] = []
  readonly #check: QueryCheck
  #step = 0
  operations = 0
  queries = 0

  private constructor(
    random: SeededRandom,
    configuration: Configuration,
    budget: Budget,
    index: Freshdex<NaiveDocument>,
  ) {
    this.#random = random
    this.#configuration = configuration
    this.#budget = budget
    this.#index = index
    this.#twin = new NaiveIndex(configuration.twin)
    this.#check = new QueryCheck(random, configuration)
  }

  static async open(random: SeededRandom, configuration: Configuration, budget: Budget): Promise<ModelRun> {
    const index = await Freshdex.open<NaiveDocument>(':memory:', configuration.options)
    return new ModelRun(random, configuration, budget, index)
  }

  /** Steps until both budgets are used up, then the last checks; the index stays open. */
  async play(): Promise<void> {
    while (this.operations < this.#budget.operations || this.queries < this.#budget.queries) {
      this.#step++
      await this.#change()
      const share = this.#budget.queries / this.#budget.operations
      while (this.queries < Math.min(this.#budget.queries, this.operations * share)) this.#look()
    }
    for (const { handle } of this.#snapshots.splice(0)) handle.close()
    await this.#checkIndex()
  }

  /**
   * An index built from nothing but the documents that are left answers alike: same totals and scores, whatever came
   * before.
   */
  async compareWithFresh(queries: number): Promise<void> {
    const fresh = await Freshdex.open<NaiveDocument>(':memory:', this.#configuration.options)
    const documents = this.#twin.keys().map((key) => this.#twin.document(key) as NaiveDocument)
    await fresh.write({ put: documents })
    for (let nth = 0; nth < queries; nth++) {
      const query = generateQuery(this.#querySource(this.#view()))
      const old = this.#index.search(query as Query, ALL)
      const anew = fresh.search(query as Query, ALL)
      const scores = new Map(anew.hits.map(({ key, score }) => [key, score]))
      const alike =
        old.total === anew.total && old.hits.every(({ key, score }) => nearlyEqual(score, scores.get(key) ?? -1))
      if (!alike)
        throw new Error(`${JSON.stringify(query)}\nedited: ${JSON.stringify(old)}\nfresh: ${JSON.stringify(anew)}`)
    }
    await fresh.close()
  }

  async close(): Promise<void> {
    await this.#index.close()
  }

  #view(): View {
    return { reader: this.#index, twin: this.#twin, order: this.#order }
  }

  async #change(): Promise<void> {
    const way = this.#random.next()
    if (way < 0.02) await this.#index.compact()
    else if (way < 0.03) await this.#checkIndex()
    else if (way < 0.08) this.#takeSnapshot()
    else if (way < 0.12) this.#closeSnapshot()
    else return this.#write()
    this.operations++
  }

  async #write(): Promise<void> {
    const before: View = { reader: this.#index, twin: this.#twin.copy(), order: this.#order.fork() }
    const writes = [this.#startWrite()]
    if (this.#random.chance(0.1)) writes.push(this.#startWrite())
    if (this.#random.chance(0.2)) this.#compare(before, generateQuery(this.#querySource(before)), {})
    await Promise.all(writes)
    this.#learnOrder()
  }

  async #startWrite(): Promise<void> {
    const batch = this.#generateBatch()
    this.operations += batch.put.length + batch.remove.length
    const expected = { added: 0, replaced: 0, unchanged: 0, removed: 0, missing: 0 }
    for (const document of batch.put) {
      const outcome = this.#twin.put(document)
      expected[outcome]++
      if (outcome === 'added') this.#order.added(document.id as NaiveKey)
    }
    for (const key of batch.remove) {
      const document = this.#twin.document(key)
      if (document !== undefined) this.#gone.push(document)
      expected[this.#twin.remove(key) ? 'removed' : 'missing']++
      this.#order.removed(key)
    }
    const { added, replaced, unchanged, removed, missing } = await this.#index.write(batch)
    const got = { added, replaced, unchanged, removed, missing }
    if (!isDeepStrictEqual(got, expected)) this.#fail('report of the write', { batch, got, expected })
  }

  #generateBatch(): Batch {
    const random = this.#random
    const { fewestDocuments, mostDocuments, largestBatch } = this.#budget
    const used = new Set<NaiveKey>()
    const batch: Batch = { put: [], remove: [] }
    const size = random.chance(0.05)
      ? 0
      : random.between(1, random.chance(0.1) ? largestBatch : Math.ceil(largestBatch / 6))
    const crowding = (this.#twin.size - fewestDocuments) / (mostDocuments - fewestDocuments)
    const keys = this.#twin.keys()
    for (let nth = 0; nth < size; nth++) {
      const known =
        keys.length > 0 && random.chance(crowding < 0 ? 0.3 : 0.6 + 0.4 * crowding) ? random.pick(keys) : undefined
      const key = known ?? generateKey(random)
      if (used.has(key)) continue
      used.add(key)
      const document = this.#twin.document(key)
      if (random.next() < 0.02 + crowding * 0.3) batch.remove.push(key)
      else if (document !== undefined) batch.put.push(editDocument(random, this.#configuration, document))
      else batch.put.push(this.#returning(key, used) ?? generateDocument(random, this.#configuration, key))
    }
    return batch
  }

  /** Now and then a removed document comes back as it was. */
  #returning(key: NaiveKey, used: Set<NaiveKey>): NaiveDocument | undefined {
    const document = this.#random.chance(0.3) ? this.#gone.pop() : undefined
    if (document === undefined) return undefined
    const old = document.id as NaiveKey
    if (old !== key && (used.has(old) || this.#twin.document(old) !== undefined)) return undefined
    used.add(old)
    return document
  }

  /** Without a page weight all documents score alike in this search, so that it shows their internal order. */
  #learnOrder(): void {
    if (this.#configuration.weight !== undefined) return
    const { hits, total } = this.#index.search(EVERY_DOCUMENT as Query, ALL)
    if (total !== this.#twin.size) this.#fail('number of documents', { total, expected: this.#twin.size })
    const contradiction = this.#order.learn(hits.map(({ key }) => key))
    if (contradiction !== undefined) this.#fail(contradiction, {})
  }

  #takeSnapshot(): void {
    if (this.#snapshots.length >= MOST_SNAPSHOTS) this.#closeSnapshot()
    const handle = this.#index.snapshot()
    this.#snapshots.push({ handle, view: { reader: handle, twin: this.#twin.copy(), order: this.#order.fork() } })
  }

  #closeSnapshot(): void {
    if (this.#snapshots.length === 0) return
    const [closed] = this.#snapshots.splice(this.#random.between(0, this.#snapshots.length - 1), 1)
    closed?.handle.close()
  }

  async #checkIndex(): Promise<void> {
    const report = await this.#index.check()
    if (!report.ok) this.#fail('check', report)
    this.#checkCounts(this.#view())
  }

  #checkCounts({ reader, twin }: View): void {
    const { documents, postings, fields } = reader.stats()
    const got = { documents, postings, fields }
    const expected = twin.counts()
    if (!isDeepStrictEqual(got, expected)) this.#fail('counts', { got, expected })
  }

  #look(): void {
    const random = this.#random
    const held = this.#snapshots.length > 0 && random.chance(0.25) ? random.pick(this.#snapshots).view : undefined
    const view = held ?? this.#view()
    if (random.chance(0.1)) this.#compareDocument(view)
    if (held !== undefined) this.#checkCounts(view)
    const names = this.#configuration.twin.fields.map(({ name }) => name)
    const fields = random.chance(0.15) ? names.filter(() => random.chance(0.6)) : []
    const selected = fields.length > 0 ? fields : undefined
    const query = generateQuery(this.#querySource(view))
    this.#compare(view, query, { ...this.#generateOptions(), ...(selected ? { fields: selected } : {}) })
  }

  #querySource({ twin }: View): QuerySource {
    const fields = this.#configuration.twin.fields.map(({ name }) => name)
    return { random: this.#random, twin, shape: this.#configuration.shape, fields }
  }

  #generateOptions(): SearchOptions {
    const random = this.#random
    return {
      ...(random.chance(0.7) ? { limit: random.pick([0, 1, 2, 3, 7, 10, 50, 500, 10_000]) } : {}),
      ...(random.chance(0.2) ? { offset: random.pick([0, 1, 2, 5, 10, 60, 1_000_000]) } : {}),
      ...(random.chance(0.3) ? { operator: random.pick(['and', 'or'] as const) } : {}),
      ...(random.chance(0.1) ? { docs: true } : {}),
      ...(random.chance(0.05) ? { explain: true } : {}),
    }
  }

  #compareDocument({ reader, twin }: View): void {
    const key = twin.size > 0 && this.#random.chance(0.8) ? this.#random.pick(twin.keys()) : generateKey(this.#random)
    const document = twin.document(key)
    const expected = document && storedForm(this.#configuration, document)
    const got = reader.get(key)
    this.operations++
    if (!isDeepStrictEqual(got, expected)) this.#fail('get', { key, got, expected })
    if (reader.has(key) !== (document !== undefined)) this.#fail('has', { key })
  }

  #compare(view: View, query: NaiveQuery, options: SearchOptions): void {
    this.queries++
    const found = this.#check.compare(view, query, options)
    if (found !== undefined) this.#fail(found.what, found.facts)
  }

  #fail(what: string, facts: object): never {
    const text = JSON.stringify(facts, undefined, 1)
    throw new Error(`${this.#configuration.name}, step ${this.#step}: ${what}\n${text.slice(0, 6_000)}`)
  }
}
