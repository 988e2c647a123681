import { expect, test } from 'vitest'
import { runChild } from './child.js'

const MEBIBYTE = 1024 * 1024

interface Holdings {
  rss: number
  files: number
  threads: number
}

test('10,000 cycles of open and close leave no memory, file or thread behind', { timeout: 600_000 }, async () => {
  // V8 lets its young generation grow by some 16 MiB under load, whoever causes it: pinned, the rest of RSS is ours.
  const flags = ['--expose-gc', '--max-semi-space-size=1']
  const { code, signal, stdout, stderr } = await runChild('open-close-child.mjs', [], flags)
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
  const { warm, settled, end } = JSON.parse(stdout) as Record<'warm' | 'settled' | 'end', Holdings>
  expect(end.rss - settled.rss, JSON.stringify({ warm, settled, end })).toBeLessThan(4 * MEBIBYTE)
  // Elsewhere than on Linux nobody counts these and they are 0 throughout.
  expect(end.files).toBe(warm.files)
  expect(end.threads).toBe(warm.threads)
})
