/** What of a query is kept, and what is not. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { openLearning, textsOf } from './learning.js'
import { DAY_MS, OPTIONS, type Page, page, START, url } from './orchard.js'

/** Every byte of every file in the folder. */
function bytesOf(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Buffer.concat(files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name))))
}

describe('privacy', () => {
  test("'hash' keeps no text of a query in any file, and measures all the same", async () => {
    const folder = newPath()
    const index = await openLearning({ privacy: 'hash' }, folder)
    // A query of words that pages have, and one that must not be found anywhere.
    index.search('pear apple')
    index.search('confidential diagnosis')
    const { gains } = await index.write({ put: [{ ...page(11), body: 'apple pear pear' }] }, { at: START + DAY_MS })
    expect(gains.map(({ key }) => key)).toEqual([url(11)])
    // The log of SQLite is there as long as the index is open.
    expect(readdirSync(folder)).toContain('catalog.db-wal')
    for (const word of ['confidential', 'diagnosis', 'pear apple']) expect(bytesOf(folder).includes(word)).toBe(false)
    const texts = textsOf(index)
    expect(texts).toHaveLength(2)
    for (const text of texts) expect(text).toMatch(/^[0-9a-f]{16}\.[0-9a-f]{16}$/)
    await index.close()
    for (const word of ['confidential', 'diagnosis', 'pear apple']) expect(bytesOf(folder).includes(word)).toBe(false)

    // The choice is kept with the index.
    await using again = await Freshdex.open<Page>(folder, { ...OPTIONS, workload: {} })
    expect(textsOf(again)).toEqual(texts)
    const measured = await again.write({ put: [{ ...page(9), body: 'apple pear pear' }] }, { at: START + 2 * DAY_MS })
    expect(measured.gains.map(({ key }) => key)).toContain(url(9))
    // A word that the index has only now makes a query measurable.
    const found = await again.write(
      { put: [{ ...page(1), body: 'confidential diagnosis' }] },
      { at: START + 2 * DAY_MS },
    )
    expect(found.gains.map(({ key }) => key)).not.toContain(url(1))
    await again.refresh.fit()
    const better = await again.write(
      { put: [{ ...page(2), body: 'diagnosis confidential' }] },
      { at: START + 2 * DAY_MS },
    )
    expect(better.gains.map(({ key }) => key)).toContain(url(2))
  })

  test("'hash' is kept with an index that has no query yet, and holds for whoever opens it next", async () => {
    const folder = newPath()
    await (await openLearning({ privacy: 'hash' }, folder)).close()
    const index = await openLearning({}, folder)
    index.workload.record('confidential diagnosis')
    index.search('pear apple')
    await index.close()
    for (const word of ['confidential', 'pear apple']) expect(bytesOf(folder).includes(word)).toBe(false)
    await using told = await openLearning({ privacy: 'text' }, folder)
    told.workload.record('medlar quince')
    expect(textsOf(told)).toContain('medlar quince')
  })

  test("'text' keeps it, so that the test above can fail", async () => {
    const folder = newPath()
    const index = await openLearning({}, folder)
    index.search('confidential diagnosis')
    await index.close()
    expect(bytesOf(folder).includes('confidential diagnosis')).toBe(true)
  })
})
