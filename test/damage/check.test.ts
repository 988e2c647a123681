/** A check of a catalog that is damaged while the index is open reports it: it neither rejects nor passes. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openPages, withIndex } from '../storage/specimen.js'
import { newPath } from '../storage/temporary-folder.js'

const DAMAGES: [string, (file: string) => void][] = [
  ['cut in half', (file) => truncateSync(file, readFileSync(file).length >> 1)],
  [
    'overwritten behind its first page',
    (file) => {
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.fill(0xff, 4096))
    },
  ],
]

test.each(DAMAGES)('a catalog %s', async (_, damage) => {
  const folder = newPath()
  await (await openPages(folder)).close()
  await withIndex(folder, { readOnly: true }, async (index) => {
    expect((await index.check()).ok).toBe(true)
    damage(path.join(folder, 'catalog.db'))
    for (const level of [1, 2, 3] as const) {
      const { ok, faults } = await index.check({ level })
      expect(ok).toBe(false)
      expect(faults.some(({ invariant }) => invariant === 'catalog')).toBe(true)
    }
  })
})
