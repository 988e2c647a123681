/** The key of a document by its number, as internal callers ask for it one by one. */
import { expect, test } from 'vitest'
import { Freshdex } from '../../src/freshdex.js'
import { Snapshot } from '../../src/snapshot.js'
import { newPath } from '../storage/temporary-folder.js'

interface Page {
  readonly id: string | number
  readonly body: string
}

const KEYS = ['a', 'https://a.example/1', 'ü', '鍵', '😀 key', '#1', '1', 0, -17, 2 ** 53 - 1, 'x'.repeat(500)]

test.each([
  ['in memory', () => ':memory:'],
  ['in a folder', () => newPath()],
])('%s, the key of each number is the key that has the number', async (_, place) => {
  await using index = await Freshdex.open<Page>(place(), { key: 'id', fields: { body: {} } })
  await index.write({ put: KEYS.map((id, nth) => ({ id, body: nth % 2 === 0 ? 'some text' : '' })) })
  const removed = ['a', 0, '鍵']
  await index.write({ remove: removed })
  const { documents } = Snapshot.readerOf(index.snapshot())
  const left = KEYS.filter((key) => !removed.includes(key as string))
  const numbers = left.map((key) => documents.numberOf(key) as number)
  expect(new Set(numbers).size).toBe(left.length)
  expect(numbers.map((number) => documents.keyOf(number))).toEqual(left)
  // A number that no document has, between others and behind them all.
  const others = Array.from({ length: KEYS.length + 5 }, (_, number) => number).filter((n) => !numbers.includes(n))
  expect(others.length).toBeGreaterThanOrEqual(removed.length + 5)
  expect(others.map((number) => documents.keyOf(number))).toEqual(others.map(() => undefined))
})
