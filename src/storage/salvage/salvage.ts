/**
 * Builds a new index from what is intact of a damaged one. A document comes back from its stored copy when that holds
 * all that is indexed, else from its forward record in the segments, which is enough to make its postings anew without
 * its text. What was known of its refreshes comes along: see ledger.ts.
 */
import { rm } from 'node:fs/promises'
import type { Analyzer } from '../../analysis/analyzer.js'
import { readOptions } from '../../base/checks.js'
import { describe } from '../../base/describe.js'
import { FreshdexError } from '../../base/errors.js'
import { Gate } from '../../base/gate.js'
import type { Key } from '../../base/keys.js'
import { createCatalog, readMoment } from '../../catalog/catalog.js'
import { IndexIdentity } from '../../catalog/identity.js'
import { segmentCount } from '../../catalog/state.js'
import { StoredView } from '../../catalog/stored-view.js'
import type { NativeIndex } from '../../core/addon-shape.js'
import { BatchEncoder, joinStored } from '../../core/batch.js'
import { callNative, loadAddon } from '../../core/binding.js'
import { encodeLinked } from '../../core/link-slab.js'
import { QueryEncoder } from '../../core/query-wire.js'
import { ResultRoom } from '../../core/result-room.js'
import { linkedDocument } from '../../links/link-moves.js'
import { type OpenSettings, resolveDiskOptions } from '../../options/index-settings.js'
import { decodeStored, encodeStored } from '../../options/stored-form.js'
import { type DurableBatch, finishWrite } from '../../write/pipeline.js'
import { giveName, newPartial, refuseExisting } from '../backup.js'
import { DiskStorage } from '../disk.js'
import { IndexFolder } from '../folder.js'
import { type FolderSetup, hashFor, openCore } from '../open-core.js'
import { settingsOfExisting } from '../open-folder.js'
import { type Salvaged, type SalvagedRefresh, SalvagedRefreshes } from './ledger.js'
import { SalvagedLinks } from './links.js'
import { SalvagedRecords } from './records.js'
import { type CatalogDocument, SalvageSource } from './source.js'

export interface SalvageOptions {
  /** Needed when the index was made with an analyzer that is not one of ours. */
  readonly analyzer?: Analyzer
  /** Called now and then with the number of documents written so far. */
  readonly onProgress?: (documents: number) => void
}

export interface SalvageReport {
  readonly path: string
  /** Documents of the new index. */
  readonly documents: number
  /** Documents made again from their stored copy. */
  readonly fromStored: number
  /** Documents made from their forward record. */
  readonly fromRecord: number
  /** Documents made from their forward record without a stored copy: get() gives the key alone. */
  readonly withoutStored: number
  /** Documents made from a forward record that is older than the last write of the document. */
  readonly outdated: number
  /** Documents that are known to have been there and could not be brought back. */
  readonly lost: readonly { readonly key: Key; readonly reason: string }[]
  /** What was found damaged, in words. */
  readonly problems: readonly string[]
  /** What the index knew besides its documents. */
  readonly refresh: SalvagedRefresh
}

/** Documents of one write. */
const BATCH = 500

