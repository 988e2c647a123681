import { describe, expect, it } from 'vitest'
import type { ColumnSetting } from '../../src/base/columns.js'
import { type ColumnRequest, decodeColumns, encodeColumns } from '../../src/core/columns-wire.js'
import type { FilterNode } from '../../src/search/filter-tree.js'

const COLUMNS: readonly ColumnSetting[] = [
  { name: 'section', kind: 'keyword' },
  { name: 'words', kind: 'number' },
  { name: 'published', kind: 'date' },
]

/** Numbers as the head of columns-wire.ts has them. */
const u8 = (value: number) => Buffer.of(value)
const u16 = (value: number) => Buffer.from(Uint16Array.of(value).buffer)
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer)
const f64 = (value: number) => Buffer.from(Float64Array.of(value).buffer)
const text = (value: string) => Buffer.concat([u32(Buffer.byteLength(value)), Buffer.from(value)])

const NOTHING_ELSE = Buffer.alloc(5)

function encode(request: ColumnRequest): Buffer {
  return Buffer.from(encodeColumns(request, COLUMNS) as Uint8Array)
}

function filterBytes(filter: FilterNode): Buffer {
  const wire = encode({ filter })
  const bytes = wire.readUInt32LE(0)
  expect(wire.subarray(4 + bytes)).toEqual(NOTHING_ELSE)
  return wire.subarray(4, 4 + bytes)
}

describe('the request', () => {
  it('is nothing where nothing is asked', () => {
    expect(encodeColumns({}, COLUMNS)).toBeUndefined()
    expect(encodeColumns({ sort: [], facets: [], boosts: [] }, COLUMNS)).toBeUndefined()
  })

  it('has the bytes of the example', () => {
    const wire = encode({ filter: { kind: 'any', column: 0, values: ['a'] } })
    expect(wire.toString('hex')).toBe('0c000000040000010000000100000061' + '0000000000')
  })

  it('has every kind of filter', () => {
    const range = { min: 1, max: Number.POSITIVE_INFINITY, isMinOpen: true, isMaxOpen: false } as const
    const exists: FilterNode = { kind: 'exists', column: 2 }
    expect(filterBytes(exists)).toEqual(Buffer.concat([u8(7), u16(2)]))
    expect(filterBytes({ kind: 'not', child: exists })).toEqual(Buffer.concat([u8(3), u8(7), u16(2)]))
    expect(filterBytes({ kind: 'and', children: [] })).toEqual(Buffer.concat([u8(1), u16(0)]))
    expect(filterBytes({ kind: 'or', children: [exists, exists] })).toEqual(
      Buffer.concat([u8(2), u16(2), u8(7), u16(2), u8(7), u16(2)]),
    )
    expect(filterBytes({ kind: 'range', column: 1, ...range })).toEqual(
      Buffer.concat([u8(6), u16(1), f64(1), f64(Number.POSITIVE_INFINITY), u8(1)]),
    )
    expect(filterBytes({ kind: 'all', column: 0, values: ['é', ''] })).toEqual(
      Buffer.concat([u8(5), u16(0), u32(2), text('é'), text('')]),
    )
    expect(filterBytes({ kind: 'any', column: 1, values: [2, -1] })).toEqual(
      Buffer.concat([u8(4), u16(1), u32(2), f64(2), f64(-1)]),
    )
  })

  it('has sorts, facets, boosts, a cursor and groups', () => {
    const wire = encode({
      sort: [
        { by: 'column', column: 0, isDescending: false },
        { by: 'score' },
        { by: 'column', column: 1, isDescending: true },
      ],
      facets: [
        { kind: 'values', column: 0, limit: 7 },
        { kind: 'ranges', column: 1, ranges: [{ min: 0, max: 5, isMinOpen: false, isMaxOpen: true }] },
        { kind: 'interval', column: 2, interval: 'week' },
      ],
      boosts: [
        { kind: 'decay', column: 2, origin: 3, halfLife: 4, floor: 0.5 },
        { kind: 'log', column: 1, factor: 2 },
      ],
      after: { values: ['docs', 1.5, null], document: 9 },
      group: { column: 1, size: 3 },
    })
    const sort = [u8(3), u8(1), u16(0), u8(0), u16(0), u8(2), u16(1)]
    const facets = [u8(3), u8(1), u16(0), u32(7), u8(2), u16(1), u16(1), f64(0), f64(5), u8(2), u8(3), u16(2), u8(3)]
    const boosts = [u8(2), u8(1), u16(2), f64(3), f64(4), f64(0.5), u8(2), u16(1), f64(2)]
    const after = [u8(1), u32(9), u8(3), u8(2), text('docs'), u8(1), f64(1.5), u8(0)]
    const group = [u8(1), u16(1), u32(3)]
    expect(wire).toEqual(Buffer.concat([u32(0), ...sort, ...facets, ...boosts, ...after, ...group]))
  })

  it('refuses cursors whose values are not those of the sort', () => {
    const byColumn = (column: number) => [{ by: 'column', column, isDescending: false }] as const
    const refused: ColumnRequest[] = [
      { after: { values: [], document: 0 } },
      { after: { values: [1, 2], document: 0 } },
      { after: { values: [null], document: 0 } },
      { after: { values: ['1'], document: 0 } },
      { sort: byColumn(0), after: { values: [1], document: 0 } },
      { sort: byColumn(1), after: { values: ['a'], document: 0 } },
    ]
    for (const request of refused) {
      expect(() => encodeColumns(request, COLUMNS)).toThrow(
        new TypeError('after is the cursor of a search with another sort'),
      )
    }
    expect(encodeColumns({ after: { values: [1], document: 0 } }, COLUMNS)).toBeDefined()
    expect(encodeColumns({ sort: byColumn(0), after: { values: [null], document: 0 } }, COLUMNS)).toBeDefined()
  })
})

describe('the answer', () => {
  it('has the last hit, facets and groups', () => {
    const last = [u8(1), u32(17), u32(3), u8(0), u8(1), f64(-2.5), u8(2), text('blog 🌊')]
    const words = [u32(2), u8(2), text('docs'), u8(2), text(''), u32(2), f64(3), f64(1)]
    const ranges = [u32(0), u32(1), f64(12)]
    const groups = [u32(2), u8(1), f64(4), u8(0), u32(0), u32(0), u32(1)]
    const bytes = Buffer.concat([Buffer.alloc(5), ...last, u32(2), ...words, ...ranges, ...groups])
    expect(decodeColumns(new Uint8Array(bytes).buffer, 5, 3)).toEqual({
      last: { document: 17, values: [null, -2.5, 'blog 🌊'] },
      facets: [
        { values: ['docs', ''], counts: [3, 1] },
        { values: [], counts: [12] },
      ],
      groups: [4, null],
      groupOf: [0, 0, 1],
    })
  })

  it('may have nothing', () => {
    const bytes = Buffer.concat([u8(0), u32(0), u32(0)])
    const nothing = { last: undefined, facets: [], groups: [], groupOf: [] }
    expect(decodeColumns(new Uint8Array(bytes).buffer, 0, 2)).toEqual(nothing)
  })
})
