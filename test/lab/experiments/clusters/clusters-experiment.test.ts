/** The cluster experiment on a small generated site. */
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FEATURE_GROUPS } from '../../../../src/clusters/page-features.js'
import { type ClustersInput, loadClustersInput } from '../../../../src/lab/experiments/clusters/input.js'
import { compareMeans, paperChecks, precisionTests } from '../../../../src/lab/experiments/clusters/paper-checks.js'
import {
  type ClustersRow,
  clustersFor,
  groupSizes,
  isPolicyRow,
  type PolicyRow,
  runClustersTask,
} from '../../../../src/lab/experiments/clusters/run.js'
import { CLUSTER_POLICIES, type ClustersSpec, clustersTasks } from '../../../../src/lab/experiments/clusters/spec.js'
import { type GeneratedFolder, generatedFolder } from '../generated-folder.js'

const SHARES = [0.5, 0.8]
let site: GeneratedFolder
let spec: ClustersSpec
let input: ClustersInput
let rows: ClustersRow[]
let policyRows: PolicyRow[]

beforeAll(async () => {
  site = await generatedFolder(11, 120, 9)
  spec = {
    ...{ data: site.folder, cycleWeeks: 2, queries: 40, clusters: 100, clusterDownloads: 25, fairShare: 0, seed: 3 },
    resources: SHARES,
  }
  input = await loadClustersInput(spec)
  rows = clustersTasks(SHARES).map((task) => runClustersTask(input, task))
  policyRows = rows.filter(isPolicyRow)
})
afterAll(() => site.remove())

function rowOf(policy: string, resourceShare: number, features = 'combined'): PolicyRow {
  return policyRows.find(
    (row) => row.policy === policy && row.resourceShare === resourceShare && row.features === features,
  )!
}

