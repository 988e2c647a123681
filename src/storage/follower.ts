/**
 * An index in a folder that somebody else may be writing, opened for reading. It follows the writer's commits: the
 * catalog is looked at from time to time, and the batches that are new in its log are replayed. Each moment shown is
 * one that a transaction made, core and stored documents alike.
 */

import type { Stop } from '../base/abort.js'
import { FreshdexError } from '../base/errors.js'
import { TurnQueue } from '../base/turns.js'
import { NOTHING_WAITS } from '../base/waiting-properties.js'
import { type CatalogMoment, readMoment } from '../catalog/catalog.js'
import { loadLedger } from '../catalog/ledger-thread.js'
import { storedPrioritizer } from '../catalog/prioritizer-rows.js'
import { type Hash, segmentBytes, segmentCount } from '../catalog/state.js'
import { StoredView } from '../catalog/stored-view.js'
import { CatalogThread } from '../catalog/thread.js'
import type { NativeIndex } from '../core/addon-shape.js'
import { awaitNative } from '../core/binding.js'
import type { CheckLevel, CheckReport } from '../core/check-report.js'
import { queryWords } from '../core/engine.js'
import type { ReaderSetup } from '../core/read-state.js'
import type { Reader } from '../core/reader.js'
import type { DiskStats } from '../core/stats.js'
import type { QueryWords } from '../engine.js'
import type { PrioritizerStore } from '../refresh/rows.js'
import type { Snapshot } from '../snapshot.js'
import { NO_CLOCKS } from '../write/cpu-account.js'
import type { Writer } from '../write/pipeline.js'
import { checkDocuments } from './check.js'
import { FolderOutbox } from './inbox.js'
import { Moments } from './moments.js'
import { type FolderSetup, hashFor, isOfOtherSegments, openCore, replay } from './open-core.js'
import type { Storage } from './storage.js'

/** What is replayed stays in memory; beyond this the segments, once there are newer ones, are mapped instead. */
const MAX_REPLAYED_BYTES = 32 * 1024 * 1024

/** A writer may replace segments between the reading of their list and the opening of the last of them. */
const MAX_ATTEMPTS = 20

export class FollowerStorage<D extends object> implements Storage<D> {
  readonly links = undefined
  readonly measuring = undefined
  readonly clocks = NO_CLOCKS
  readonly rows: PrioritizerStore
  readonly waiting = NOTHING_WAITS
  readonly words: QueryWords
  readonly #core: FolderSetup
  readonly #hash: Hash
  readonly #turns = new TurnQueue()
  readonly #moments: Moments<D>
  readonly #timer: NodeJS.Timeout
  #native: NativeIndex
  #at: CatalogMoment
  #replayedBytes = 0
  /** Not shown: looks ahead. */
  #spare: StoredView | undefined

