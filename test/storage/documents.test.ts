/** Stored documents: what comes back, at once and after an opening. */
import type { Key } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { rounds } from '../support/rounds.js'
import { BUSY, failureOf, OPTIONS, type Options, openPages, type Page, page, withIndex } from './specimen.js'
import { newPath } from './temporary-folder.js'

/** The same by the writer, after an opening, and from segments. */
async function everywhere(
  options: Options,
  batches: readonly { put?: Page[]; remove?: Key[] }[],
  keys: readonly Key[],
) {
  const folder = newPath()
  const read = (index: { get(key: Key): Page | undefined }) => keys.map((key) => index.get(key))
  const answers = [
    await withIndex(folder, { ...OPTIONS, ...options }, async (index) => {
      for (const batch of batches) await index.write(batch)
      return read(index)
    }),
    await withIndex(folder, {}, read),
    await withIndex(folder, {}, async (index) => {
      await index.compact()
      return read(index)
    }),
    await withIndex(folder, { readOnly: true }, read),
  ]
  for (const answer of answers) expect(answer).toEqual(answers[0])
  await withIndex(folder, {}, async (index) => expect(await index.check()).toMatchObject({ ok: true, faults: [] }))
  return answers[0]
}

describe('stored documents', () => {
  test('that change alone, with the same text', async () => {
    const folder = newPath()
    const index = await openPages(folder, { upkeep: BUSY })
    const changed = { ...page(6), note: 'another' }
    expect(await index.write({ put: [changed] })).toMatchObject({ unchanged: 1, replaced: 0 })
    expect(index.get(6)).toEqual(changed)
    expect(index.search('number 6', { docs: true }).hits[0]?.doc).toEqual(changed)
    await index.close()
    await withIndex(folder, {}, async (again) => {
      expect(again.get(6)).toEqual(changed)
      expect((await again.check()).ok).toBe(true)
    })
  })

  test('that are put again and again as they are', async () => {
    const batches = Array.from({ length: 5 }, () => ({ put: [page(1), page(2)] }))
    expect(await everywhere({ upkeep: BUSY }, batches, ['page 1', 'page 2'])).toEqual([page(1), page(2)])
  })

  test('with store: false are their keys', async () => {
    expect(await everywhere({ store: false }, [{ put: [page(0), page(1)] }], [0, 'page 1', 'none'])).toEqual([
      { id: 0 },
      { id: 'page 1' },
      undefined,
    ])
  })

  test('with store: names are these properties', async () => {
    const options = { store: ['note', 'links'] } as const
    expect(await everywhere(options, [{ put: [page(0), { ...page(1), links: 7 }] }], [0, 'page 1'])).toEqual([
      { id: 0, note: { version: 0, nth: 0 } },
      { id: 'page 1', note: { version: 0, nth: 1 }, links: 7 },
    ])
  })

  test('of keys that look alike are different', async () => {
    const keys: Key[] = [
      1,
      '1',
      -1,
      '-1',
      0,
      '0',
      '1.0',
      ' 1',
      '1e0',
      'ключ',
      'KEY',
      'key',
      'key ',
      '\u0000',
      'a\u0000b',
    ]
    const large = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, String(Number.MAX_SAFE_INTEGER), 2 ** 32, 2 ** 31]
    const all = [...keys, ...large, 'x'.repeat(1024), '🌊'.repeat(256)]
    const put = all.map((id, nth) => ({ id, body: `words ${nth}`, note: nth }))
    expect(await everywhere({}, [{ put }], all)).toEqual(put)
    const remove = all.filter((_, nth) => nth % 2 === 0)
    const left = put.map((document, nth) => (nth % 2 === 0 ? undefined : document))
    expect(await everywhere({ upkeep: BUSY }, [{ put }, { remove }], all)).toEqual(left)
  })

  test('whose numbers were given away and came back', async () => {
    const put = (from: number, version: number) => Array.from({ length: 10 }, (_, nth) => page(from + nth, version))
    const keys = [...put(0, 0), ...put(10, 0), ...put(20, 0)].map(({ id }) => id)
    const batches = [
      { put: put(0, 0) },
      { remove: put(0, 0).map(({ id }) => id) },
      { put: put(10, 0) },
      { put: put(0, 1), remove: put(10, 0).map(({ id }) => id) },
      { put: put(20, 0) },
    ]
    const expected = [...put(0, 1), ...put(10, 0).map(() => undefined), ...put(20, 0)]
    expect(await everywhere({}, batches, keys)).toEqual(expected)
    expect(await everywhere({ upkeep: BUSY }, batches, keys)).toEqual(expected)
  })

  test('in batches with nothing in them', async () => {
    const batches = [{}, { put: [] }, { put: [page(0)] }, { remove: [] }, { put: [], remove: ['absent'] }]
    expect(await everywhere({ upkeep: BUSY }, batches, [0])).toEqual([page(0)])
  })

  test('of every kind of value', async () => {
    const note = {
      date: new Date(0),
      bytes: Buffer.from([1, 2, 255]),
      nested: [{ a: [null, true, 1.5, -7, 2 ** 60] }],
      text: 'ß🌊\u0000',
      empty: {},
    }
    expect(await everywhere({}, [{ put: [{ id: 1, body: 'x', note }] }], [1])).toEqual([{ id: 1, body: 'x', note }])
  })

  test('of 5 MB, replaced by others of 5 MB', async () => {
    const large = (version: number): Page => ({
      id: 'large',
      body: Array.from({ length: 500_000 }, (_, nth) => `w${(nth * 7919 + version) % 90_001}`).join(' '),
      note: 'n'.repeat(2_000_000) + version,
    })
    const versions = rounds(2, 3)
    const documents = Array.from({ length: versions }, (_, version) => large(version))
    expect(large(0).body?.length).toBeGreaterThan(2_500_000)
    const batches = documents.map((document) => ({ put: [document, page(document.note === '' ? 0 : 1)] }))
    const [answer] = (await everywhere({ upkeep: { ...BUSY, partitionBytes: 100_000 } }, batches, ['large'])) as [Page]
    expect(answer).toEqual(large(versions - 1))
  })

  test('over the limit are refused, and the limit is that of the opening', async () => {
    const folder = newPath()
    const put = [{ id: 1, body: 'x'.repeat(200) }]
    const limits = { documentBytes: 100 }
    const refused = await withIndex(folder, { ...OPTIONS, limits }, (index) => failureOf(() => index.write({ put })))
    expect(refused).toBe('DOCUMENT_TOO_LARGE')
    await withIndex(folder, {}, (index) => index.write({ put }))
    await withIndex(folder, { limits }, (index) => expect(index.get(1)).toEqual(put[0]))
  })
})
