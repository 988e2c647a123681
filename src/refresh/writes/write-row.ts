/** What the last writes did, as it is kept: for whoever watches an index, in this process or in another one. */
import type { Key } from '../../base/keys.js'
import { BatchOutcome, type MeasuredWrite, NO_DOCUMENT } from '../../engine.js'
import { EFFECT_BYTES, effectsOfPage } from '../../ledger/effects.js'

/** So many writes are kept, the last ones. */
export const KEPT_WRITES = 256
/** So many pages of a write are kept, those that gained most first; the others are only counted. */
export const KEPT_PAGES = 32
/** So many queries of a page are kept, those that moved most first. */
const KEPT_MOVES = 4

export type WrittenOutcome = 'new' | 'changed' | 'same' | 'removed'

/** A page of a write: key, outcome, ΔQ_A, and per query its id and the ranks before and after, 0 where it had none. */
export type WrittenPageRow = readonly [
  key: Key,
  outcome: WrittenOutcome,
  deltaQuality: number,
  moves: readonly (readonly [query: number, rankBefore: number, rankAfter: number])[],
]

export interface WriteRow {
  /** When it was written, by the clock of the writer. */
  readonly writtenMs: number
  /** When its documents were fetched, as the writer said. */
  readonly atMs: number
  readonly documents: number
  /** Score shifts of all of its documents. */
  readonly shifts: number
  /** CPU time in microseconds, of preparing the batch: publishing it is not known yet when the row is written. */
  readonly indexUs: number
  readonly measureUs: number
  /** The stakes of all pages together, after the write: what ΔQ_A is a share of. */
  readonly stake: number
  readonly pages: readonly WrittenPageRow[]
}

/** What a store keeps of a write. */
export interface WriteCommit {
  readonly row: Omit<WriteRow, 'pages'>
  /** Its pages as JSON: a text crosses to another thread in a fraction of the time of as many lists. */
  readonly pages: string
  /** So many writes are kept with this one, the last ones. */
  readonly kept: number
}

export function writeCommit({ pages, ...row }: WriteRow): WriteCommit {
  return { row, pages: JSON.stringify(pages), kept: KEPT_WRITES }
}

export function writeRow(
  { prepared, measure, keys, removedKeys, atMs }: MeasuredWrite,
  { writtenMs, stake }: Pick<WriteRow, 'writtenMs' | 'stake'>,
): WriteRow {
  const { documents, outcomes } = prepared
  const pageOf = largestGains(measure)
  const gaining: WrittenPageRow[] = []
  const others: WrittenPageRow[] = []
  let number = 0
  for (let at = 0; at < documents.length; at++) {
    const doc = documents[at]!
    if (doc === NO_DOCUMENT) continue
    number++
    const page = pageOf.get(doc)
    if (page === undefined && others.length >= KEPT_PAGES) continue
    const key = at < keys.length ? keys[at] : removedKeys[at - keys.length]
    if (key === undefined) continue
    const deltaQuality = page === undefined ? 0 : (measure.deltaQuality[page] as number)
    const row = [key, OUTCOMES[outcomes[at]!]!, deltaQuality, movesOf(effectsOfPage(measure, page))] as const
    if (page === undefined) others.push(row)
    else gaining.push(row)
  }
  gaining.sort(([, , a], [, , b]) => b - a)
  return {
    writtenMs,
    atMs,
    documents: number,
    shifts: measure.shifts,
    indexUs: prepared.indexUs,
    measureUs: prepared.measureUs + measure.measureUs,
    stake,
    pages: [...gaining, ...others].slice(0, KEPT_PAGES),
  }
}

/** By BatchOutcome. A page whose weight alone has changed has the same text. */
const OUTCOMES: Readonly<Record<number, WrittenOutcome>> = {
  [BatchOutcome.added]: 'new',
  [BatchOutcome.changed]: 'changed',
  [BatchOutcome.same]: 'same',
  [BatchOutcome.removed]: 'removed',
  [BatchOutcome.missing]: 'same',
  [BatchOutcome.reweighted]: 'same',
}

/** The pages of the largest gains, from document to place in the measure. Batches may be large: they are not sorted. */
function largestGains({ pages, deltaQuality }: MeasuredWrite['measure']): ReadonlyMap<number, number> {
  let best: number[] = []
  for (let page = 0; page < pages.length; page++) {
    if (!((deltaQuality[page] as number) > 0)) continue
    best.push(page)
    if (best.length >= 8 * KEPT_PAGES) best = largestOf(best, deltaQuality)
  }
  best = largestOf(best, deltaQuality)
  return new Map(best.map((page) => [pages[page] as number, page]))
}

function largestOf(pages: number[], deltaQuality: Float64Array): number[] {
  if (pages.length <= KEPT_PAGES) return pages
  return pages.sort((a, b) => (deltaQuality[b] as number) - (deltaQuality[a] as number)).slice(0, KEPT_PAGES)
}

function movesOf(effects: Uint8Array | undefined): WrittenPageRow[3] {
  if (effects === undefined) return []
  const view = new DataView(effects.buffer, effects.byteOffset, effects.byteLength)
  const end = Math.min(KEPT_MOVES * EFFECT_BYTES, effects.length)
  const moves: (readonly [number, number, number])[] = []
  for (let at = 0; at + EFFECT_BYTES <= end; at += EFFECT_BYTES)
    moves.push([view.getUint32(at, true), view.getUint32(at + 12, true), view.getUint32(at + 16, true)])
  return moves
}
