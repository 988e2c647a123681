import { describe, expect, it } from 'vitest'
import { type DemoReport, runDemo } from '../../src/cli/demo.js'
import { tellStory } from '../../src/cli/demo-story.js'
import { GeneratedSite } from '../../src/lab/generated-site.js'

const quiet = () => {}

/** All but the times, which no two runs share. */
function timeless(report: DemoReport): unknown {
  return JSON.parse(JSON.stringify(report, (name, value) => (name === 'ms' || name === 'overhead' ? undefined : value)))
}

describe('the demonstration', () => {
  it('reports what the site really did and what the index really found', async () => {
    const report = await runDemo({ pages: 120, rounds: 3, seed: 4, log: quiet })
    const site = new GeneratedSite(4, 120)
    expect(report.site.pages).toBe(120)
    expect(report.firstWrite.report.added).toBe(120)
    for (const round of report.rounds) {
      const week = site.advance()
      expect(round).toMatchObject({ week: week.week, events: week.events, changed: week.changed.length })
      expect(round.write.report).toMatchObject({
        added: week.added.length,
        replaced: week.changed.length,
        unchanged: 0,
        removed: week.gone.length,
        missing: 0,
      })
      for (const { before, after } of round.searches) {
        const phrase = after.query.slice(1, -1)
        expect(after.total).toBe(site.pages().filter((page) => page.body.includes(phrase)).length)
        if (week.events.includes(phrase)) expect(before.total).toBe(0)
      }
    }
    expect(report.secondWrite.report).toMatchObject({
      unchanged: site.pages().length,
      replaced: 0,
      tokens: { tokenized: 0 },
    })
    expect(report.snapshot.documents).toBe(120)
    expect(report.snapshot.searches.map(({ total }) => total)).toEqual(report.snapshot.searches.map(() => 0))
    expect(report.check).toMatchObject({ ok: true, documents: site.pages().length, faults: [] })
  })

  it('tokenises less than half of what it refreshes', async () => {
    const { rounds } = await runDemo({ pages: 150, rounds: 2, seed: 1, log: quiet })
    for (const { write } of rounds) {
      expect(write.report.tokens.tokenized).toBeGreaterThan(0)
      expect(write.report.tokens.tokenized / write.report.tokens.total).toBeLessThan(0.5)
    }
  })

  it('is the same for the same seed, but for the times', async () => {
    const options = { pages: 40, rounds: 2, seed: 9, log: quiet }
    expect(timeless(await runDemo(options))).toEqual(timeless(await runDemo(options)))
  })

  it('works for one page and no rounds', async () => {
    const report = await runDemo({ pages: 1, rounds: 0, seed: 0, log: quiet })
    expect(report.rounds).toEqual([])
    expect(report.explained).toBeUndefined()
    expect(tellStory(report)).toContain('1 page')
  })
})

describe('its story', () => {
  it('tells the numbers of the report', async () => {
    const logged: string[] = []
    const report = await runDemo({ pages: 120, rounds: 2, seed: 4, log: (line) => logged.push(line) })
    const story = tellStory(report)
    expect(logged).toHaveLength(4)
    for (const { week, events, changed, searches } of report.rounds) {
      expect(story).toContain(`Week ${week}, the week of the ${events.join(' and the ')}`)
      expect(story).toContain(`refreshed ${changed} changed`)
      for (const { before, after } of searches) {
        const line = story.split('\n').filter((text) => text.includes(after.query))[0]
        expect(line).toBeDefined()
        if (before.total !== after.total) expect(story).toContain(`${before.total} -> ${after.total} page`)
      }
    }
    expect(story).toContain(`${report.check.documents} documents`)
    expect(story.endsWith('no faults.')).toBe(true)
  })
})
