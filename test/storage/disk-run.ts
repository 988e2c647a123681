/**
 * One run of the model test in a folder. An index and its twin go through the same random steps, and between them the
 * index is closed and opened anew, compacted, copied, frozen in snapshots and followed by a reader that has opened the
 * same folder. Thresholds of upkeep are so small that a flush or a fold is due after most batches.
 */
import { rmSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type CheckLevel, Freshdex, type OpenOptions, type Query, type ReopenOptions, type Snapshot } from 'freshdex'
import type { Configuration } from '../model/configurations.js'
import { generateKey } from '../model/document-generator.js'
import { HitOrder } from '../model/hit-order.js'
import { type NaiveDocument, NaiveIndex, type NaiveKey } from '../model/naive-index.js'
import type { NaiveQuery } from '../model/naive-matcher.js'
import { QueryCheck, type SearchOptions, storedForm, type View } from '../model/query-check.js'
import { generateQuery } from '../model/query-generator.js'
import type { SeededRandom } from '../support/seed.js'
import { type BatchSize, generateBatch, writerOptions } from './disk-batches.js'

const ALL: SearchOptions = { limit: 10_000 }
const EVERY_DOCUMENT: NaiveQuery = { not: { word: 'thiswordisnowhere' } }
const MOST_SNAPSHOTS = 4
const QUERIES_PER_LOOK = 3
/** The reader follows by catchUp() alone, so that it is known what it has to be like. */
const NEVER_MS = 2 ** 31 - 1

interface Held {
  readonly view: View
  readonly handle: Snapshot<NaiveDocument>
}

export interface DiskRunOptions extends BatchSize {
  readonly folder: string
  readonly steps: number
}

export class DiskRun {
  readonly #random: SeededRandom
  readonly #configuration: Configuration
  readonly #options: DiskRunOptions
  readonly #twin: NaiveIndex
  readonly #check: QueryCheck
  readonly #snapshots: Held[] = []
  #index: Freshdex<NaiveDocument>
  #order = new HitOrder()
  #follower: { readonly index: Freshdex<NaiveDocument>; view: View; snapshot?: Held } | undefined
  #step = 0
  #copies = 0
  /** How often each thing happened: a run in which something never did tests less than it says. */
  readonly counts = { batches: 0, queries: 0, flushes: 0, compactions: 0, reopenings: 0, backups: 0, catchUps: 0 }

  private constructor(
    random: SeededRandom,
    configuration: Configuration,
    options: DiskRunOptions,
    index: Freshdex<NaiveDocument>,
  ) {
    this.#random = random
    this.#configuration = configuration
    this.#options = options
    this.#index = index
    this.#twin = new NaiveIndex(configuration.twin)
    this.#check = new QueryCheck(random, configuration)
  }

  static async open(random: SeededRandom, configuration: Configuration, options: DiskRunOptions): Promise<DiskRun> {
    const index = await Freshdex.open<NaiveDocument>(options.folder, {
      ...configuration.options,
      ...writerOptions(random),
    })
    return new DiskRun(random, configuration, options, index)
  }

