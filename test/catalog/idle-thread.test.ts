/** A thread serves one catalog after another, and what goes wrong with one of them is no matter of the next. */
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openNew } from '../../src/catalog/connection.js'
import { keepThread, takeThread } from '../../src/catalog/idle-thread.js'
import { CatalogThread } from '../../src/catalog/thread.js'
import { makeTemporaryFolder } from '../support/temporary-root.js'

const folder = makeTemporaryFolder('idle-thread')
const file = path.join(folder, 'catalog.db')
openNew(file).close()
const broken = path.join(folder, 'broken.db')
writeFileSync(broken, 'no database at all, and long enough to be looked at '.repeat(40))

afterAll(async () => {
  await takeThread().terminate()
  rmSync(folder, { recursive: true, force: true })
})

async function integrityOf(database: string): Promise<unknown> {
  const thread = new CatalogThread({ file: database, access: 'read' })
  try {
    return await thread.run({ kind: 'integrity' })
  } finally {
    await thread.close()
  }
}

test('the thread of a closed catalog works on the next one', async () => {
  expect(await integrityOf(file)).toEqual(['ok'])
  const kept = takeThread()
  keepThread(kept)
  expect(await integrityOf(file)).toEqual(['ok'])
  const again = takeThread()
  expect(again).toBe(kept)
  keepThread(again)
})

test('a catalog that cannot be opened fails by itself, and the next one is opened', async () => {
  expect(await integrityOf(file)).toEqual(['ok'])
  const writing = new CatalogThread({ file: broken, access: 'process' })
  await expect(writing.run({ kind: 'integrity' })).rejects.toMatchObject({ code: 'CORRUPT' })
  await expect(writing.run({ kind: 'integrity' })).rejects.toMatchObject({ code: 'CORRUPT' })
  await writing.close()
  await expect(writing.run({ kind: 'integrity' })).rejects.toMatchObject({ code: 'CORRUPT' })
  expect(await integrityOf(file)).toEqual(['ok'])
})

test('two catalogs at a time have a thread each', async () => {
  const threads = [new CatalogThread({ file, access: 'read' }), new CatalogThread({ file, access: 'read' })]
  const answers = await Promise.all(threads.map((thread) => thread.run({ kind: 'integrity' })))
  expect(answers).toEqual([['ok'], ['ok']])
  await Promise.all(threads.map((thread) => thread.close()))
  await expect(threads[0]?.run({ kind: 'integrity' })).rejects.toMatchObject({ code: 'CLOSED' })
})
