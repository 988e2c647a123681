/**
 * A moment of an index on disk: a snapshot of the core and a view of the stored documents that belong to it. The index holds
 * the newest, each Snapshot of a user its own.
 */
import type { StoredView } from '../catalog/stored-view.js'
import type { NativeSnapshot } from '../engine/binding.js'

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