  private constructor(core: FolderSetup, parts: ReaderSetup, { native, view, moment }: Opened) {
    this.#core = core
    this.#hash = hashFor(core.identity.seed)
    this.#native = native
    this.#at = moment
    this.#moments = new Moments<D>(this.#hash, parts, native, view)
    this.rows = {
      isWriter: false,
      requireWriting: () => this.#refuse(),
      stored: storedPrioritizer(
        () => this.#moments.moment.view,
        (nowMs) => loadLedger(core.folder, nowMs),
      ),
      commit: async () => this.#refuse(),
      commitWorkload: async () => this.#refuse(),
      outbox: new FolderOutbox(core.folder, core.identity),
    }
    this.words = queryWords(() => this.#native, core.settings.analyzer, core.identity.seed)
    this.#timer = setInterval(() => this.#poll(), core.disk.pollMs)
    this.#timer.unref()
  }

  static async open<D extends object>(core: FolderSetup, parts: ReaderSetup): Promise<FollowerStorage<D>> {
    const view = StoredView.open(core.folder.catalog)
    try {
      return new FollowerStorage<D>(core, parts, await openPinned(core, view))
    } catch (error) {
      view.close()
      throw error
    }
  }

  get reader(): Reader<D> {
    return this.#moments.reader
  }

  get moment(): object {
    return this.#moments.reader
  }

  get disk(): DiskStats {
    const { state, segments } = this.#at
    return {
      path: this.#core.folder.path,
      readOnly: true,
      durability: undefined,
      segments: segmentCount(segments),
      segmentBytes: segmentBytes(segments),
      flushedSequence: state.flushed,
      logBytes: this.#replayedBytes,
    }
  }

  snapshot(): Snapshot<D> {
    return this.#moments.snapshot()
  }

  /** Resolves when everything is shown that was committed before the call. */
  async catchUp(): Promise<void> {
    await this.#turns.run(() => this.#follow())
  }

  async check(level: CheckLevel, stop: Stop): Promise<CheckReport> {
    return this.#turns.run(async () => {
      stop()
      const thread = new CatalogThread({ file: this.#core.folder.catalog, access: 'read' })
      try {
        const report = await awaitNative(() => this.#native.check(level))
        stop()
        return await checkDocuments(report, level, thread, this.#moments.moment, this.#hash, stop)
      } finally {
        await thread.close()
      }
    })
  }

  async noteReindexed(): Promise<void> {}

  writer(): Writer {
    return this.#refuse()
  }

  async compact(): Promise<never> {
    return this.#refuse()
  }

  async backup(): Promise<never> {
    return this.#refuse()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#turns.settled()
    this.#spare?.close()
    this.#moments.end()
    this.#native.close()
  }

  /** A look that fails is repeated at the next time; who wants to know calls catchUp(). */
  #poll(): void {
    if (this.#turns.isIdle) this.catchUp().catch(() => {})
  }

  async #follow(): Promise<void> {
    const view = this.#spare ?? StoredView.open(this.#core.folder.catalog)
    this.#spare = view
    view.pin()
    try {
      const moment = readMoment(view, hashFor)
      requireSameFields(this.#core, moment)
      const opened = (await this.#replayed(view, moment)) ?? (await openPinned(this.#core, view))
      this.#show(opened)
    } finally {
      this.#spare?.unpin()
    }
  }

  /** The moment reached by replaying what is new; undefined when that is not possible, or not worth it. */
  async #replayed(view: StoredView, moment: CatalogMoment): Promise<Opened | undefined> {
    const { sequence } = this.#at.state
    const isNewer = moment.state.sequence >= sequence && moment.state.flushed <= sequence
    const isOverfull = this.#replayedBytes > MAX_REPLAYED_BYTES && moment.state.flushed > this.#at.state.flushed
    if (!isNewer || isOverfull) return undefined
    try {
      this.#replayedBytes += await replay(this.#native, view, sequence)
      return { native: this.#native, view, moment }
    } catch (error) {
      // A Snapshot still shows a document whose number the writer has given away, or the writer has reclaimed words:
      // another core knows nothing of the one and all of the other.
      if (isOfOtherSegments(error)) return undefined
      throw error
    }
  }

  #show({ native, view, moment }: Opened): void {
    const old = this.#native
    this.#native = native
    this.#at = moment
    // Pinned also when nothing is new: a reader that stands still keeps SQLite's log from ever starting over.
    this.#spare = this.#moments.replace(native, view)
    if (old === native) return
    this.#replayedBytes = 0
    old.close()
  }

  #refuse(): never {
    const { path } = this.#core.folder
    throw new FreshdexError('READ_ONLY', `'${path}' was opened with readOnly`, { detail: { path } })
  }
}

interface Opened {
  readonly native: NativeIndex
  /** Pinned at `moment`. */
  readonly view: StoredView
  readonly moment: CatalogMoment
}

/** The writer may have given the index fields that this core does not know. */
function requireSameFields({ folder, settings }: FolderSetup, { identity }: CatalogMoment): void {
  const stored = identity.schema.fields.join(', ')
  const given = settings.fieldNames.join(', ')
  if (stored === given) return
  const message = `the index '${folder.path}' has the fields ${stored} by now: close it and open it again`
  throw new FreshdexError('MISMATCH', message, { detail: { path: folder.path, option: 'fields', stored, given } })
}

async function openPinned(core: FolderSetup, view: StoredView): Promise<Opened> {
  for (let attempt = 1; ; attempt++) {
    view.unpin()
    view.pin()
    const moment = readMoment(view, hashFor)
    requireSameFields(core, moment)
    try {
      return { native: await openCore(core, view, moment), view, moment }
    } catch (error) {
      const isGone = error instanceof FreshdexError && error.code === 'IO'
      if (!isGone || attempt === MAX_ATTEMPTS) throw error
    }
  }
}
