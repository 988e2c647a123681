import { describe, expect, test } from 'vitest'
import { OutgoingRows } from '../../src/workload/outgoing-rows.js'

const AT = Date.UTC(2026, 10, 1)
const query = { kind: 'text', name: 'ferry', count: 1, atMs: AT, isAnswered: undefined } as const

describe('rows on their way to the inbox', () => {
  test('of one query within a minute are one, and say whether it was answered when any of them does', () => {
    const rows = new OutgoingRows()
    rows.add({ ...query, isAnswered: false })
    rows.add({ ...query, atMs: AT + 1000, count: 2 })
    rows.add({ ...query, atMs: AT + 60_000 })
    expect(rows.take()).toEqual([
      { ...query, atMs: AT + 1000, count: 3, isAnswered: false },
      { ...query, atMs: AT + 60_000 },
    ])
    expect(rows.take()).toEqual([])
  })

  test('of clicks are counted by rank', () => {
    const rows = new OutgoingRows()
    for (const rank1 of [1, 2, 1]) rows.add({ kind: 'click', rank1, count: 1 })
    expect(rows.take()).toEqual([
      { kind: 'click', rank1: 1, count: 2 },
      { kind: 'click', rank1: 2, count: 1 },
    ])
  })

  test('beyond the most that wait are counted as lost, and those that wait count on', () => {
    const rows = new OutgoingRows()
    for (let nth = 0; nth < 10_000; nth++) rows.add({ ...query, name: `word${nth}` })
    rows.add({ ...query, name: 'one more', count: 3 })
    rows.add({ ...query, name: 'word7' })
    expect(rows.lost).toBe(3)
    const waiting = rows.take()
    expect(waiting).toHaveLength(10_000)
    expect(waiting.find((row) => row.kind === 'text' && row.name === 'word7')?.count).toBe(2)
    rows.lose(waiting)
    expect(rows.lost).toBe(10_004)
  })
})