  /** All steps, then the last checks, then everything once more after a last opening. */
  async play(): Promise<void> {
    for (this.#step = 1; this.#step <= this.#options.steps; this.#step++) {
      await this.#change()
      this.#look(this.#view())
      for (const { view, handle } of this.#snapshots) {
        if (this.#random.chance(0.3)) this.#look(view)
        if (this.#random.chance(0.1)) this.#compareAll(handle, view.twin)
      }
      if (this.#follower !== undefined && this.#random.chance(0.5)) this.#lookAtFollower()
    }
    await this.#endFollower()
    await this.#checkIndex(3)
    await this.#reopen()
    await this.#checkIndex(3)
    for (const key of this.#twin.keys()) this.#compareDocument(this.#view(), key)
    this.#compareAll(this.#index, this.#twin)
    for (let nth = 0; nth < 10; nth++) this.#look(this.#view())
  }

  async close(): Promise<void> {
    await this.#follower?.index.close()
    await this.#index.close()
  }

  #view(): View {
    return { reader: this.#index, twin: this.#twin, order: this.#order }
  }

  async #change(): Promise<void> {
    const way = this.#random.next()
    if (way < 0.04) await this.#compact()
    else if (way < 0.07) await this.#checkIndex(this.#random.pick<CheckLevel>([1, 2, 3]))
    else if (way < 0.11) await this.#reopen()
    else if (way < 0.14) await this.#backup()
    else if (way < 0.2) this.#takeSnapshot()
    else if (way < 0.24) this.#letSnapshotGo()
    else if (way < 0.36) await this.#follow()
    else if (way < 0.38) await this.#endFollower()
    else await this.#write()
  }

  async #write(): Promise<void> {
    const before: View = { reader: this.#index, twin: this.#twin.copy(), order: this.#order.fork() }
    const flushed = this.#index.stats().disk?.flushedSequence
    const writes = [this.#startWrite()]
    while (this.#random.chance(0.2)) writes.push(this.#startWrite())
    if (this.#random.chance(0.5)) this.#look(before)
    await Promise.all(writes)
    if (this.#index.stats().disk?.flushedSequence !== flushed) this.counts.flushes++
    this.#learnOrder()
  }

  async #startWrite(): Promise<void> {
    const { put, remove } = generateBatch(this.#random, this.#configuration, this.#twin, this.#options)
    const expected = { added: 0, replaced: 0, unchanged: 0, removed: 0, missing: 0 }
    for (const document of put) {
      const outcome = this.#twin.put(document)
      expected[outcome]++
      if (outcome === 'added') this.#order.added(document.id as NaiveKey)
    }
    for (const key of remove) {
      expected[this.#twin.remove(key) ? 'removed' : 'missing']++
      this.#order.removed(key)
    }
    this.counts.batches++
    const { added, replaced, unchanged, removed, missing } = await this.#index.write({ put, remove })
    const got = { added, replaced, unchanged, removed, missing }
    if (!isDeepStrictEqual(got, expected)) this.#fail('report of the write', { put, remove, got, expected })
  }

  /** Without a page weight all documents score alike in this search, so that it shows their internal order. */
  #learnOrder(): void {
    if (this.#configuration.weight !== undefined) return
    const { hits, total } = this.#index.search(EVERY_DOCUMENT as Query, ALL)
    if (total !== this.#twin.size) this.#fail('number of documents', { total, expected: this.#twin.size })
    const contradiction = this.#order.learn(hits.map(({ key }) => key))
    if (contradiction !== undefined) this.#fail(contradiction, {})
  }

  async #compact(): Promise<void> {
    await this.#index.compact()
    const { pendingPostings, disk } = this.#index.stats()
    if (pendingPostings !== 0 || disk?.logBytes !== 0) this.#fail('left by compact', { pendingPostings, disk })
    this.counts.compactions++
  }

  /** What an analyzer of the user did cannot be remembered; all the rest need not be said again. */
  async #reopen(): Promise<void> {
    this.#snapshots.length = 0
    await this.#index.close()
    const { options } = this.#configuration
    const { analyzer } = options
    const again: OpenOptions<NaiveDocument> | ReopenOptions<NaiveDocument> = this.#random.chance(0.5)
      ? options
      : typeof analyzer === 'object'
        ? { analyzer }
        : {}
    this.#index = await Freshdex.open<NaiveDocument>(this.#options.folder, {
      ...again,
      ...writerOptions(this.#random),
    } as OpenOptions<NaiveDocument>)
    this.counts.reopenings++
    this.#checkCounts(this.#view())
    this.#learnOrder()
  }

  async #backup(): Promise<void> {
    const folder = `${this.#options.folder}-copy-${++this.#copies}`
    await this.#index.backup(folder)
    const { analyzer } = this.#configuration.options
    const copy = await Freshdex.open<NaiveDocument>(folder, typeof analyzer === 'object' ? { analyzer } : {})
    const view: View = { reader: copy, twin: this.#twin, order: this.#order }
    this.#checkCounts(view)
    this.#look(view)
    const report = await copy.check()
    if (!report.ok) this.#fail('check of a copy', report)
    await copy.close()
    rmSync(folder, { recursive: true })
    this.counts.backups++
  }

  #takeSnapshot(): void {
    if (this.#snapshots.length >= MOST_SNAPSHOTS) this.#letSnapshotGo()
    this.#snapshots.push(this.#held(this.#index, this.#view()))
  }

  #held(index: Freshdex<NaiveDocument>, { twin, order }: View): Held {
    const handle = index.snapshot()
    return { handle, view: { reader: handle, twin: twin.copy(), order: order.fork() } }
  }

  /** Closed or just dropped. */
  #letSnapshotGo(): void {
    if (this.#snapshots.length === 0) return
    const [gone] = this.#snapshots.splice(this.#random.int(this.#snapshots.length), 1)
    if (this.#random.chance(0.7)) gone?.handle.close()
  }

  async #follow(): Promise<void> {
    const { analyzer } = this.#configuration.options
    if (this.#follower === undefined) {
      const index = await Freshdex.open<NaiveDocument>(this.#options.folder, {
        ...(typeof analyzer === 'object' ? { analyzer } : {}),
        readOnly: true,
        pollMs: NEVER_MS,
      })
      this.#follower = { index, view: this.#view() }
    } else {
      if (this.#random.chance(0.5)) {
        this.#follower.snapshot?.handle.close()
        this.#follower.snapshot = this.#held(this.#follower.index, this.#follower.view)
      }
      await this.#follower.index.catchUp()
      this.counts.catchUps++
    }
    this.#follower.view = { reader: this.#follower.index, twin: this.#twin.copy(), order: this.#order.fork() }
    this.#lookAtFollower()
    if (this.#random.chance(0.1)) {
      const report = await this.#follower.index.check()
      if (!report.ok) this.#fail('check of a reader', report)
    }
  }

  #lookAtFollower(): void {
    if (this.#follower === undefined) return
    this.#checkCounts(this.#follower.view)
    this.#look(this.#follower.view)
    if (this.#random.chance(0.2)) this.#compareAll(this.#follower.index, this.#follower.view.twin)
    if (this.#follower.snapshot !== undefined) this.#look(this.#follower.snapshot.view)
  }

  async #endFollower(): Promise<void> {
    await this.#follower?.index.close()
    this.#follower = undefined
  }

  async #checkIndex(level: CheckLevel): Promise<void> {
    const report = await this.#index.check({ level })
    if (!report.ok) this.#fail(`check ${level}`, report)
    this.#checkCounts(this.#view())
  }

  #checkCounts({ reader, twin }: View): void {
    const { documents, postings, fields } = reader.stats()
    const got = { documents, postings, fields }
    const expected = twin.counts()
    if (!isDeepStrictEqual(got, expected)) this.#fail('counts', { got, expected })
  }

  #look(view: View): void {
    const random = this.#random
    for (let nth = 0; nth < QUERIES_PER_LOOK; nth++) {
      const fields = this.#configuration.twin.fields.map(({ name }) => name)
      const query = generateQuery({ random, twin: view.twin, shape: this.#configuration.shape, fields })
      const options: SearchOptions = { limit: random.pick([3, 10, 10_000]), docs: random.chance(0.5) }
      this.counts.queries++
      const found = this.#check.compare(view, query, options)
      if (found !== undefined) this.#fail(found.what, found.facts)
    }
    const keys = view.twin.keys()
    this.#compareDocument(view, keys.length > 0 && random.chance(0.8) ? random.pick(keys) : generateKey(random))
  }

  #compareDocument({ reader, twin }: View, key: NaiveKey): void {
    const document = twin.document(key)
    const expected = document && storedForm(this.#configuration, document)
    const got = reader.get(key)
    if (!isDeepStrictEqual(got, expected)) this.#fail('get', { key, got, expected })
    if (reader.has(key) !== (document !== undefined)) this.#fail('has', { key })
  }

  #compareAll(reader: Pick<Snapshot<NaiveDocument>, 'documents'>, twin: NaiveIndex): void {
    const got = new Map([...reader.documents()].map((document) => [document.id, document]))
    const expected = new Map(twin.keys().map((key) => [key, storedForm(this.#configuration, twin.document(key) ?? {})]))
    if (!isDeepStrictEqual(got, expected)) this.#fail('documents', { got: [...got], expected: [...expected] })
  }

  #fail(what: string, facts: object): never {
    const text = JSON.stringify(facts, undefined, 1)
    throw new Error(`${this.#configuration.name}, step ${this.#step}: ${what}\n${text.slice(0, 6_000)}`)
  }
}
