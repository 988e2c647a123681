/** Without its catalog an index is damaged, and not a new one: what is left of it must not be removed. */
import { readdirSync, rmSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { BUSY, failureOf, OPTIONS, openPages, withIndex } from '../storage/specimen.js'
import { newPath } from '../storage/temporary-folder.js'

describe('segments without a catalog', () => {
  test.each([
    ['that is gone', (catalog: string) => rmSync(catalog)],
    ['that is empty', (catalog: string) => truncateSync(catalog)],
  ])('%s stay where they are', async (_, lose) => {
    const folder = newPath()
    const index = await openPages(folder, { upkeep: BUSY })
    await index.compact()
    await index.close()
    const segments = path.join(folder, 'segments')
    const before = readdirSync(segments)
    expect(before.length).toBeGreaterThan(3)
    lose(path.join(folder, 'catalog.db'))
    for (const options of [OPTIONS, {}, { readOnly: true }]) {
      expect(await failureOf(() => withIndex(folder, options, () => {}))).toMatch(/^(?:CORRUPT|NOT_FOUND)$/)
      expect(readdirSync(segments)).toEqual(before)
    }
  })
})