/** The damaged index is only read. The new one appears when it is complete. */
export async function salvageFolder(path: string, target: string, options?: SalvageOptions): Promise<SalvageReport> {
  for (const [name, value] of Object.entries({ path, target })) {
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${name} must be a string, received ${describe(value)}`)
  }
  const { analyzer, onProgress } = readOptions('salvage', options, ['analyzer', 'onProgress'])
  const from = new IndexFolder(path)
  from.requirePlain()
  if (!from.hasCatalog) throw from.notFound()
  const to = new IndexFolder(target)
  await refuseExisting(to.path)
  const source = new SalvageSource(from.catalog)
  const partial = await newPartial(to)
  try {
    const settings = await settingsOf(source, from, analyzer)
    const salvager = await Salvager.create(source, from, partial, settings, onProgress as SalvageOptions['onProgress'])
    const report = await salvager.run()
    await giveName(partial, to)
    return { path: to.path, ...report }
  } finally {
    source.close()
    await rm(partial.path, { recursive: true, force: true })
  }
}

/** What the catalog says of the index has not been verified here: nonsense is damage and not misuse. */
async function settingsOf(source: SalvageSource, from: IndexFolder, analyzer: unknown): Promise<OpenSettings> {
  try {
    return await settingsOfExisting(source.identity, { analyzer }, from.path)
  } catch (cause) {
    if (cause instanceof FreshdexError) throw cause
    const message = `'${from.catalog}' is damaged: what it says of the index is malformed`
    throw new FreshdexError('CORRUPT', message, { cause, detail: { file: from.catalog } })
  }
}

class Salvager {
  readonly #source: SalvageSource
  readonly #settings: OpenSettings
  readonly #storage: DiskStorage<object>
  readonly #records: SalvagedRecords
  readonly #encoder: BatchEncoder
  readonly #onProgress: (documents: number) => void
  readonly #keys = new Set<Key>()
  readonly #lost: { key: Key; reason: string }[] = []
  readonly #counts = { fromStored: 0, fromRecord: 0, withoutStored: 0, outdated: 0 }
  readonly #refreshes: SalvagedRefreshes
  /** Undefined where the index reads no links. */
  readonly #links: SalvagedLinks | undefined
  #puts: (Salvaged & { readonly key: Key; readonly document: object })[] = []
  #takeOvers: (Salvaged & { readonly key: Key; readonly stored: Uint8Array })[] = []

  private constructor(
    source: SalvageSource,
    settings: OpenSettings,
    storage: DiskStorage<object>,
    records: SalvagedRecords,
    onProgress: (documents: number) => void,
  ) {
    this.#source = source
    this.#settings = settings
    this.#storage = storage
    this.#records = records
    this.#encoder = new BatchEncoder(settings)
    this.#onProgress = onProgress
    this.#refreshes = new SalvagedRefreshes(source, Date.now())
    this.#links = settings.links && new SalvagedLinks(source, settings)
  }

  static async create(
    source: SalvageSource,
    from: IndexFolder,
    to: IndexFolder,
    settings: OpenSettings,
    onProgress: SalvageOptions['onProgress'] = () => {},
  ): Promise<Salvager> {
    to.create()
    const addon = loadAddon()
    const lock = callNative(() => new addon.FileLock(to.lock))
    // The seed is that of the old index: its records have hashes under this seed.
    const identity = IndexIdentity.create(settings, source.identity.schema.seed)
    createCatalog(to.catalog, identity, hashFor)
    const core = { folder: to, identity, settings, disk: resolveDiskOptions({}), now: Date.now, wantsSketches: true }
    const storage = await DiskStorage.open<object>(core, lock, {
      settings,
      gate: new Gate(),
      queries: new QueryEncoder(settings),
      now: core.now,
      room: new ResultRoom(),
    })
    try {
      const records = await readRecords(source, { ...core, folder: from, identity: source.identity }, storage)
      return new Salvager(source, settings, storage, records, onProgress)
    } catch (error) {
      await storage.close()
      throw error
    }
  }

  async run(): Promise<Omit<SalvageReport, 'path'>> {
    try {
      for (const document of this.#source.documents()) {
        this.#records.seen(document.number)
        this.#choose(document)
        await this.#writeIfFull()
      }
      // Records that the catalog does not know belong to documents that were removed, unless it has forgotten some.
      if (!this.#source.areDocumentsWhole) await this.#takeUnseen()
      await this.#write()
      await this.#relink()
      await this.#refreshes.finish(this.#storage.rows, (key) => this.#keys.has(key))
    } finally {
      await this.#storage.close()
    }
    const documents = this.#counts.fromStored + this.#counts.fromRecord
    return {
      documents,
      ...this.#counts,
      lost: this.#lost,
      problems: this.#source.problems,
      refresh: this.#refreshes.report,
    }
  }

  #choose({ number, key, stored }: CatalogDocument): void {
    const record = this.#records.recordOf(number, key)
    const isAsWritten = record?.isNewest
      ? this.#records.hash(stored) === record.storedHash
      : this.#canDecode(stored, key)
    if (this.#keys.has(key)) {
      this.#lose(key, 'its key is there twice')
    } else if (isAsWritten && this.#holdsEverything) {
      this.#put(number, stored, key)
    } else if (record !== undefined) {
      this.#take(number, key, isAsWritten ? stored : undefined, record.isNewest)
    } else {
      this.#lose(key, isAsWritten ? 'its record is damaged' : 'its record and its stored copy are damaged')
    }
  }

  async #takeUnseen(): Promise<void> {
    for (const { number, key, isIntact, isNewest } of this.#records.unseen()) {
      if (this.#keys.has(key)) continue
      if (isIntact) this.#take(number, key, undefined, isNewest)
      else this.#lose(key, 'its record and its stored copy are damaged')
      await this.#writeIfFull()
    }
  }

  #put(number: number, stored: Uint8Array, key: Key): void {
    const document = decodeStored<object>(stored, this.#settings.key, key)
    this.#keys.add(key)
    this.#puts.push({ number, isNewest: true, key, document })
    this.#counts.fromStored++
  }

  #take(number: number, key: Key, stored: Uint8Array | undefined, isNewest: boolean): void {
    this.#keys.add(key)
    const keyAlone = () => Buffer.from(encodeStored({}, this.#settings.key, key, 'all'))
    this.#takeOvers.push({ number, isNewest, key, stored: stored ?? keyAlone() })
    this.#counts.fromRecord++
    if (stored === undefined) this.#counts.withoutStored++
    if (!isNewest) this.#counts.outdated++
  }

  #lose(key: Key, reason: string): void {
    this.#lost.push({ key, reason })
  }

  /** Whether stored copies have everything that is indexed. */
  get #holdsEverything(): boolean {
    const { stored, fieldNames, scoring, links } = this.#settings
    const ownFields = fieldNames.filter((name) => name !== links?.field)
    const needed = scoring.weight === undefined ? ownFields : [...ownFields, scoring.weight]
    return stored === 'all' || needed.every((name) => stored.includes(name))
  }

  #canDecode(stored: Uint8Array, key: Key): boolean {
    try {
      const document = decodeStored<Record<string, unknown>>(stored, this.#settings.key, key)
      return typeof document === 'object' && document !== null && document[this.#settings.key] === key
    } catch {
      return false
    }
  }

  async #writeIfFull(): Promise<void> {
    if (this.#puts.length + this.#takeOvers.length >= BATCH) await this.#write()
  }

  async #write(): Promise<void> {
    if (this.#puts.length > 0) {
      const batch = this.#encoder.encode({ put: this.#puts.map(({ document }) => document) })
      const stored = this.#storage.journal.storedForms(batch)
      const prepared = await this.#storage.core.prepare(batch.bytes)
      batch.release()
      const links = this.#puts.flatMap(({ key, document }) => this.#links?.of(key, document) ?? [])
      await this.#finish({ prepared, keys: batch.keys, stored, links }, this.#puts)
    }
    if (this.#takeOvers.length > 0) {
      const forms = this.#takeOvers.map((taken) => taken.stored)
      const stored = joinStored(forms, (bytes) => new SharedArrayBuffer(bytes))
      const numbers = Uint32Array.from(this.#takeOvers, ({ number }) => number)
      const keys = this.#takeOvers.map(({ key }) => key)
      const prepared = await this.#storage.prepareSalvaged(numbers, stored)
      const links = this.#takeOvers.flatMap(({ key }) => this.#links?.of(key) ?? [])
      await this.#finish({ prepared, keys, stored, links }, this.#takeOvers)
    }
    this.#puts = []
    this.#takeOvers = []
    if (this.#storage.isUpkeepDue) await this.#storage.upkeep()
    this.#onProgress(this.#counts.fromStored + this.#counts.fromRecord)
  }

  /** Gives all documents what links say of them, now that all links are known. */
  async #relink(): Promise<void> {
    const { links, core, journal } = this.#storage
    if (links === undefined) return
    const keys = [...this.#keys]
    for (let at = 0; at < keys.length; at += BATCH) {
      const { documentBytes } = this.#settings
      const linked = keys.slice(at, at + BATCH).map((key) => linkedDocument(key, links.linksTo(key), documentBytes))
      const batch = this.#encoder.encode({})
      const stored = journal.storedForms(batch)
      const prepared = await core.prepare(batch.bytes, encodeLinked(linked, this.#settings))
      batch.release()
      await this.#finish({ prepared, keys: [], stored }, [])
      if (this.#storage.isUpkeepDue) await this.#storage.upkeep()
    }
  }

  /** A write that fails ends the salvage, so that nothing has to be undone. */
  async #finish(batch: DurableBatch, documents: readonly Salvaged[]): Promise<void> {
    const enter = () => ({ rows: this.#refreshes.enter(batch.prepared, documents), undo: () => {} })
    await finishWrite(batch, this.#storage, enter)
  }
}

/**
 * The records of the index as a whole, its log included, if the index still loads; else those of its segments one by
 * one.
 */
async function readRecords(
  source: SalvageSource,
  core: FolderSetup,
  storage: DiskStorage<object>,
): Promise<SalvagedRecords> {
  const { identity, settings, folder } = core
  // All segments are looked at in any case: whoever salvages wants to know what was damaged.
  const segments = source.segments()
  const single = await storage.openSalvage(folder, segments, identity.id)
  const opened = await openForRecords(core)
  // An index that was never flushed misses no segment.
  if (segmentCount(segments) > 0 || opened instanceof Error) source.tell(single.problems)
  if (opened instanceof Error) {
    source.problems.push(opened.message)
    const records = new SalvagedRecords(single, source.log(), settings.fieldNames.length, identity.seed)
    source.tell(records.problems)
    return records
  }
  try {
    const whole = await storage.openSalvageOf(opened)
    source.tell(whole.problems)
    return new SalvagedRecords(whole, [], settings.fieldNames.length, identity.seed)
  } finally {
    opened.close()
  }
}

/** The core of the index without postings, or why it cannot be loaded. */
async function openForRecords(core: FolderSetup): Promise<NativeIndex | Error> {
  const view = StoredView.open(core.folder.catalog)
  try {
    view.pin()
    const moment = readMoment(view, hashFor)
    return await openCore(core, view, moment, { isForRecords: true })
  } catch (error) {
    return error as Error
  } finally {
    view.close()
  }
}
