import { describe, expect, it } from 'vitest'
import { tellStory } from '../../src/cli/commands/demo.js'
import { type DemoReport, demoWorld, runDemo } from '../../src/cli/demo-run.js'
import { allSteps } from '../lab/worlds/world-reading.js'

const quiet = () => {}
const TIMES = /^(?:ms|overhead|indexMs|measureMs|ratio|ratioWithFits|fitMs)$/

/** All but the times, which no two runs share. */
function timeless(report: DemoReport): unknown {
  return JSON.parse(JSON.stringify(report, (name, value) => (TIMES.test(name) ? undefined : value)))
}

describe('the demonstration', () => {
  it('reports what the site really did, and fetches no more than the budget', async () => {
    const report = await runDemo({ pages: 120, rounds: 3, seed: 4, budget: 7, log: quiet })
    const world = demoWorld({ pages: 120, rounds: 3, seed: 4 })
    const steps = await allSteps(world)
    const present = new Set(steps[0]!.versions.map(({ url }) => url))
    expect(report.site.pages).toBe(120)
    expect(report.firstWrite.report.added).toBe(120)
    expect(report.rounds).toHaveLength(3)
    for (const [at, round] of report.rounds.entries()) {
      const { versions, gone } = steps[at + 1]!
      const announced = versions.filter(({ url }) => !present.has(url))
      const changed = versions.length - announced.length
      for (const { url } of announced) present.add(url)
      for (const url of gone) present.delete(url)
      expect(round).toMatchObject({ week: at + 1, events: world.events(at + 1), changed, gone: gone.length })
      for (const { write, foundChanged } of [round.ours, round.oldestFirst]) {
        const { added, replaced, unchanged, removed } = write.report
        expect(added).toBe(announced.length)
        expect(replaced + unchanged + removed).toBe(7)
        expect(foundChanged).toBe(replaced + removed)
      }
    }
    expect(report.check).toMatchObject({ ok: true, faults: [] })
  })

  it('names ten pages to refresh next, the best first, with what is known of them', async () => {
    const { next } = await runDemo({ pages: 120, rounds: 3, seed: 4, budget: 20, log: quiet })
    expect(next).toHaveLength(10)
    const priorities = next.map(({ priority }) => priority)
    expect(priorities).toEqual(priorities.toSorted((a, b) => b - a))
    expect(next.every(({ ageMs, stake }) => ageMs > 0 && stake >= 0)).toBe(true)
  })

  it('measures what it does', async () => {
    const { overhead, rounds } = await runDemo({ pages: 150, rounds: 3, seed: 1, budget: 30, log: quiet })
    expect(overhead.shifts).toBeGreaterThan(0)
    expect(overhead.measureMs).toBeGreaterThan(0)
    expect(overhead.indexMs).toBeGreaterThan(0)
    expect(rounds.some(({ ours }) => ours.deltaQuality > 0)).toBe(true)
  })

  it('is the same for the same seed, but for the times', async () => {
    const options = { pages: 40, rounds: 2, seed: 9, budget: 5, log: quiet }
    expect(timeless(await runDemo(options))).toEqual(timeless(await runDemo(options)))
  })

  it('works for one page and no rounds', async () => {
    const report = await runDemo({ pages: 1, rounds: 0, seed: 0, budget: 3, log: quiet })
    expect(report.rounds).toEqual([])
    expect(report.next).toHaveLength(1)
    expect(tellStory(report)).toContain('1 page')
  })
})

describe('its story', () => {
  it('tells the numbers of the report', async () => {
    const logged: string[] = []
    const report = await runDemo({ pages: 120, rounds: 2, seed: 4, budget: 9, log: (line) => logged.push(line) })
    const story = tellStory(report)
    expect(logged).toHaveLength(3)
    for (const { week, events, changed, ours } of report.rounds) {
      expect(story).toContain(`Week ${week}, the week of the ${events.join(' and the ')}`)
      expect(story).toContain(`the site changed ${changed} page`)
      expect(story).toContain(`${ours.foundChanged} of 9 had changed`)
    }
    for (const { key } of report.next) expect(story).toContain(String(key))
    expect(story).toContain(`${report.check.documents} documents`)
    expect(story.endsWith('no faults.')).toBe(true)
  })
})
