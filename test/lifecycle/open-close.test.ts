import { expect, test } from 'vitest'
import { runChild } from './child.js'

interface Holdings {
  readonly files: number
  readonly threads: number
}

interface Report {
  readonly warm: Holdings
  readonly end: Holdings
  readonly rss: readonly { readonly cycles: number; readonly bytes: number }[]
}

/** What the allocator and V8 keep goes up and down by a megabyte or two: a single reading says little. */
const MOST_BYTES_PER_CYCLE = 512

test('10,000 cycles of open and close leave no memory, file or thread behind', { timeout: 600_000 }, async () => {
  // V8 lets its young generation grow by some 16 MiB under load, and glibc takes more arenas the more threads wait for
  // one, whoever causes it: pinned, the rest of RSS is ours.
  const flags = ['--expose-gc', '--max-semi-space-size=1']
  const { code, signal, stdout, stderr } = await runChild('open-close-child.mjs', [], flags, { MALLOC_ARENA_MAX: '1' })
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
  const { warm, end, rss } = JSON.parse(stdout) as Report
  // By 4,000 cycles the allocator, the thread pool and the compiled code have reached their size.
  const growth = medianBytes(rss, 8_000, 10_000) - medianBytes(rss, 4_000, 6_000)
  expect(growth / 4_000, stdout).toBeLessThan(MOST_BYTES_PER_CYCLE)
  // Elsewhere than on Linux nobody counts these and they are 0 throughout.
  expect(end).toEqual(warm)
})

function medianBytes(rss: Report['rss'], fromCycles: number, toCycles: number): number {
  const sizes = rss.filter(({ cycles }) => cycles >= fromCycles && cycles <= toCycles).map(({ bytes }) => bytes)
  return sizes.sort((a, b) => a - b)[Math.floor(sizes.length / 2)]!
}
