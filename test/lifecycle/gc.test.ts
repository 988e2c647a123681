import { expect, test } from 'vitest'
import { rounds } from '../support/rounds.js'
import { runChild } from './child.js'

const MEBIBYTE = 1024 * 1024

/** Each takes over a megabyte: what is not freed shows as more than that many megabytes. */
const ROUNDS = rounds(50, 150)

test.each(['indexes', 'snapshots', 'snapshots of dropped indexes'])(
  '%s dropped without close are freed',
  async (what) => {
    const { code, signal, stdout, stderr } = await runChild('gc-child.mjs', [what, String(ROUNDS)], ['--expose-gc'])
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
    expect(Number(stdout)).toBeLessThan(32 * MEBIBYTE)
  },
  600_000,
)
