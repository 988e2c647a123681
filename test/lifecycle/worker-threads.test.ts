import { expect, test } from 'vitest'
import { runChild } from './child.js'

test('workers terminated in the middle of a search or a write harm no one else', { timeout: 600_000 }, async () => {
  const { code, signal, stdout, stderr } = await runChild('worker-threads-child.mjs')
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
  const lines = stdout.trim().split('\n')
  expect(lines).toHaveLength(8)
  expect(new Set(lines)).toEqual(new Set(['1498 50 1498 true']))
})
