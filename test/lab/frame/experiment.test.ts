/** The frame on a small experiment of the lab: its threads run compiled code. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type LoadProgress, type RunProgress, runExperiment } from '../../../src/lab/frame/experiment.js'
import { EXPERIMENT_NAMES, type ExperimentName, loadExperiment } from '../../../src/lab/frame/experiments.js'
import { ResultFile } from '../../../src/lab/frame/result-file.js'

const folder = mkdtempSync(path.join(os.tmpdir(), 'freshdex-experiment-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const spec = { pages: 20, steps: 6, stepDays: 2, seed: 4 }

describe('an experiment', () => {
  it('gives the same result whatever the number of threads, and whatever was known before', async () => {
    const longevity = await loadExperiment('longevity')
    const loads: LoadProgress[] = []
    const runs: RunProgress[] = []
    const told = { onLoad: (one: LoadProgress) => loads.push(one), onRun: (one: RunProgress) => runs.push(one) }
    const whole = await runExperiment(longevity, spec, { workers: 1, ...told })
    const tasks = longevity.tasks(spec)
    expect(loads.at(-1)).toEqual({ stage: 'comparing', done: 20, total: 20 })
    expect(runs.at(-1)).toEqual({ doneTasks: tasks.length, tasks: tasks.length, part: tasks.length })

    const file = path.join(folder, 'results.jsonl')
    const results = new ResultFile<(typeof tasks)[number], Parameters<typeof longevity.conclude>[2][number]>(
      file,
      await longevity.question!(spec),
    )
    expect(await runExperiment(longevity, spec, { workers: 2, results })).toEqual(whole)
    const again: RunProgress[] = []
    const known = await runExperiment(longevity, spec, { workers: 2, results, onRun: (one) => again.push(one) })
    results.close()
    expect(known).toEqual(whole)
    expect(again).toEqual([{ doneTasks: 0, tasks: 0, part: 0 }])
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(1 + tasks.length)
  })

  it('refuses a spec that cannot be before anything runs, and ends when it is told', async () => {
    const longevity = await loadExperiment('longevity')
    await expect(runExperiment(longevity, { ...spec, steps: 1 }, { workers: 1 })).rejects.toThrow(
      'steps must be an integer of at least 3, received 1',
    )
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(runExperiment(longevity, spec, { workers: 1, signal })).rejects.toThrow('enough')
  })

  it('has one of the known names', async () => {
    for (const name of EXPERIMENT_NAMES) expect((await loadExperiment(name)).name).toBe(name)
    expect(() => loadExperiment('alchemy' as ExperimentName)).toThrow(RangeError)
    const stranger = { ...(await loadExperiment('longevity')), name: 'alchemy' }
    await expect(runExperiment(stranger, spec, { workers: 1 })).rejects.toThrow('received "alchemy"')
  })
})