describe('the cluster experiment', () => {
  it('has a row for each policy, group of features and R, and one for each kind of words', () => {
    expect(rows).toHaveLength(SHARES.length * (CLUSTER_POLICIES.length + FEATURE_GROUPS.length - 1) + 2)
    const pages = input.timeline.urls.length
    expect(input.timeline.atMs).toHaveLength(5)
    for (const row of policyRows) {
      expect(row.resources).toBeCloseTo(row.resourceShare * pages, 9)
      expect(row.changeRatios).toHaveLength(4)
      expect(row.changeRatio).toBeCloseTo(row.changeRatios.reduce((sum, ratio) => sum + ratio, 0) / 4, 12)
      expect(row.precision).toBeCloseTo(row.precisions.reduce((sum, one) => sum + one, 0) / row.precisions.length, 12)
      for (const share of [row.freshness, row.topFreshness, row.precision]) {
        expect(share).toBeGreaterThan(0)
        expect(share).toBeLessThanOrEqual(1)
      }
      const sampled = row.policy === 'sls' || row.policy.startsWith('cls-')
      expect(row.groupSizes.reduce((sum, size) => sum + size, 0)).toBe(sampled ? pages : 0)
    }
    expect(rows.slice(-2)).toMatchObject([{ words: 'url' }, { words: 'content', clusters: expect.any(Number) }])
  })

  it('finds no more changes in the first cycle than there are', () => {
    for (const share of SHARES) {
      const most = rowOf('oracle', share).changeRatios[0]!
      expect(most).toBeGreaterThan(0)
      for (const { policy, resourceShare, changeRatios } of policyRows)
        if (resourceShare === share) expect([policy, changeRatios[0]! <= most]).toEqual([policy, true])
    }
  })

  it('does the same again, and something else by another seed', async () => {
    const [task] = clustersTasks([0.5]).filter((one) => 'policy' in one && one.policy === 'cls-gad')
    expect(runClustersTask(await loadClustersInput(spec), task!)).toEqual(rowOf('cls-gad', 0.5))
    const other = await loadClustersInput({ ...spec, seed: 4 })
    expect(runClustersTask(other, task!)).not.toEqual(rowOf('cls-gad', 0.5))
  })

  it('has as many clusters as downloads allow', () => {
    expect([24, 25, 60, 2500, 9999].map((resources) => clustersFor(input, resources))).toEqual([1, 1, 2, 100, 100])
    const sizes = groupSizes(policyRows)
    expect(sizes.map(({ kind, resourceShare }) => [kind, resourceShare])).toEqual(
      SHARES.flatMap((share) => [
        ['site', share],
        ['cluster', share],
      ]),
    )
    for (const { kind, resourceShare, groups, least, median, most, mean } of sizes) {
      if (kind === 'cluster') expect(groups).toBe(clustersFor(input, rowOf('cls-nad', resourceShare).resources))
      expect(groups * mean).toBeCloseTo(input.timeline.urls.length, 9)
      expect(least <= median && median <= most).toBe(true)
    }
  })

  it('tests each policy by clusters against each other one', () => {
    const tests = precisionTests(policyRows)
    expect(tests).toHaveLength(SHARES.length * 16)
    for (const { policy, other, resourceShare, t, meanDifference } of tests) {
      const [first, second] = [rowOf(policy, resourceShare), rowOf(other, resourceShare)]
      expect(meanDifference).toBeCloseTo(first.precision - second.precision, 12)
      expect(t).toBe(compareMeans(first.precisions, second.precisions).t)
    }
    // Without any spread there is no t.
    const sure = (policy: 'cls-nad' | 'rr', value: number) => ({ ...rowOf(policy, 0.5), precisions: [value, value] })
    expect(precisionTests([sure('cls-nad', 1), sure('rr', 0.5)])).toMatchObject([{ t: null, normalPValue: 0 }])
  })

  it('says of each claim whether it holds', () => {
    const checks = paperChecks(policyRows)
    expect(checks).toHaveLength(2 * 4 + 3 + 1 + 2 + 14)
    for (const { holds, value, limit } of checks) expect(holds).toBe(value! - limit > 1e-9)
    const worst = Math.min(...['nad', 'sad', 'aad', 'gad'].map((name) => rowOf(`cls-${name}`, 0.8).changeRatio))
    expect(checks.find(({ name }) => name === 'ChangeRatio of every cls above rr at R 80%')).toEqual({
      ...{ name: 'ChangeRatio of every cls above rr at R 80%', value: worst, limit: rowOf('rr', 0.8).changeRatio },
      holds: worst - rowOf('rr', 0.8).changeRatio > 1e-9,
    })
    // A policy that finds nothing makes claims fail that held, and a perfect one makes them hold.
    const bent = policyRows.map((row) => ({ ...row, changeRatio: row.policy.startsWith('cls-') ? 1 : 0 }))
    for (const { name, holds } of paperChecks(bent).slice(0, 8)) expect([name, holds]).toEqual([name, true])
    const alone = paperChecks(policyRows.filter(({ resourceShare }) => resourceShare === 0.5))
    expect(alone.some(({ name }) => name.startsWith('relative spread'))).toBe(false)
  })

  it('does without links', async () => {
    const copy = `${site.folder}-unlinked`
    cpSync(site.folder, copy, { recursive: true })
    rmSync(path.join(copy, 'links.ndjson.gz'))
    const unlinked = await loadClustersInput({ ...spec, data: copy })
    const row = runClustersTask(unlinked, { policy: 'cls-nad', features: 'combined', resourceShare: 0.5 })
    expect(row).toMatchObject({ policy: 'cls-nad', changeRatio: expect.any(Number) })
  })

  it('refuses what it cannot do', async () => {
    await expect(loadClustersInput({ ...spec, cycleWeeks: 0 })).rejects.toThrow(
      'cycleWeeks must be an integer of at least 1',
    )
    await expect(loadClustersInput({ ...spec, cycleWeeks: 40 })).rejects.toThrow('at least one cycle, received 40')
    await expect(loadClustersInput({ ...spec, fairShare: 2 })).rejects.toThrow('fairShare must be')
    await expect(loadClustersInput({ ...spec, siteSegments: -1 })).rejects.toThrow('siteSegments must be')
    await expect(loadClustersInput({ ...spec, data: `${site.folder}/none` })).rejects.toMatchObject({ code: 'IO' })
    const task = { policy: 'rr', features: 'combined', resourceShare: 0.5 } as const
    expect(() => runClustersTask(input, { ...task, resourceShare: 1.5 })).toThrow('resourceShare must be at most 1')
    expect(() => runClustersTask(input, { ...task, policy: 'best' as 'rr' })).toThrow('received "best"')
    expect(() => runClustersTask(input, { words: 'all' as 'url' })).toThrow('received "all"')
  })
})
