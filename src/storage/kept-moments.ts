/**
 * The moments in which cursors go on. A moment is kept from the first cursor that is asked for in it until it was not
 * used for a while, or too many others were kept since: what writes replaced stays in memory for that long.
 */
import { randomBytes } from 'node:crypto'
import { FreshdexError } from '../base/errors.js'
import { type Clock, MINUTE_MS } from '../base/time.js'
import type { Reader } from '../core/reader.js'
import { Snapshot } from '../snapshot.js'
import type { Storage } from './storage.js'

export const MAX_KEPT_MOMENTS = 8
export const MAX_UNUSED_MS = 5 * MINUTE_MS

interface KeptMoment<D extends object> {
  readonly name: string
  /** What the storage shows at that moment. */
  readonly moment: object
  readonly snapshot: Snapshot<D>
  usedMs: number
}

export class KeptMoments<D extends object> {
  readonly #storage: Pick<Storage<D>, 'moment' | 'snapshot'>
  readonly #now: Clock
  /** The one used last is the last. */
  #kept: KeptMoment<D>[] = []

  constructor(storage: Pick<Storage<D>, 'moment' | 'snapshot'>, now: Clock) {
    this.#storage = storage
    this.#now = now
  }

  /** The moment by its name, kept from now on; a name that nobody knows where it is past and was not kept. */
  nameOf(moment: object): string {
    const known = this.#kept.find((kept) => kept.moment === moment)
    if (known !== undefined) return this.#use(known).name
    const isPresent = moment === this.#storage.moment
    return isPresent ? this.#keep(moment, this.#storage.snapshot()) : newName()
  }

  /** Keeps a moment by a snapshot of it; false where it is kept already. */
  adopt(moment: object, snapshot: Snapshot<D>): boolean {
    if (this.#kept.some((kept) => kept.moment === moment)) return false
    this.#keep(moment, snapshot)
    return true
  }

  /** CURSOR_EXPIRED for one that is kept no longer. */
  find(name: string): { readonly moment: object; readonly reader: Reader<D> } {
    this.tidy()
    const kept = this.#kept.find((each) => each.name === name)
    if (kept === undefined) throw cursorExpired()
    return { moment: this.#use(kept).moment, reader: Snapshot.readerOf(kept.snapshot) }
  }

  /** Forgets the moments that were not used for a while. */
  tidy(): void {
    if (this.#kept.length === 0) return
    const sinceMs = this.#now() - MAX_UNUSED_MS
    // A clock that goes backwards keeps nothing for longer than one that does not.
    this.#forget((kept, at) => kept.usedMs > sinceMs && at >= this.#kept.length - MAX_KEPT_MOMENTS)
  }

  close(): void {
    this.#forget(() => false)
  }

  #keep(moment: object, snapshot: Snapshot<D>): string {
    const name = newName()
    this.#kept.push({ name, moment, snapshot, usedMs: this.#now() })
    this.tidy()
    return name
  }

  #use(kept: KeptMoment<D>): KeptMoment<D> {
    kept.usedMs = this.#now()
    this.#kept = [...this.#kept.filter((other) => other !== kept), kept]
    return kept
  }

  #forget(stays: (kept: KeptMoment<D>, at: number) => boolean): void {
    const left = this.#kept.filter((kept, at) => !stays(kept, at))
    this.#kept = this.#kept.filter((kept) => !left.includes(kept))
    for (const { snapshot } of left) snapshot.close()
  }
}

function newName(): string {
  return randomBytes(9).toString('base64url')
}

function cursorExpired(): FreshdexError {
  const message =
    'the cursor has expired: the index keeps the state that its hits are of for a while only; search again from the ' +
    'beginning, or take a snapshot(), which keeps its state until it is closed'
  return new FreshdexError('CURSOR_EXPIRED', message)
}
