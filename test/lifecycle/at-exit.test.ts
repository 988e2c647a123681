import { expect, test } from 'vitest'
import { runChild } from './child.js'

/** The way the process ends, and what it must have printed by then. */
const WAYS: readonly (readonly [string, string])[] = [
  ['falls off the end with an open index', ''],
  ['falls off the end with a snapshot', ''],
  ['falls off the end with a write under way', 'added 200\n'],
  ['falls off the end with writes in the queue and a close', 'removed 1\n'],
  ['exits with an open index', ''],
  ['exits with a snapshot', ''],
  ['exits with a write under way', ''],
  ['exits a little later in a write', ''],
  ['exits with a check and a compaction under way', ''],
  ['exits inside of an analyzer', ''],
  ['exits in a listener of exit that searches', 'found 1\n'],
]

test.each(WAYS)('a process that %s ends well', async (way, printed) => {
  expect(await runChild('at-exit-child.mjs', [way])).toEqual({ code: 0, signal: null, stdout: printed, stderr: '' })
})

test('a process that exits with an index open in a worker ends well', async () => {
  const { code, signal, stderr } = await runChild('at-exit-child.mjs', ['exits with an index open in a worker'])
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
})
