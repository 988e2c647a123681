/** The experiment on a small generated site: every policy in every mode, and what it refuses. */
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FreshdexError } from '../../../../src/base/errors.js'
import { budgetsNeeded } from '../../../../src/lab/experiments/quality/budgets-needed.js'
import { loadQualityInput, type QualityInput } from '../../../../src/lab/experiments/quality/input.js'
import { unpackLosses } from '../../../../src/lab/experiments/quality/intervals.js'
import { QUALITY_POLICIES } from '../../../../src/lab/experiments/quality/policies.js'
import { type QualityRow, runQualityTask } from '../../../../src/lab/experiments/quality/run.js'
import type { QualitySpec, QualityTask } from '../../../../src/lab/experiments/quality/spec.js'
import type { LoadProgress } from '../../../../src/lab/frame/experiment.js'
import { lossShare } from '../../../../src/lab/quality/replay.js'
import { writeSnapshotFolder } from '../../../../src/lab/worlds/snapshot-writer.js'
import { runSeed } from '../../../support/seed.js'
import { page, stepsOf, worldOf } from '../../quality/small-worlds.js'
import { WorldPlace } from '../../worlds/world-reading.js'
import { type GeneratedFolder, generatedFolder } from '../generated-folder.js'

let site: GeneratedFolder
let inputs: readonly QualityInput[]
const progress: LoadProgress[] = []

const specOf = (data: string, more: Partial<QualitySpec> = {}): QualitySpec => ({
  ...{ data, scoring: 'tfidf', queries: 1000, pages: 'always', seed: 5 },
  ...more,
})

beforeAll(async () => {
  site = await generatedFolder(runSeed())
  inputs = [
    await loadQualityInput(specOf(site.folder), (told) => progress.push(told)),
    await loadQualityInput(specOf(site.folder, { pages: 'all', scoring: 'bm25' })),
    await loadQualityInput(
      specOf(site.folder, { scoring: 'inlinks', signals: { missRate: 0.1, falseAlarmRate: 0.1 } }),
    ),
  ]
})
afterAll(() => site.remove())

const TASKS = QUALITY_POLICIES.flatMap(({ name, modes }) =>
  modes.map((mode): QualityTask => ({ policy: name, mode, budgetShare: 0.1 })),
)

