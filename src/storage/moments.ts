/** Holds the moment that an index on disk shows, and the older moments that its Snapshots show. */
import { FreshdexError } from '../base/errors.js'
import type { Hash } from '../catalog/state.js'
import { StoredView } from '../catalog/stored-view.js'
import type { NativeIndex, NativeSnapshot, NativeStats } from '../core/addon-shape.js'
import { callNative } from '../core/binding.js'
import type { ReaderSetup, StoredDocuments } from '../core/read-state.js'
import { Reader } from '../core/reader.js'
import { Snapshot } from '../snapshot.js'

export class Moments<D extends object> {
  readonly #hash: Hash
  readonly #setup: ReaderSetup
  readonly #all = new Set<Moment>()
  /** For Snapshots that are dropped without being closed. */
  readonly #dropped = new FinalizationRegistry<Moment>((moment) => this.#release(moment))
  #moment: Moment
  #reader: Reader<D>

  /** `view` belongs to the holder from now on. */
  constructor(hash: Hash, setup: ReaderSetup, native: NativeIndex, view: StoredView) {
    this.#hash = hash
    this.#setup = setup
    this.#moment = this.#momentOf(native, view)
    this.#reader = this.#readerOf(this.#moment)
  }

  get reader(): Reader<D> {
    return this.#reader
  }

  get moment(): Moment {
    return this.#moment
  }

  nativeStats(): NativeStats {
    return callNative(() => this.#moment.native.stats())
  }

  /** Shows the newest moment of the core; the view of the catalog, pinned or not, shows its newest again. */
  advance(native: NativeIndex): void {
    const old = this.#moment.view
    if (this.#moment.isShared) {
      // For the Snapshots that keep it. After a flush it is not pinned yet, and shows the same still.
      old.pin()
      this.replace(native, StoredView.open(old.db.name))
    } else {
      old.unpin()
      this.replace(native, old)
    }
  }

  /**
   * Shows the newest moment of `native` with the stored documents of `view`. Gives back the view that was used until
   * now, if it is free.
   */
  replace(native: NativeIndex, view: StoredView): StoredView | undefined {
    const old = this.#moment
    const isFree = !old.isShared
    this.#moment = this.#momentOf(native, view)
    this.#reader = this.#readerOf(this.#moment)
    if (!isFree) {
      this.#release(old)
      return undefined
    }
    this.#all.delete(old)
    old.native.close()
    return old.view
  }

  snapshot(): Snapshot<D> {
    const moment = this.#moment.retain()
    const token = {}
    const snapshot = new Snapshot<D>(this.#readerOf(moment), () => {
      this.#dropped.unregister(token)
      this.#release(moment)
    })
    this.#dropped.register(snapshot, moment, token)
    return snapshot
  }

  /** All moments end, those of open Snapshots too. */
  end(): void {
    for (const moment of this.#all) close(moment)
    this.#all.clear()
  }

  #release(moment: Moment): void {
    if (!moment.release() || !this.#all.delete(moment)) return
    close(moment)
  }

  #momentOf(native: NativeIndex, view: StoredView): Moment {
    const moment = new Moment(
      callNative(() => native.snapshot()),
      view,
    )
    this.#all.add(moment)
    return moment
  }

  #readerOf({ native, view }: Moment): Reader<D> {
    return new Reader<D>(native, this.#setup, verifiedDocuments(view, this.#hash))
  }
}

function close({ native, view }: Moment): void {
  native.close()
  view.close()
}

/**
 * A moment of an index on disk: a snapshot of the core and a view of the stored documents that belong to it. The index
 * holds the newest moment, and each Snapshot of a user holds its own.
 */
export class Moment {
  readonly native: NativeSnapshot
  readonly view: StoredView
  #holders = 1

  constructor(native: NativeSnapshot, view: StoredView) {
    this.native = native
    this.view = view
  }

  get isShared(): boolean {
    return this.#holders > 1
  }

  retain(): this {
    this.#holders++
    return this
  }

  /** True when nobody holds it any more. */
  release(): boolean {
    return --this.#holders === 0
  }
}

/** Stored documents as a reader gets them: they lie in the catalog, and the core has their hashes. */
function verifiedDocuments(view: StoredView, hashOf: Hash): StoredDocuments {
  return {
    read(document, hash) {
      const stored = view.read(document)
      if (stored instanceof Uint8Array && hashOf(stored) === Buffer.from(hash).readBigUInt64LE()) return stored
      const what = stored === undefined ? 'is missing' : 'is not as it was written'
      throw new FreshdexError('CORRUPT', `'${view.db.name}' is damaged: stored document ${document} ${what}`, {
        detail: { file: view.db.name, document },
      })
    },
  }
}
