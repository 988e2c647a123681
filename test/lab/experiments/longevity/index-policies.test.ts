/** The longevity policies of a replay beside those of an index that is given the same texts at the same times. */
import { Freshdex } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { indexPolicy } from '../../../../src/lab/experiments/longevity/index-policies.js'
import { SeededRandom, withSeed } from '../../../support/seed.js'
import { historiesOf, refreshSteps, type ToldPage } from './told-pages.js'

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2025, 0, 1)
const STEPS = 40

/** A page that is rewritten as a whole now and then: sketches of any hash tell that exactly. */
function rewrittenPage(random: SeededRandom, page: number): ToldPage {
  const chance = random.pick([0, 0.05, 0.3, 0.9])
  let version = 0
  return Array.from({ length: STEPS }, () => {
    if (random.chance(chance)) version++
    return Array.from({ length: 12 }, (_, at) => 10_000 * page + 100 * version + at)
  })
}

describe.each([
  ['longevity-curve', 1],
  ['longevity-bound', 1],
  ['longevity-curve', 5],
  ['longevity-bound', 5],
] as const)('%s with h = %i in a replay', (name, profiles) => {
  it('refreshes each page when the policy of an index does', async () => {
    await withSeed(`${name} twice`, async (seed) => {
      const random = new SeededRandom(seed)
      const told = Array.from({ length: 10 }, (_, page) => rewrittenPage(random, page))
      const atMs = Float64Array.from({ length: STEPS }, (_, step) => START_MS + step * DAY_MS)
      const histories = historiesOf(told, atMs)
      for (const thresholdMs of [0.37 * DAY_MS, 1.3 * DAY_MS]) {
        const replayed = told.map((_, page) =>
          refreshSteps(histories, indexPolicy(histories, { name, thresholdMs, profiles }), page),
        )
        const policy = { name, threshold: thresholdMs }
        expect(await refreshedByIndex(told, { policy, profiles }, replayed)).toEqual(replayed)
        expect(new Set(replayed.map((steps) => steps.length)).size).toBeGreaterThan(1)
      }
    })
  })
})

/** The first refresh of a page is when the replay has it, as pages begin at phases there. */
async function refreshedByIndex(
  told: readonly ToldPage[],
  {
    policy,
    profiles,
  }: { policy: { name: 'longevity-curve' | 'longevity-bound'; threshold: number }; profiles: number },
  replayed: readonly (readonly number[])[],
): Promise<number[][]> {
  const index = await Freshdex.open<{ id: number; text: string }>(':memory:', {
    ...{ key: 'id', fields: { text: {} }, changeProfiles: profiles },
  })
  const pageAt = (id: number, step: number) => ({ id, text: told[id]![step]!.map((word) => `w${word}`).join(' ') })
  await index.write({ put: told.map((_, id) => pageAt(id, 0)) }, { at: START_MS })
  const steps = told.map((): number[] => [])
  for (let step = 1; step < STEPS - 1; step++) {
    const at = START_MS + step * DAY_MS
    const { pages } = await index.refresh.next({ budget: told.length, policy, at, minIntervalMs: 0 })
    const due = told.flatMap((_, id) => {
      const isNamed = pages.some(({ key }) => key === id)
      return replayed[id]![0] === step || (isNamed && steps[id]!.length > 0) ? [id] : []
    })
    for (const id of due) steps[id]!.push(step)
    if (due.length > 0) await index.write({ put: due.map((id) => pageAt(id, step)) }, { at })
  }
  await index.close()
  return steps
}
