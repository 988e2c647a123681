/** A Snapshot of an index in a folder shows its moment, stored documents too, whatever is done to the index. */
import { type Freshdex, Freshdex as Index } from 'freshdex'
import { describe, expect, test } from 'vitest'
import {
  BUSY,
  byKey,
  failureOf,
  looksOf,
  OPTIONS,
  type Options,
  openPages,
  PAGES,
  type Page,
  page,
} from './specimen.js'
import { newPath } from './temporary-folder.js'

const KEYS = PAGES.map(({ id }) => id)

const CHANGES: readonly (readonly [string, (index: Freshdex<Page>) => Promise<unknown>])[] = [
  ['a batch', (index) => index.write({ put: [page(4, 1), page(5, 1)] })],
  ['a stored document that changes alone', (index) => index.write({ put: [{ ...page(8), note: 'alone' }] })],
  ['a removal', (index) => index.write({ remove: KEYS.slice(10, 30) })],
  [
    'new documents under the numbers of removed ones',
    async (index) => {
      await index.write({ remove: KEYS.slice(10, 30) })
      for (let round = 0; round < 4; round++) {
        await index.write({ put: Array.from({ length: 10 }, (_, nth) => page(1000 + round * 10 + nth)) })
      }
    },
  ],
  [
    'a removed document that comes back otherwise',
    async (index) => {
      await index.write({ remove: [6, 9] })
      await index.write({ put: [page(6, 3)] })
    },
  ],
  ['a compaction', (index) => index.compact()],
  [
    'a compaction and a batch after it',
    async (index) => {
      await index.compact()
      await index.write({ put: [page(4, 1)], remove: [6] })
    },
  ],
  [
    'the removal of everything',
    async (index) => {
      await index.write({ remove: KEYS })
      await index.compact()
    },
  ],
  ['a check', (index) => index.check()],
  ['a refused batch', (index) => failureOf(() => index.write({ put: [page(1), page(1)] }))],
  [
    'many batches',
    async (index) => {
      for (let version = 1; version < 12; version++) {
        await index.write({ put: [page(version, version), page(30, version)], remove: [KEYS[version + 40]!] })
      }
    },
  ],
]

describe.each([
  ['that is flushed after each batch', { upkeep: BUSY }],
  ['that is flushed later', {}],
] as [string, Options][])('a Snapshot of an index %s', (_, options) => {
  test.each(CHANGES)('does not see %s', async (_what, change) => {
    const index = await openPages(newPath(), options)
    const snapshots = [index.snapshot(), index.snapshot()]
    const before = looksOf(snapshots[0]!)
    expect(looksOf(index)).toEqual(before)
    await change(index)
    for (const snapshot of snapshots) expect(looksOf(snapshot)).toEqual(before)
    snapshots[0]!.close()
    await change(index)
    expect(looksOf(snapshots[1]!)).toEqual(before)
    snapshots[1]!.close()
    expect(await index.check()).toMatchObject({ ok: true, faults: [] })
    await index.close()
  })

  test('shows one moment each, of many', async () => {
    const index = await openPages(newPath(), options)
    const held = []
    for (let version = 1; version < 20; version++) {
      await index.write({ put: [page(version, version), page(50, version)], remove: [KEYS[version + 20]!] })
      held.push({ snapshot: index.snapshot(), looks: looksOf(index) })
      if (version % 6 === 0) await index.compact()
    }
    for (const { snapshot, looks } of held.reverse()) {
      expect(looksOf(snapshot)).toEqual(looks)
      snapshot.close()
    }
    await index.close()
  })

  test('taken while a batch is on its way shows the moment before', async () => {
    const index = await openPages(newPath(), options)
    const before = looksOf(index)
    const writing = index.write({ put: [page(4, 1)], remove: [6] })
    const early = index.snapshot()
    await new Promise((resolve) => setImmediate(resolve))
    const later = index.snapshot()
    expect(looksOf(index)).toEqual(before)
    await writing
    expect(looksOf(early)).toEqual(before)
    expect(looksOf(later)).toEqual(before)
    expect(looksOf(index)).not.toEqual(before)
    await index.close()
  })

  test('ends with the index', async () => {
    const index = await openPages(newPath(), options)
    const snapshot = index.snapshot()
    await index.write({ put: [page(4, 1)] })
    await index.close()
    expect(await failureOf(() => snapshot.search('fox'))).toBe('CLOSED')
    expect(await failureOf(() => snapshot.get(0))).toBe('CLOSED')
    snapshot.close()
    snapshot.close()
  })

  test('of a reader stays while the reader goes on', async () => {
    const folder = newPath()
    const index = await openPages(folder, options)
    const reader = await Index.open<Page>(folder, { readOnly: true, pollMs: 2 ** 31 - 1 })
    const snapshot = reader.snapshot()
    const before = looksOf(snapshot)
    for (const [, change] of CHANGES) {
      await change(index)
      await reader.catchUp()
      expect(looksOf(reader)).toEqual(looksOf(index))
      expect(looksOf(snapshot)).toEqual(before)
    }
    await reader.close()
    expect(await failureOf(() => snapshot.get(0))).toBe('CLOSED')
    await index.close()
  })
})

test('documents() shows the moment at which the first was asked for', async () => {
  const index = await openPages(newPath(), { upkeep: BUSY })
  const before = [...index.documents()].sort(byKey)
  const asked = index.documents()
  const unasked = index.documents()
  const seen = [asked.next().value as Page]
  await index.write({ put: [page(4, 1), page(100)], remove: KEYS.slice(10, 30) })
  await index.compact()
  for (const document of asked) {
    seen.push(document)
    await index.write({ put: [page(seen.length, 7)] })
  }
  expect(seen.sort(byKey)).toEqual(before)
  expect([...unasked].sort(byKey)).toEqual([...index.documents()].sort(byKey))
  // Left in the middle: the next batches must not find its moment still held.
  for (const _ of index.documents()) break
  await index.close()
})

test('an index is closed and opened while Snapshots of it are still held', async () => {
  const folder = newPath()
  for (let round = 0; round < 3; round++) {
    const index = await Index.open<Page>(folder, OPTIONS)
    index.snapshot()
    await index.write({ put: [page(round)] })
    index.snapshot()
    await index.close()
  }
})
