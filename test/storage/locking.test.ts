/** One writer at a time, in whatever thread or process; and none is kept out by one that is gone. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { runChild } from '../lifecycle/child.js'
import { failureOf, looksOf, OPTIONS, openPages, withIndex } from './specimen.js'
import { newPath } from './temporary-folder.js'

const CHILD = new URL('locking-child.mjs', import.meta.url)

/** What a worker thread of this process finds. */
async function inThread(folder: string): Promise<string> {
  const worker = new Worker(CHILD, { workerData: folder })
  // Both at once: the last message and the end may come in one turn.
  const [[said]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')])
  return said
}

async function inProcess(folder: string, way = 'close'): Promise<string> {
  const { code, signal, stdout, stderr } = await runChild(CHILD.href, [folder, way])
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
  return stdout.trim()
}

const here = (folder: string) => failureOf(() => withIndex(folder, {}, () => {}))

test('a second writer is LOCKED out: here, in a thread, in another process', async () => {
  const folder = newPath()
  const index = await openPages(folder)
  const before = looksOf(index)
  for (const attempt of [here, inThread, inProcess]) expect(await attempt(folder)).toBe('LOCKED')
  expect(await inProcess(folder, 'in a worker')).toBe('LOCKED')
  expect(await failureOf(() => withIndex(folder, OPTIONS, () => {}))).toBe('LOCKED')
  expect(await failureOf(() => withIndex(`${folder}/../${folder.split('/').at(-1)}/`, {}, () => {}))).toBe('LOCKED')
  expect(looksOf(index)).toEqual(before)
  expect(await index.write({ remove: [0] })).toMatchObject({ removed: 1 })
  await index.close()
  for (const attempt of [here, inThread, inProcess]) expect(await attempt(folder)).toMatch(/^(?:none|open)$/)
})

test('the lock is held until close is through, and an opening that fails lets it go', async () => {
  const folder = newPath()
  const index = await openPages(folder)
  const closing = index.close()
  await closing
  expect(await failureOf(() => withIndex(folder, { key: 'title' as 'id' }, () => {}))).toBe('MISMATCH')
  expect(await here(folder)).toBe('none')
})

test('readers need no lock, and take none', async () => {
  const folder = newPath()
  await (await openPages(folder)).close()
  await withIndex(folder, { readOnly: true }, async () => {
    expect(await here(folder)).toBe('none')
    await withIndex(folder, {}, () => withIndex(folder, { readOnly: true }, (reader) => reader.catchUp()))
  })
})

test('a writer that was killed leaves its writes and no lock', async () => {
  const folder = newPath()
  const child = spawn(process.execPath, [fileURLToPath(CHILD), folder, 'write and stay'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout.setEncoding('utf8'), 'data')
  expect(said).toBe('open\n')
  expect(await here(folder)).toBe('LOCKED')
  await withIndex(folder, { readOnly: true }, (reader) => expect(reader.has('theirs')).toBe(true))
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  await withIndex(folder, {}, async (index) => {
    expect(index.get('theirs')).toEqual({ id: 'theirs', body: 'words of another process' })
    expect(await index.check()).toMatchObject({ ok: true, faults: [] })
  })
})
