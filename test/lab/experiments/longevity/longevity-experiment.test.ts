/** The experiments of the paper with few pages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { longevityChecks } from '../../../../src/lab/experiments/longevity/checks.js'
import { longevityFindings } from '../../../../src/lab/experiments/longevity/findings.js'
import { fragmentsOfWorld } from '../../../../src/lab/experiments/longevity/fragment-histories.js'
import { longevityReport } from '../../../../src/lab/experiments/longevity/report.js'
import {
  type LongevityInput,
  type LongevityRow,
  loadLongevityInput,
  longevityTasks,
  runLongevityTask,
} from '../../../../src/lab/experiments/longevity/run.js'
import { htmlReport } from '../../../../src/lab/report/html.js'
import type { World, WorldStep } from '../../../../src/lab/worlds/world.js'
import { type GeneratedFolder, generatedFolder } from '../generated-folder.js'

const spec = { pages: 300, steps: 40, stepDays: 2, seed: 1 }
let input: LongevityInput
let rows: LongevityRow[]
let site: GeneratedFolder

beforeAll(async () => {
  input = await loadLongevityInput(spec)
  rows = longevityTasks(spec).map((task) => runLongevityTask(input, task))
  site = await generatedFolder(5, 20, 8)
}, 60_000)
afterAll(() => site.remove())

function reportOf(found: LongevityInput, foundRows: readonly LongevityRow[], of: Parameters<typeof longevityTasks>[0]) {
  const { name, facts, lifetimes } = found.worlds[0]!
  const findings = longevityFindings(found.worlds, foundRows)
  const checks = longevityChecks(findings, lifetimes.groups)
  return { name, spec: of, facts, lifetimes, findings, checks }
}

describe('the longevity experiment', () => {
  it('makes worlds like those of the paper', () => {
    const [main, random] = input.worlds.map(({ facts }) => facts)
    expect(input.worlds.map(({ name }) => name)).toEqual(['high-quality', 'random'])
    expect(main!.staticPageShare).toBeGreaterThan(0.45)
    expect(main!.staticPageShare).toBeLessThan(0.62)
    expect(main!.staticFragmentShare).toBeGreaterThan(0.88)
    expect(main!.leastStaleness).toBeLessThan(0.05)
    expect(main!.mostStaleness).toBeGreaterThan(0.08)
    expect(random!.leastStaleness).toBeGreaterThan(2 * main!.leastStaleness)
  })

  it('finds what the paper found, but for two claims that depend on what is known, and one on little room', () => {
    const { checks } = reportOf(input, rows, spec)
    // What 15 lists cost is left to chance.
    const order = 'Figure 9: curve-fitting m=∞ h=5 is less stale than bound-based m=∞ h=5'
    const sure = checks.filter(({ name }) => !name.startsWith('Figure 11') && name !== order)
    // Of 2,000 pages the two are .6% apart; these are 300.
    expect(checks.find(({ name }) => name === order)?.value).toBeLessThan(1.05)
    expect(sure.filter(({ holds }) => holds !== true).map(({ name }) => name)).toEqual([
      'section 2.3: uniform is less stale than naive-d',
      'Figure 9: curve-fitting m=∞ h=5 is less stale than uniform',
      // A profile of twelve observations, from which what is least missed has gone.
      'Figure 10: bound-based m=8 h=1 is at most 5% staler than bound-based m=∞ h=5',
    ])
    const rates = checks.filter(({ name }) => name.startsWith('Figure 11'))
    expect(rates.map(({ value }) => value! < 0.7)).toEqual([true, true])
  })

  it('costs all refreshes that there are at a frequency of 1, and no policy is fresher than that', () => {
    const all = rows.find(({ policy, threshold }) => policy === 'uniform-over-all' && threshold === 1)!
    expect([all.whole.cost, all.warmUp.cost, all.steady.cost]).toEqual([1, 1, 1])
    expect(all.whole.staleness).toBe(input.worlds[0]!.facts.leastStaleness)
    for (const { world, policy, whole } of rows) {
      if (world === 'high-quality')
        expect([policy, whole.staleness >= all.whole.staleness - 1e-9]).toEqual([policy, true])
    }
  })

  it('becomes a report with a plot for each figure, the same bytes each time', async () => {
    const html = htmlReport(longevityReport(reportOf(input, rows, spec)))
    expect(html.match(/<svg/g)).toHaveLength(9)
    expect(html).not.toMatch(/NaN|Infinity|undefined/)
    const again = await loadLongevityInput(spec)
    const task = longevityTasks(spec)[40]!
    expect(runLongevityTask(again, task)).toEqual(rows[40])
    expect(htmlReport(longevityReport(reportOf(again, rows, spec)))).toBe(html)
  })

  it('replays the pages of a folder that are always there', async () => {
    const data = { data: site.folder }
    const told = await loadLongevityInput(data)
    expect(told.worlds.map(({ name }) => name)).toEqual(['data'])
    expect(told.worlds[0]!.facts).toMatchObject({ steps: 9 })
    expect(told.worlds[0]!.facts.pages).toBeLessThanOrEqual(20)
    const found = longevityTasks(data).map((task) => runLongevityTask(told, task))
    const html = htmlReport(longevityReport(reportOf(told, found, data)))
    expect(html.match(/<svg/g)).toHaveLength(8)
    expect(html).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('refuses worlds that tell too little, and tasks of others', async () => {
    const hash = (text: string) => BigInt(text.length)
    const page = { url: '/a', title: 'A', text: 'one two three' }
    const step = (atMs: number, versions: WorldStep['versions'], gone: string[] = []) => ({ atMs, versions, gone })
    await expect(fragmentsOfWorld(worldOf([step(0, [page]), step(1, [])]), hash)).rejects.toThrow(
      'at least three steps',
    )
    const left = [step(0, [page]), step(1, [], ['/a']), step(2, [page])]
    await expect(fragmentsOfWorld(worldOf(left), hash)).rejects.toThrow('no page of the world is there at every step')
    expect(() => runLongevityTask(input, { world: 'web', policy: 'fs-s', threshold: 1 })).toThrow('received "web"')
  })
})

function worldOf(steps: readonly WorldStep[]): World {
  return {
    async *[Symbol.asyncIterator]() {
      yield* steps
    },
  }
}
