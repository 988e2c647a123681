/**
 * The catalog of an index that is written. After a failure that leaves open what the disk has, it takes nothing more:
 * only a new opening can tell. BUSY is no such failure, because then nothing happened.
 */

import { FreshdexError } from '../base/errors.js'
import { CatalogThread } from '../catalog/thread.js'
import type { BatchCommit, FlushCommit } from '../catalog/transactions.js'
import type { Durability } from '../options/index-options.js'
import type { RefreshCommit } from '../refresh/rows.js'
import type { IndexFolder } from './folder.js'

export class WritingCatalog {
  readonly #folder: IndexFolder
  readonly #durability: Durability
  /** Started by the first job: an index that is only read needs none. */
  #thread: CatalogThread | undefined
  #uncheckpointedBytes = 0
  #poison: unknown

  constructor(folder: IndexFolder, durability: Durability) {
    this.#folder = folder
    this.#durability = durability
  }

  get thread(): CatalogThread {
    this.#thread ??= new CatalogThread({ file: this.#folder.catalog, access: this.#durability })
    return this.#thread
  }

  /** Bytes that wait in SQLite's own log. */
  get uncheckpointedBytes(): number {
    return this.#uncheckpointedBytes
  }

  get isPoisoned(): boolean {
    return this.#poison !== undefined
  }

  refuseIfPoisoned(): void {
    if (this.#poison === undefined) return
    const reason = this.#poison instanceof Error ? this.#poison.message : String(this.#poison)
    throw new FreshdexError('POISONED', `an earlier write failed, open the index anew: ${reason}`, {
      cause: this.#poison,
      detail: { path: this.#folder.path },
    })
  }

  /** Work that must not fail half-way, here or in the core. */
  async orPoison<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error)) this.#poison ??= error
      throw error
    }
  }

  async commitBatch(commit: BatchCommit, refresh: RefreshCommit | undefined): Promise<void> {
    await this.#counted(this.thread.run({ kind: 'batch', commit, refresh }, buffersOf(commit)))
  }

  /** The same while the refresh history is still being found out. When that fails, nothing is committed. */
  async commitBatchWith(commit: BatchCommit, finding: Promise<RefreshCommit | undefined>): Promise<void> {
    const begun = this.thread.run({ kind: 'begin', commit }, buffersOf(commit))
    // Its failure is told below, after that of the finding.
    begun.catch(() => {})
    let refresh: RefreshCommit | undefined
    try {
      refresh = await finding
    } catch (error) {
      await this.orPoison(() => this.thread.run({ kind: 'abandon' }))
      throw error
    }
    const ended = this.thread.run({ kind: 'end', refresh })
    // When the beginning failed, so does the end, and says less.
    ended.catch(() => {})
    await this.orPoison(() => begun)
    await this.#counted(ended)
  }

  async commitRefresh(commit: RefreshCommit): Promise<void> {
    await this.#counted(this.thread.run({ kind: 'refresh', commit }))
  }

  async commitFlush(commit: FlushCommit): Promise<void> {
    await this.orPoison(() => this.thread.run({ kind: 'flush', commit }))
  }

  async checkpoint(): Promise<void> {
    await this.orPoison(() => this.thread.run({ kind: 'checkpoint' }))
    this.#uncheckpointedBytes = 0
  }

  /** A checkpoint too. */
  async shrink(): Promise<void> {
    await this.orPoison(() => this.thread.run({ kind: 'shrink' }))
    this.#uncheckpointedBytes = 0
  }

  async copyTo(file: string): Promise<void> {
    await this.thread.run({ kind: 'copy', file })
  }

  async close(): Promise<void> {
    await this.#thread?.close()
  }

  async #counted(committed: Promise<unknown>): Promise<void> {
    this.#uncheckpointedBytes = (await this.orPoison(() => committed)) as number
  }
}

/** Another program held the catalog: nothing happened. */
export function isBusy(error: unknown): boolean {
  return error instanceof FreshdexError && error.code === 'BUSY'
}

/** Moved to the thread, not copied. */
function buffersOf({ stored }: BatchCommit): ArrayBuffer[] {
  return [stored.buffer as ArrayBuffer]
}
