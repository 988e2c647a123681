/** Whatever the functions of freshdex/schedule are given, they say in words of their own what is wrong with it. */
import { FreshdexError } from 'freshdex'
import * as schedule from 'freshdex/schedule'
import { expect, test } from 'vitest'

const NONSENSE: readonly unknown[] = [
  ...[undefined, null, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, '', 'x', true, 5n, Symbol('s'), () => 1],
  ...[{}, [], [0], [null], [undefined], [{}], [''], [[1, 2]], [Symbol('s')], new Map(), { pages: [0] }, { length: 3 }],
  ...[new Float64Array(2), Object.create(null), [{ intervalMs: 1, changed: true }], { period: 1, capacities: [1] }],
]

/** How V8 words what a program did not check. */
const RAW =
  /^(?:Cannot |undefined is|null is|Invalid |Reduce|Maximum call)|is not (?:a function|iterable|a constructor)/

type Callable = (...args: unknown[]) => unknown

function call(entry: Callable, args: readonly unknown[]): unknown {
  if (/^class\b/.test(String(entry))) return new (entry as unknown as new (...args: unknown[]) => unknown)(...args)
  return entry(...args)
}

test.each(Object.entries(schedule).filter(([, entry]) => typeof entry === 'function'))('%s', (_, entry) => {
  const raw = new Set<string>()
  const lists = NONSENSE.flatMap((a) => [
    [a],
    ...NONSENSE.flatMap((b) => [
      [a, b],
      [[1, 2, 3], a, b],
    ]),
  ])
  for (const args of lists) {
    try {
      call(entry as Callable, args)
    } catch (error) {
      const isOurs = error instanceof FreshdexError || error instanceof TypeError || error instanceof RangeError
      const { message } = error as Error
      if (!isOurs || RAW.test(message)) raw.add(message)
    }
  }
  expect([...raw]).toEqual([])
})
