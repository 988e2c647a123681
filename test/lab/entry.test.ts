/** What `freshdex/lab` gives to whoever imports it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {
  countWorld,
  generatedWorld,
  htmlReport,
  judgedChooser,
  loadExperiment,
  oldestFirst,
  openWorld,
  qualityTasks,
  readFolderQueries,
  replay,
  reportText,
  runExperiment,
  scoreVersions,
  untouchedLosses,
  type World,
  writeSnapshotFolder,
} from 'freshdex/lab'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(path.join(os.tmpdir(), 'freshdex-lab-'))
const world = generatedWorld({ seed: 3, pages: 40, steps: 8 })

beforeAll(async () => {
  await writeSnapshotFolder(world, folder)
  writeFileSync(
    path.join(folder, 'queries.tsv'),
    world.queries.map(({ query, count }) => `${query}\t${count}\n`).join(''),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('freshdex/lab', () => {
  it('tells a world and replays a chooser in it', async () => {
    const opened: World = await openWorld(folder)
    const counted = await countWorld(opened, await readFolderQueries(folder))
    const scored = { timeline: counted.timeline, scores: scoreVersions(counted) }
    const untouched = untouchedLosses(scored).meanQuality
    const { meanQuality, lossShare } = replay(scored, judgedChooser(oldestFirst()), { budget: 10, untouched })
    expect(meanQuality).toBeGreaterThan(untouched)
    expect(lossShare).toBeLessThan(1)
  })

  it('runs an experiment of the lab, on threads', async () => {
    const quality = await loadExperiment('quality')
    const tasks = qualityTasks(['online'], ['uniform', 'oracle'], [0.2])
    const spec = { data: folder, scoring: 'tfidf', queries: 100, pages: 'always', seed: 1, tasks } as const
    const result = await runExperiment(quality, spec, { workers: 1 })
    expect(result.rows.map(({ policy }) => policy)).toEqual(['uniform', 'oracle'])
    expect(reportText(quality.report(result))).toMatch(/^oracle +online +\d\.\d{5}$/m)
    expect(htmlReport(quality.report(result))).toContain('<h2>Budget needed</h2>')
    expect(quality.json(result)).toMatchObject({ steps: 8, rows: [{ policy: 'uniform' }, { policy: 'oracle' }] })
  })
})