describe('the quality experiment', () => {
  it.each(TASKS)('does the same again for $policy, $mode', async (task) => {
    for (const input of inputs) {
      const row = await runQualityTask(input, task)
      // As a worker gets it.
      expect(await runQualityTask(structuredClone(input), task)).toEqual(row)
      expectSound(input, task, row)
    }
  })

  it('does the same again where the index fits when it sees fit', async () => {
    const task: QualityTask = { policy: 'quality-utility', mode: 'online', budgetShare: 0.1 }
    const input = await loadQualityInput(specOf(site.folder, { fits: 'own', policies: [task.policy] }))
    const row = await runQualityTask(input, task)
    expect(await runQualityTask(structuredClone(input), task)).toEqual(row)
    expectSound(input, task, row)
    await expect(loadQualityInput(specOf(site.folder, { fits: 'never' as 'own' }))).rejects.toThrow(/fits/)
  })

  function expectSound(input: QualityInput, task: QualityTask, row: QualityRow): void {
    const pages = input.timeline.urls.length
    const steps = input.timeline.atMs.length - 1
    expect(row).toMatchObject(task)
    expect(row.budget).toBeCloseTo(0.1 * pages, 9)
    expect(row.qualities.length).toBe(steps)
    expect(row.refreshes).toBeLessThanOrEqual(Math.floor(steps * row.budget + 1e-9))
    expect(row.meanQuality).toBeCloseTo(row.qualities.reduce((sum, quality) => sum + quality, 0) / steps, 12)
    expect(row.minQuality).toBe(Math.min(...row.qualities))
    expect(row.lossShare).toBe(lossShare(row.meanQuality, input.untouchedQuality))
    expect(row.threshold !== undefined).toBe(/^[se]br/.test(task.policy))
  }

  it('spends the whole budget where a policy has no reason not to', async () => {
    const [input] = inputs as [QualityInput]
    const all = Math.floor((input.timeline.atMs.length - 1) * 0.1 * input.timeline.urls.length + 1e-9)
    for (const policy of ['uniform', 'random', 'oldest-first', 'user-centric-shrunk', 'stake', 'greedy-poisson'])
      expect((await runQualityTask(input, { policy, mode: 'online', budgetShare: 0.1 })).refreshes).toBe(all)
  })

  it('has an index do what the lab does where there is nothing to learn', async () => {
    const [input] = inputs as [QualityInput]
    for (const budgetShare of [0.02, 0.3]) {
      const inLab = await runQualityTask(input, { policy: 'oldest-first', mode: 'offline', budgetShare })
      const byIndex = await runQualityTask(input, { policy: 'oldest-first', mode: 'online', budgetShare })
      expect(byIndex).toEqual({ ...inLab, mode: 'online', cycleGains: expect.anything() })
    }
  })

  it('tells an index of signals, which it weighs by itself', async () => {
    const [input] = inputs as [QualityInput]
    const losses = { online: 0, signals: 0 }
    for (const policy of ['user-centric-shrunk', 'binary-freshness', 'greedy-poisson']) {
      const runs = (['online', 'signals'] as const).map((mode) =>
        runQualityTask(input, { policy, mode, budgetShare: 0.1 }),
      )
      const [online, signals] = (await Promise.all(runs)) as [QualityRow, QualityRow]
      losses.online += online.lossShare!
      losses.signals += signals.lossShare!
      expect([policy, signals.changeRatio > online.changeRatio]).toEqual([policy, true])
      // Silence may be a mistake: the budget is spent as a user would spend it.
      expect(signals.refreshes).toBe(online.refreshes)
    }
    expect(losses.signals).toBeLessThan(losses.online)
  })

  it('has clusters for the policy that goes by them', async () => {
    const [input] = inputs as [QualityInput]
    const chosen = await Promise.all(
      ['cluster-sampling', 'oldest-first'].map((policy) =>
        runQualityTask(input, { policy, mode: 'online', budgetShare: 0.2 }),
      ),
    )
    // Without any it refreshes the oldest copies.
    expect(chosen[0]!.qualities).not.toEqual(chosen[1]!.qualities)
  })

  it('keeps what queries lose, how old copies are, and what an index expected', async () => {
    const [input] = inputs as [QualityInput]
    for (const policy of ['uniform', 'user-centric-shrunk']) {
      const row = await runQualityTask(input, { policy, mode: 'online', budgetShare: 0.1 })
      const lost = unpackLosses(row.queryLosses).reduce((sum, loss) => sum + loss, 0)
      expect(lost).toBeCloseTo(1 - row.meanQuality, 6)
      expect(row.agesMs.max).toBeLessThanOrEqual(input.timeline.atMs.at(-1)! - input.timeline.atMs[0]!)
      expect(row.cycleGains?.length).toBe(policy === 'uniform' ? undefined : input.timeline.atMs.length - 1)
    }
    expect(input.untouchedLosses.reduce((sum, loss) => sum + loss, 0)).toBeCloseTo(1 - input.untouchedQuality, 12)
  })

  it('lets an oracle lose least, and nobody anything with a budget for all pages', async () => {
    for (const input of inputs) {
      const share = (policy: string, mode: 'offline' | 'online' = 'offline', budgetShare = 0.1) =>
        runQualityTask(input, { policy, mode, budgetShare }).then((row) => row.lossShare!)
      const best = await share('oracle')
      for (const policy of ['uniform', 'sbr', 'ebr', 'user-centric-full-exact', 'user-centric-single'])
        expect(best).toBeLessThanOrEqual((await share(policy)) + 1e-9)
      for (const policy of ['uniform', 'oldest-first', 'stake', 'user-centric-shrunk'])
        expect(await share(policy, 'online', 1)).toBe(0)
    }
  })

  it('takes the best threshold', async () => {
    const [input] = inputs as [QualityInput]
    const coarse = await runQualityTask(input, { policy: 'ebr', mode: 'offline', budgetShare: 0.2 })
    const fine = await runQualityTask(input, { policy: 'ebr-fine', mode: 'offline', budgetShare: 0.2 })
    expect(fine.meanQuality).toBeGreaterThanOrEqual(coarse.meanQuality)
    expect(coarse.threshold).toBeGreaterThanOrEqual(0.1)
  })

  it('tells how far it is', async () => {
    expect(progress.filter(({ stage }) => stage === 'reading').map(({ done }) => done)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9,
    ])
    expect(progress.at(-1)).toEqual({ stage: 'measuring', done: 9, total: 9 })
    for (const [policy, mode] of [
      ['sbr', 'offline'],
      ['user-centric', 'online'],
    ] as const) {
      const told: number[] = []
      await runQualityTask(inputs[0]!, { policy, mode, budgetShare: 0.1 }, (done) => told.push(done))
      expect(told).toEqual(told.toSorted((a, b) => a - b))
      expect(told.at(-1)).toBe(1)
    }
  })

  it('computes only what the policies of the spec need', async () => {
    const input = await loadQualityInput(specOf(site.folder, { policies: ['uniform', 'user-centric-full-exact'] }))
    expect(input.differences).toBeUndefined()
    expect(Object.keys(input.gains)).toEqual(['full-exact'])
    const missing = (policy: string) => runQualityTask(input, { policy, mode: 'offline', budgetShare: 0.1 })
    await expect(missing('sbr')).rejects.toThrow('the input was not made for the policy sbr')
    await expect(missing('user-centric-single')).rejects.toThrow('not made for the policy user-centric-single')
  })
})

