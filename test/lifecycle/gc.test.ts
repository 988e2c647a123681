import { expect, test } from 'vitest'
import { runChild } from './child.js'

const MEBIBYTE = 1024 * 1024

/** 100 rounds of over a megabyte each: what is not freed shows as more than a hundred megabytes. */
test.each(['indexes', 'snapshots', 'snapshots of dropped indexes'])(
  '%s dropped without close are freed',
  async (what) => {
    const { code, signal, stdout, stderr } = await runChild('gc-child.mjs', [what], ['--expose-gc'])
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
    expect(Number(stdout)).toBeLessThan(32 * MEBIBYTE)
  },
  600_000,
)
