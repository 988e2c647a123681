import { randomBytes } from 'node:crypto'
import type { Stop } from '../base/abort.js'
import { FreshdexError } from '../base/errors.js'
import { NOTHING_WAITS } from '../base/waiting-properties.js'
import type { NativeIndex } from '../core/addon-shape.js'
import { awaitNative, callNative, loadAddon, nativeConfig } from '../core/binding.js'
import type { CheckLevel, CheckReport } from '../core/check-report.js'
import { measuringEngine, queryWords, writingCore } from '../core/engine.js'
import { frequentClock } from '../core/frequent-clock.js'
import type { ReaderSetup } from '../core/read-state.js'
import { Reader } from '../core/reader.js'
import type { MeasuringEngine, QueryWords } from '../engine.js'
import { type LinkChange, MemoryLinks } from '../links/link-table.js'
import type { PrioritizerStore } from '../refresh/rows.js'
import { Snapshot } from '../snapshot.js'
import { type CpuClocks, NO_CATALOG_COST, processCpuUs } from '../write/cpu-account.js'
import type { Journal, Writer } from '../write/pipeline.js'
import { checkLinks, withFaults } from './check-links.js'
import type { Storage } from './storage.js'

/** An index that lives as long as its object. */
export class MemoryStorage<D extends object> implements Storage<D> {
  readonly reader: Reader<D>
  readonly disk = undefined
  readonly waiting = NOTHING_WAITS
  readonly measuring: MeasuringEngine
  readonly words: QueryWords
  readonly rows: PrioritizerStore = NOTHING_STORED
  readonly links: MemoryLinks | undefined
  readonly clocks: CpuClocks
  readonly #native: NativeIndex
  readonly #parts: ReaderSetup
  readonly #writer: Writer
  #moment = {}

  constructor(parts: ReaderSetup, { wantsSketches }: { readonly wantsSketches: boolean }) {
    const addon = loadAddon()
    // The seed is secret and different each time, so that nobody can prepare texts that collide.
    const seed = randomBytes(8).readBigUInt64LE()
    this.#native = callNative(() => new addon.Index(nativeConfig(parts.settings, seed, { wantsSketches })))
    this.#parts = parts
    const writerUs = () => this.#native.writerUs()
    const threadUs = frequentClock(addon.threadCpuUs)
    this.clocks = { threadUs, processUs: processCpuUs, writerUs, catalogUs: () => NO_CATALOG_COST }
    this.links = parts.settings.links && new MemoryLinks()
    const journal = memoryJournal(this.links, () => {
      this.#moment = {}
    })
    this.#writer = { core: writingCore(this.#native), journal, isUpkeepDue: false, ...NO_UPKEEP }
    this.measuring = measuringEngine(this.#native)
    this.words = queryWords(() => this.#native, parts.settings.analyzer, seed)
    this.reader = new Reader(this.#native, parts)
  }

  get moment(): object {
    return this.#moment
  }

  async noteReindexed(): Promise<void> {}

  writer(): Writer {
    return this.#writer
  }

  snapshot(): Snapshot<D> {
    const native = callNative(() => this.#native.snapshot())
    return new Snapshot(new Reader<D>(native, this.#parts), () => native.close())
  }

  async compact(): Promise<void> {
    await awaitNative(() => this.#native.compact())
  }

  async check(level: CheckLevel, stop: Stop): Promise<CheckReport> {
    const report = await awaitNative(() => this.#native.check(level))
    stop()
    if (level < 3 || this.links === undefined || !report.ok) return report
    const { reader, links } = this
    return withFaults(report, await checkLinks(links, this.#parts.settings, { reader, core: this.#writer.core }, stop))
  }

  async backup(): Promise<never> {
    throw new FreshdexError('NOT_SUPPORTED', 'an index in memory has no files to back up')
  }

  async catchUp(): Promise<void> {}

  async close(): Promise<void> {
    this.#native.close()
  }
}

const NO_UPKEEP = { upkeep: async () => {}, makeRoom: async () => {} }

/** Nothing becomes durable, and readers see the core itself. */
function memoryJournal(table: MemoryLinks | undefined, onShow: () => void): Journal {
  let moved: readonly LinkChange[] = []
  return {
    storedForms: () => undefined,
    commit: async ({ links }, rows) => {
      await rows
      moved = links ?? []
    },
    orPoison: (step) => step(),
    show: () => {
      table?.apply(moved)
      moved = []
      onShow()
    },
  }
}

const NOTHING_STORED: PrioritizerStore = {
  isWriter: true,
  requireWriting: () => {},
  stored: undefined,
  commit: async () => {},
  commitWorkload: async () => {},
}
