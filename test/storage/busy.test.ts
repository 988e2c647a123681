/** Another program holds the catalog: what cannot be written now can be written later. */
import { describe, expect, test } from 'vitest'
import { holdCatalog } from './held-catalog.js'
import { BUSY, failureOf, looksOf, openPages, page, withIndex } from './specimen.js'
import { newPath } from './temporary-folder.js'

// Each waits some seconds for the catalog.
describe.concurrent('while another program writes to the catalog', () => {
  test.each([
    ['a write', (index) => index.write({ put: [page(4, 1), page(200)], remove: [6] })],
    ['a compaction', (index) => index.compact()],
  ] as [string, (index: Awaited<ReturnType<typeof openPages>>) => Promise<unknown>][])(
    '%s is BUSY, changes nothing, and can be repeated',
    async (_, act) => {
      const folder = newPath()
      const index = await openPages(folder, { upkeep: BUSY })
      const before = looksOf(index)
      const snapshot = index.snapshot()
      const release = holdCatalog(folder)
      expect(await failureOf(() => act(index))).toBe('BUSY')
      for (const reader of [index, snapshot]) expect(looksOf(reader)).toEqual(before)
      release()
      await act(index)
      expect(looksOf(snapshot)).toEqual(before)
      expect(await index.write({ put: [page(4, 2)] })).toMatchObject({ replaced: 1 })
      const after = looksOf(index)
      expect(await index.check()).toMatchObject({ ok: true, faults: [] })
      await index.close()
      await withIndex(folder, {}, (again) => expect(looksOf(again)).toEqual(after))
    },
  )

  test('readers read on, and others are opened', async () => {
    const folder = newPath()
    const index = await openPages(folder)
    const release = holdCatalog(folder)
    await withIndex(folder, { readOnly: true }, async (reader) => {
      expect(looksOf(reader)).toEqual(looksOf(index))
      await reader.catchUp()
    })
    release()
    await index.close()
  })

  test('an upkeep that comes to nothing is made up for later', async () => {
    const folder = newPath()
    // The first batches stay in the log: the upkeep that they make due finds the catalog held.
    const index = await openPages(folder, { upkeep: { ...BUSY, logBytes: 1_000_000, partitionBytes: 1_000_000 } })
    await index.close()
    await withIndex(folder, { upkeep: BUSY }, async (again) => {
      const writing = again.write({ put: [page(4, 1)] })
      await writing
      // Its turn has begun: the flush is being written, and is committed only after files were synced.
      const release = holdCatalog(folder)
      const next = await failureOf(() => again.write({ put: [page(5, 1)] }))
      release()
      expect(next).toMatch(/^(?:none|BUSY)$/)
      await again.write({ put: [page(5, 2)] })
      await again.compact()
      expect(again.stats().disk).toMatchObject({ logBytes: 0 })
      expect(await again.check()).toMatchObject({ ok: true, faults: [] })
    })
  })
})
