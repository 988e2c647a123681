import { expect, test } from 'vitest'
import { fromLearntColumns, toLearntColumns } from '../../src/catalog/learnt-rows.js'
import { validWorkload } from '../../src/catalog/workload-rows.js'
import type { LearntRow } from '../../src/workload/learnt-rows.js'

const ROWS: readonly LearntRow[] = [
  { kind: 'text', name: 'ferry', count: 2.5, atMs: 1000, isAnswered: true },
  { kind: 'hash', name: '00000000000000ff', count: 1, atMs: 0, isAnswered: false },
  { kind: 'text', name: 'market day', count: 1, atMs: 7, isAnswered: undefined },
  { kind: 'click', rank1: 3, count: 4 },
]

test('rows of the inbox come back as they were left', () => {
  expect(ROWS.map((row) => fromLearntColumns(toLearntColumns(row)))).toEqual(ROWS)
})

test('rows that no process left are none', () => {
  const [query, click] = [toLearntColumns(ROWS[0]!), toLearntColumns(ROWS[3]!)]
  const damaged: unknown[][] = [
    ...['image', 7, null].map((kind) => query.with(0, kind as never)),
    ...['', 7, null, Buffer.from('x')].map((name) => query.with(1, name as never)),
    ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, '2', null].map((count) => query.with(2, count as never)),
    ...[-1, Number.POSITIVE_INFINITY, 'now', null].map((atMs) => query.with(3, atMs as never)),
    ...[0, -2, 'first', null].map((rank1) => click.with(5, rank1 as never)),
  ]
  expect(damaged.filter((values) => fromLearntColumns(values) !== undefined)).toEqual([])
  expect(fromLearntColumns(query.with(4, 'perhaps' as never))).toEqual({ ...ROWS[0], isAnswered: undefined })
})

test('a mark that cannot be read counts as nothing taken, and each of its values for itself', () => {
  const keptOf = (state: readonly unknown[] | undefined) =>
    validWorkload({ queries: [], nextQueryId: 1, privacy: 'text', clicks: [], state }).kept
  const state: readonly unknown[] = [50, 1000, 1, 2.5, 3, 'abc', 12, 4]
  expect(keptOf(state)).toEqual({
    ...{ maxQueries: 50, halfLifeMs: 1000, dropped: 1, droppedWeight: 2.5, lost: 3 },
    inbox: { generation: 'abc', row: 12, dropped: 4 },
  })
  const nothing = { generation: '', row: 0, dropped: 0 }
  expect(keptOf(undefined)).toMatchObject({ maxQueries: undefined, lost: 0, inbox: nothing })
  expect(keptOf(state.with(5, null)).inbox.generation).toBe('')
  expect(keptOf(state.with(6, -1)).inbox).toEqual({ generation: 'abc', row: 0, dropped: 4 })
  expect(keptOf(state.with(7, 'many')).inbox).toEqual({ generation: 'abc', row: 12, dropped: 0 })
})
