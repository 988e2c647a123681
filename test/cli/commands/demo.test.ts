import { describe, expect, it } from 'vitest'
import { demoText } from '../../../src/cli/commands/demo.js'
import { type DemoReport, runDemo } from '../../../src/cli/demo/run.js'

const report = await runDemo({ seed: 4, weeks: 8, budget: 5, pages: 120 })
const text = (changed: Partial<DemoReport> = {}) => demoText({ ...report, ...changed }, { isUnicode: true })

describe('the page of the demo', () => {
  it('fits on one screen of 40 lines and 100 columns', () => {
    for (const isUnicode of [true, false]) {
      const lines = demoText(report, { isUnicode }).split('\n')
      expect(lines.length).toBeLessThanOrEqual(40)
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(100)
    }
  })

  it('says what the report says, and what its numbers mean', () => {
    const { freshdex, oldestFirst, random } = report.strategies
    const whole = ({ mean }: { readonly mean: number }) => `${Math.round(100 * mean)}%`
    expect(text()).toContain(`With 5 fetches a week, ${whole(freshdex)} of what people saw was up to date.`)
    expect(text()).toContain(`Oldest first: ${whole(oldestFirst)}; at random: ${whole(random)}.`)
    expect(text()).toContain(`Oldest first needs ${report.oldestFirstNeeds!.budget} fetches a week for that`)
    expect(text().replaceAll('\n', ' ')).toContain(report.definition)
    expect(text()).toContain(report.next.sentence)
    for (const { key } of report.next.pages) expect(text()).toContain(` ${key} `)
    expect(text().replaceAll('\n', ' ')).toContain(report.next.pages[0]!.why)
  })

  it('names no number that a person cannot read', () => {
    expect(text()).not.toMatch(/\de[-+]?\d|NaN|undefined|Infinity/)
  })

  it('owns up when the oldest first does as well, or never gets there', () => {
    expect(text({ oldestFirstNeeds: null })).toContain('On this site oldest first does as well.')
    const tried = [{ budget: 120, share: 0.5 }]
    expect(text({ oldestFirstNeeds: { budget: null, tried } })).toContain(
      'Oldest first never gets there: all 120 pages fetched every week come to 50%.',
    )
    expect(text({ budget: 120, oldestFirstNeeds: null })).toContain('nothing is left to choose')
  })

  it('says 100% only of the whole, and names whole weeks only', () => {
    const almost = { mean: 0.9996, byWeek: [1, 0.9992] }
    const short = text({ weeks: 2, strategies: { freshdex: almost, oldestFirst: almost, random: almost } })
    expect(short).toContain('With 5 fetches a week, over 99% of what people saw was up to date.')
    expect(short).toMatch(/^ +1 +2 week$/m)
  })

  it('draws three lines that plain characters tell apart', () => {
    const plain = demoText(report, { isUnicode: false })
    for (const name of ['### freshdex', 'ooo oldest first', '... at random']) expect(plain).toContain(name)
    expect(plain).toMatch(/^[\x20-\x7e\n]*$/)
  })
})
