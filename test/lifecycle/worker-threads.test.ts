import { expect, test } from 'vitest'
import { rounds } from '../support/rounds.js'
import { runChild } from './child.js'

const ROUNDS = rounds(3, 8)

test('workers terminated in the middle of a search or a write harm no one else', { timeout: 600_000 }, async () => {
  const { code, signal, stdout, stderr } = await runChild('worker-threads-child.mjs', [String(ROUNDS)])
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
  const lines = stdout.trim().split('\n')
  expect(lines).toHaveLength(ROUNDS)
  expect(new Set(lines)).toEqual(new Set(['1498 50 1498 true']))
})
