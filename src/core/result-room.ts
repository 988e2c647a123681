/**
 * Memory for the results of one search after another: the addon writes into it, and the hits are made from it at once,
 * before the next search. Most results are a few keys and scores, for which a buffer of their own would cost more than
 * the hits. The layout is that of hits.ts, without documents and explanations.
 */
import type { Hit, SearchResult } from '../search/search-result.js'
import { bareHit, flagsOf, keysOf, type ShownColumns } from './hits.js'

/** Room for ten hits with the longest keys. */
const ROOM_BYTES = 16 * 1024

const HEAD_BYTES = 16
const BYTES_PER_HIT = 16

export class ResultRoom {
  /** What the addon writes to. */
  readonly bytes = Buffer.alloc(ROOM_BYTES)
  readonly #integers: Uint32Array
  readonly #doubles: Float64Array

  constructor() {
    const { buffer, byteOffset } = this.bytes
    this.#integers = new Uint32Array(buffer, byteOffset, ROOM_BYTES / 4)
    this.#doubles = new Float64Array(buffer, byteOffset, ROOM_BYTES / 8)
  }

  /** The result that the addon has just written, of hits by score. */
  take<D extends object>(shown?: ShownColumns): SearchResult<D> {
    const integers = this.#integers
    const doubles = this.#doubles
    const count = integers[0] as number
    const flags = integers[1] as number
    const keyEnds = HEAD_BYTES / 4 + count * 3
    const keyOf = keysOf(this.bytes, flags, HEAD_BYTES + count * BYTES_PER_HIT, integers, keyEnds, count)
    const hits: Hit<D>[] = new Array(count)
    for (let row = 0; row < count; row++) hits[row] = bareHit<D>(keyOf(row), doubles[2 + row] as number)
    const total = doubles[1] as number
    const cursorOf = shown?.cursorOf
    if (cursorOf === undefined || count !== shown?.limit) return { total, ...flagsOf(flags), hits }
    const document = integers[HEAD_BYTES / 4 + count * 3 - 1] as number
    const score = doubles[1 + count] as number
    return {
      total,
      ...flagsOf(flags),
      hits,
      get cursor() {
        return cursorOf({ values: [score], document })
      },
    }
  }
}