describe('a generated world', () => {
  const spec: QualitySpec = {
    ...{ data: { world: 'shifting-workload', pages: 30, steps: 10 }, scoring: 'bm25', queries: 1000, pages: 'always' },
    ...{ seed: 3, policies: ['user-centric-shrunk', 'uniform'] },
  }

  it('is judged by what is asked at each step, and the index hears of it', async () => {
    const input = await loadQualityInput(spec)
    const { weights, shift } = input.scores
    expect(shift!.fromStep).toBe(5)
    expect(weights.some((weight, query) => weight > 0 && shift!.weights[query]! > 0)).toBe(false)
    expect(weights.every((weight, query) => weight + shift!.weights[query]! > 0)).toBe(true)
    const task = { policy: 'user-centric-shrunk', mode: 'online', budgetShare: 0.1 } as const
    const row = await runQualityTask(input, task)
    expect(await runQualityTask(structuredClone(input), task)).toEqual(row)
    expect(row.lossShare).toBeLessThan(1)
  })

  it('has no links, and only the names that it has', async () => {
    await expect(loadQualityInput({ ...spec, scoring: 'inlinks' })).rejects.toThrow('has no inlinks to score by')
    const data = { world: 'mars' as never, pages: 3, steps: 3 }
    await expect(loadQualityInput({ ...spec, data })).rejects.toThrow("world must be 'all-churn' or")
  })
})

describe('a world where nothing changes', () => {
  it('has no loss to share, and no budget to need', async () => {
    const place = new WorldPlace()
    try {
      const folder = place.path('still')
      await writeSnapshotFolder(worldOf(stepsOf({ put: [page('/a', 'one'), page('/b', 'one two')] }, {}, {})), folder)
      place.write('still/queries.tsv', 'one\t3\n')
      const input = await loadQualityInput(specOf(folder))
      const rows = await Promise.all(TASKS.map((task) => runQualityTask(input, { ...task, budgetShare: 0.5 })))
      for (const row of rows) expect(row).toMatchObject({ meanQuality: 1, minQuality: 1, lossShare: null })
      for (const { budget } of budgetsNeeded(rows)) expect(budget).toBe(null)
    } finally {
      place.remove()
    }
  })
})

describe('the quality experiment refuses', () => {
  const run = (task: Partial<QualityTask>) =>
    runQualityTask(inputs[0]!, { policy: 'uniform', mode: 'online', budgetShare: 0.1, ...task })

  it('policies and modes that are none', async () => {
    await expect(run({ policy: 'best' })).rejects.toThrow(/unknown policy "best"; known: uniform, round-robin, /)
    await expect(run({ mode: 'later' as never })).rejects.toThrow("mode must be 'offline' or 'online' or 'signals'")
    await expect(run({ policy: 'sbr' })).rejects.toThrow('the policy sbr has no mode "online"; it has offline')
    await expect(loadQualityInput(specOf(site.folder, { policies: ['best'] }))).rejects.toThrow('unknown policy "best"')
  })

  it('budgets of nothing or of more than all pages', async () => {
    await expect(run({ budgetShare: 0 })).rejects.toThrow('budgetShare must be a finite number above 0, received 0')
    await expect(run({ budgetShare: 1.5 })).rejects.toThrow('budgetShare must be at most 1, all pages, received 1.5')
    await expect(run({ budgetShare: '1%' as never })).rejects.toThrow(TypeError)
    await expect(run({ budgetShare: undefined as never })).rejects.toThrow('a task needs a budgetShare')
  })

  it('specs that cannot be', async () => {
    const load = (more: object) => loadQualityInput(specOf(site.folder, more))
    await expect(load({ scoring: 'pagerank' })).rejects.toThrow("scoring must be 'tfidf' or 'bm25' or 'inlinks'")
    await expect(load({ queries: 0 })).rejects.toThrow('queries must be an integer of at least 1, received 0')
    await expect(load({ pages: 'some' })).rejects.toThrow("pages must be 'always' or 'changed' or 'all'")
    await expect(load({ seed: -1 })).rejects.toThrow('seed must be')
    await expect(load({ signals: { missRate: 2, falseAlarmRate: 0 } })).rejects.toThrow('missRate must be')
  })

  it('folders without a world, without queries or with empty ones', async () => {
    const failsWith = (folder: string, code: string, message: RegExp) =>
      expect(loadQualityInput(specOf(folder))).rejects.toSatisfy(
        (error) => error instanceof FreshdexError && error.code === code && message.test(error.message),
      )
    await failsWith(path.join(site.folder, 'nowhere'), 'IO', /nowhere/)
    const other = await generatedFolder(1, 3, 1)
    const file = path.join(other.folder, 'queries.tsv')
    writeFileSync(file, '')
    await failsWith(other.folder, 'CORRUPT', /queries\.tsv: it holds no query/)
    rmSync(file)
    await failsWith(other.folder, 'IO', /queries\.tsv/)
    other.remove()
  })
})
