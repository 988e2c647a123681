/** The forward records of a damaged index, as the core found them, by document number. */
import { decodeKey, type Key } from '../../base/keys.js'
import type { NativeSalvage } from '../../core/addon-shape.js'
import { loadAddon } from '../../core/binding.js'

/** States of a record, as the core numbers them; any other is damaged. */
const ABSENT = 0
const INTACT = 1

interface FoundRecord {
  readonly key: Key
  /** Undefined where the record is damaged. */
  readonly storedHash: bigint | undefined
}

export interface IntactRecord {
  readonly storedHash: bigint
  /** No later write of the document is in the log. */
  readonly isNewest: boolean
}

export class SalvagedRecords {
  readonly problems: string[] = []
  readonly hash: (bytes: Uint8Array) => bigint
  readonly #records = new Map<number, FoundRecord>()
  /** Numbers of documents that were written after the segments. */
  readonly #touched = new Set<number>()
  readonly #seen = new Set<number>()

  constructor(found: NativeSalvage, log: Iterable<Uint8Array>, fieldCount: number, seed: bigint) {
    const addon = loadAddon()
    this.hash = (bytes) => addon.xxh64(bytes, seed)
    this.#readRecords(found)
    for (const row of log) {
      const numbers = addon.documentsOfRow(row, fieldCount, seed)
      if (numbers === undefined) this.problems.push('a row of the log is damaged: what it changed is not known')
      else for (const number of numbers) this.#touched.add(number)
    }
  }

  /** The record of this number and key; undefined unless it is intact. */
  recordOf(number: number, key: Key): IntactRecord | undefined {
    const record = this.#records.get(number)
    if (record?.storedHash === undefined || record.key !== key) return undefined
    return { storedHash: record.storedHash, isNewest: !this.#touched.has(number) }
  }

  /** The catalog knows this number. */
  seen(number: number): void {
    this.#seen.add(number)
  }

  /** Records of numbers that the catalog did not have. */
  *unseen(): Generator<{ number: number; key: Key; isIntact: boolean; isNewest: boolean }> {
    for (const [number, { key, storedHash }] of this.#records) {
      if (this.#seen.has(number)) continue
      yield { number, key, isIntact: storedHash !== undefined, isNewest: !this.#touched.has(number) }
    }
  }

  #readRecords({ states, keys, hashes }: NativeSalvage): void {
    const keyBytes = Buffer.from(keys.buffer, keys.byteOffset, keys.length)
    const hashBytes = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.length)
    let keyAt = 0
    let hashAt = 0
    for (const [number, state] of states.entries()) {
      if (state === ABSENT) continue
      const length = keyBytes.readUInt16LE(keyAt)
      const key = decodeKey(keyBytes.toString('utf8', keyAt + 2, keyAt + 2 + length))
      keyAt += 2 + length
      const storedHash = state === INTACT ? hashBytes.readBigUInt64LE(hashAt) : undefined
      if (state === INTACT) hashAt += 8
      this.#records.set(number, { key, storedHash })
    }
  }
}
