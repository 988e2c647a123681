/** Holds the moment that an index on disk shows, and the older moments that its Snapshots show. */
import type { Hash } from '../catalog/state.js'
import { StoredView } from '../catalog/stored-view.js'
import { callNative } from '../core/binding.js'
import type { NativeIndex, NativeSnapshot, NativeStats } from '../core/native.js'
import { Reader, type ReaderSetup } from '../core/reader.js'
import { Snapshot } from '../snapshot.js'
import { verifiedDocuments } from './check.js'

export class StateHolder<D extends object> {
  readonly #hash: Hash
  readonly #parts: ReaderSetup
  readonly #states = new Set<IndexState>()
  /** For Snapshots that are dropped without being closed. */
  readonly #dropped = new FinalizationRegistry<IndexState>((state) => this.#release(state))
  #state: IndexState
  #reader: Reader<D>

  /** `view` belongs to the holder from now on. */
  constructor(hash: Hash, parts: ReaderSetup, native: NativeIndex, view: StoredView) {
    this.#hash = hash
    this.#parts = parts
    this.#state = this.#stateOf(native, view)
    this.#reader = this.#readerOf(this.#state)
  }

  get reader(): Reader<D> {
    return this.#reader
  }

  get state(): IndexState {
    return this.#state
  }

  nativeStats(): NativeStats {
    return callNative(() => this.#state.native.stats())
  }

  /** Shows the newest moment of the core; the view of the catalog, pinned or not, shows its newest again. */
  advance(native: NativeIndex): void {
    const old = this.#state.view
    if (this.#state.isShared) {
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
    const old = this.#state
    const isFree = !old.isShared
    this.#state = this.#stateOf(native, view)
    this.#reader = this.#readerOf(this.#state)
    if (!isFree) {
      this.#release(old)
      return undefined
    }
    this.#states.delete(old)
    old.native.close()
    return old.view
  }

  snapshot(): Snapshot<D> {
    const state = this.#state.retain()
    const token = {}
    const snapshot = new Snapshot<D>(this.#readerOf(state), () => {
      this.#dropped.unregister(token)
      this.#release(state)
    })
    this.#dropped.register(snapshot, state, token)
    return snapshot
  }

  /** All moments end, those of open Snapshots too. */
  end(): void {
    for (const state of this.#states) close(state)
    this.#states.clear()
  }

  #release(state: IndexState): void {
    if (!state.release() || !this.#states.delete(state)) return
    close(state)
  }

  #stateOf(native: NativeIndex, view: StoredView): IndexState {
    const state = new IndexState(
      callNative(() => native.snapshot()),
      view,
    )
    this.#states.add(state)
    return state
  }

  #readerOf({ native, view }: IndexState): Reader<D> {
    return new Reader<D>(native, this.#parts, verifiedDocuments(view, this.#hash))
  }
}

function close({ native, view }: IndexState): void {
  native.close()
  view.close()
}

/**
 * A moment of an index on disk: a snapshot of the core and a view of the stored documents that belong to it. The index
 * holds the newest, each Snapshot of a user its own.
 */

export class IndexState {
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
