/** The segments of an index as the core gives and takes them: number, kind, bytes, one segment after another. */

export type SegmentList = Float64Array

const NUMBERS_PER_SEGMENT = 3

export type SegmentRow = readonly [number: number, kind: number, bytes: number]

/** XXH64 of the core, seeded as the index is. */
export type Hash = (bytes: Uint8Array) => bigint

export const EMPTY_LIST: SegmentList = new Float64Array(0)

export function segmentRows(list: SegmentList): SegmentRow[] {
  return Array.from({ length: segmentCount(list) }, (_, row) => {
    const at = row * NUMBERS_PER_SEGMENT
    return [list[at], list[at + 1], list[at + 2]] as unknown as SegmentRow
  })
}

export function toSegmentList(rows: readonly (readonly unknown[])[]): SegmentList {
  return Float64Array.from(rows.flat() as number[])
}

export function segmentCount(list: SegmentList): number {
  return list.length / NUMBERS_PER_SEGMENT
}

export function segmentBytes(list: SegmentList): number {
  return segmentRows(list).reduce((sum, [, , bytes]) => sum + bytes, 0)
}

/** The list in the order in which it is stored: hashes depend on it. */
export function sortedSegments(list: SegmentList): SegmentList {
  return toSegmentList(segmentRows(list).sort(([a], [b]) => a - b))
}

export function hashOfSegments(list: SegmentList, hash: Hash): bigint {
  return hash(new Uint8Array(list.buffer, list.byteOffset, list.byteLength))
}
