/** Clusters must win where they tell what changes, and are not said to win where they cannot know. */
import { describe, expect, it } from 'vitest'
import { loadClustersInput } from '../../../../src/lab/experiments/clusters/input.js'
import { isPolicyRow, type PolicyRow, runClustersTask } from '../../../../src/lab/experiments/clusters/run.js'
import {
  type ClustersSpec,
  clustersTasks,
  OTHER_POLICIES,
  SAMPLED_POLICIES,
} from '../../../../src/lab/experiments/clusters/spec.js'
import { CONTROL_WORLDS, type ControlWorldName, controlWorld } from '../../../../src/lab/worlds/control-worlds.js'

const SHARE = 0.15

async function rowsOf(world: ControlWorldName, within: 'oldest' | 'nearest' = 'oldest'): Promise<PolicyRow[]> {
  const spec: ClustersSpec = {
    data: { world, pages: 1500, steps: 15 },
    ...{ cycleWeeks: 1, queries: 12, clusters: 12, clusterDownloads: 10, fairShare: 0, within, seed: 5 },
    resources: [SHARE],
  }
  const input = await loadClustersInput(spec)
  return clustersTasks([SHARE])
    .filter((task) => 'policy' in task && task.features === 'combined')
    .map((task) => runClustersTask(input, task))
    .filter(isPolicyRow)
}

function ratios(rows: readonly PolicyRow[]): Record<string, number> {
  return Object.fromEntries(rows.map(({ policy, changeRatio }) => [policy, changeRatio]))
}

describe('the control worlds', () => {
  it('fast: every way by clusters finds more changes than each other policy', async () => {
    const found = ratios(await rowsOf('fast'))
    const worst = Math.min(...SAMPLED_POLICIES.map((policy) => found[policy]!))
    for (const other of OTHER_POLICIES) expect([other, worst > found[other]!]).toEqual([other, true])
    expect(found.oracle).toBeGreaterThan(worst)
  })

  it('slow: nothing of the kind is claimed', async () => {
    const found = ratios(await rowsOf('slow'))
    const best = Math.max(...SAMPLED_POLICIES.map((policy) => found[policy]!))
    expect(best).toBeLessThan(found.freq!)
  })

  it('are told alike each time, page by page', async () => {
    for (const name of CONTROL_WORLDS) {
      const steps = async (seed: number) => {
        const told: unknown[] = []
        for await (const step of controlWorld(name, { seed, pages: 30, steps: 4 }).world) told.push(step)
        return told
      }
      expect(await steps(1)).toEqual(await steps(1))
      expect(await steps(2)).not.toEqual(await steps(1))
    }
  })
})
