/** Pages told step by step, each step as a list of fragments: small numbers stand for their hashes. */
import type { ShingleSet } from '../../../../src/change/sketches.js'
import {
  type FragmentHistories,
  HistoryBuilder,
  type PageFragments,
} from '../../../../src/lab/experiments/longevity/fragment-histories.js'
import type { NextRefresh, PagePolicy } from '../../../../src/lab/experiments/longevity/replay.js'
import type { SeededRandom } from '../../../support/seed.js'

/** By step. */
export type ToldPage = readonly (readonly number[])[]

/** Spread over all 64 bits, so that sketches are of use. */
export function fragmentSet(fragments: readonly number[]): ShingleSet {
  const hashes = [...new Set(fragments)].map((one) => BigInt.asUintN(64, (BigInt(one) + 1n) * 0x9e3779b97f4a7c15n))
  return BigUint64Array.from(hashes).sort()
}

export function asPage(told: ToldPage): PageFragments {
  return told.map((fragments, step) => ({ step, fragments: fragmentSet(fragments) }))
}

export function historiesOf(pages: readonly ToldPage[], atMs?: Float64Array): FragmentHistories {
  const builder = new HistoryBuilder(atMs ?? Float64Array.from(pages[0]!, (_, step) => step))
  for (const page of pages) builder.add(asPage(page))
  return builder.build()
}

/** The steps at which a policy refreshes a page, but for the last one. */
export function refreshSteps({ atMs }: FragmentHistories, policy: PagePolicy, page = 0): number[] {
  const next: NextRefresh = policy(page)
  const steps: number[] = []
  for (let step = next(0); step < atMs.length - 1; step = next(step)) steps.push(step)
  return steps
}

export function still(steps: number): ToldPage {
  return Array.from({ length: steps }, () => [1, 2, 3, 4])
}

/** Static fragments, and as many others that every one of these steps replaces. */
export function changingAt(steps: number, changes: readonly number[], fixed = 10, moving = 10): ToldPage {
  return Array.from({ length: steps }, (_, step) => {
    const version = changes.filter((change) => change <= step).length
    const all = Array.from({ length: fixed + moving }, (__, at) => (at < fixed ? at : 1000 * (version + 1) + at))
    return all
  })
}

/** Fragments come, go and come back. */
export function randomPage(random: SeededRandom, steps: number): ToldPage {
  let fragments = Array.from({ length: random.between(0, 12) }, () => random.int(30))
  const calm = random.next()
  return Array.from({ length: steps }, () => {
    if (!random.chance(calm)) fragments = fragments.map((one) => (random.chance(0.4) ? random.int(30) : one))
    if (random.chance(0.05)) fragments = []
    if (random.chance(0.1)) fragments = [...fragments, random.int(30)]
    return fragments
  })
}
