/** Processes and threads that end without closing, and openings that leave nothing open. */
import { expect, test } from 'vitest'
import { runChild } from '../lifecycle/child.js'
import { rounds } from '../support/rounds.js'
import { type Options, withIndex } from './specimen.js'
import { newPath } from './temporary-folder.js'

const CHILD = new URL('ending-child.mjs', import.meta.url).href

/** The way, what it must have printed, and how many documents are there afterwards. */
const WAYS: readonly (readonly [string, string, number])[] = [
  ['falls off the end after a write', '', 30],
  ['falls off the end with writes under way', 'written\n', 31],
  ['falls off the end with a snapshot and a reader', '', 30],
  ['exits with writes under way', '', 30],
  ['exits with a compaction under way', '', 30],
  ['drops its snapshots', 'freed\n', 30],
]

async function run(folder: string, way: string, repeated = 0): Promise<string> {
  const args = [folder, way, String(repeated)]
  const { code, signal, stdout, stderr } = await runChild(CHILD, args, ['--expose-gc'])
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
  return stdout
}

async function expectWhole(folder: string, documents: number, options: Options = {}): Promise<void> {
  await withIndex(folder, options, async (index) => {
    expect(index.stats().documents).toBe(documents)
    expect(await index.check()).toMatchObject({ ok: true, faults: [] })
  })
}

test.each(WAYS)('a process that %s ends well', async (way, printed, documents) => {
  const folder = newPath()
  expect(await run(folder, way, rounds(160, 300))).toBe(printed)
  await expectWhole(folder, documents)
})

test('workers that write, and are terminated while they do, leave whole indexes and no lock', async () => {
  const folder = newPath()
  expect(await run(folder, 'writes in workers')).toBe('true 30 true 30\n'.repeat(3))
  for (const nth of [0, 1]) await expectWhole(`${folder}-${nth}`, 30)
})

test('many cycles of open and close leave no file and no thread behind', async () => {
  const folder = newPath()
  expect(JSON.parse(await run(folder, 'opens and closes again and again', rounds(50, 120)))).toEqual({
    files: 0,
    threads: 0,
  })
  await expectWhole(folder, 30, { readOnly: true })
})
