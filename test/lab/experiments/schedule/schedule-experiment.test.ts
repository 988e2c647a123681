/** The figures of "Optimal crawling strategies" with few pages, and what is said of them. */
import { describe, expect, it } from 'vitest'
import {
  runScheduleTask,
  SCHEDULE_FIGURES,
  SCHEDULE_TASKS,
  scheduleRows,
} from '../../../../src/lab/experiments/schedule/figures.js'
import { scheduleOrderings } from '../../../../src/lab/experiments/schedule/orderings.js'
import { scheduleReport } from '../../../../src/lab/experiments/schedule/report.js'
import { checkScheduleSpec } from '../../../../src/lab/experiments/schedule/run.js'
import { htmlReport } from '../../../../src/lab/report/html.js'
import { schemesByCrawls } from './varied-schemes.js'

const spec = { pages: 2000, seed: 20_260_101, crawlers: 10 }
const rows = scheduleRows(SCHEDULE_TASKS.map((task) => runScheduleTask(spec, task)))

describe('the schedule experiment', () => {
  it('has a point for each scheme at each value of each figure', () => {
    for (const { name, metric, xs } of SCHEDULE_FIGURES) {
      const own = rows.points.filter(({ figure }) => figure === name)
      expect([name, own.length]).toEqual([name, xs.length * (metric === 'embarrassment' ? 6 : 3)])
    }
    const direct = schemesByCrawls({ pages: 2000, seed: 20_260_101 }, 'staleness', [3])
    const ours = rows.points.filter(({ figure, x }) => figure === '8-mixed' && x === 3)
    expect(ours.map(({ staleness }) => staleness)).toEqual(direct.map(({ staleness }) => staleness))
    expect(rows.timetables.map(({ phasing }) => phasing)).toEqual(['phased', 'unphased'])
  })

  it('finds the orderings of the paper', () => {
    const found = scheduleOrderings(rows).map(({ claim, cases, exceptions }) => ({ claim, cases, where: exceptions }))
    expect(found).toEqual([
      { claim: 'no scheme is better than the optimal one', cases: rows.points.length, where: [] },
      {
        claim: 'uniform is better than proportional',
        cases: expect.any(Number),
        // With enough crawls proportional ones are at all update times; and weights that have nothing to do with rates
        // are noise where rates are nearly the same.
        where: expect.not.arrayContaining([expect.not.stringMatching(/^Figure (?:7-skew|8-quasi-deterministic), /)]),
      },
      { claim: 'the optimum is convex in the number of crawls', cases: 5 * 6, where: [] },
      { claim: 'quasi-deterministic pages are never stale with the most crawls', cases: 1, where: [] },
      { claim: 'no crawl is made before an update that it waits for', cases: 2, where: [] },
    ])
  })

  it('tells where an ordering does not hold', () => {
    const bent = rows.points.map((point) =>
      point.figure === '8-poisson' && point.x === 3 && point.scheme === 'uniform' ? { ...point, staleness: 0 } : point,
    )
    const [best] = scheduleOrderings({ ...rows, points: bent })
    expect(best?.exceptions).toEqual(['Figure 8-poisson, crawlsPerPage 3, uniform'])
    const [row] = rows.timetables
    const early = scheduleOrderings({ ...rows, timetables: [{ ...row!, early: 3 }] }).at(-1)
    expect(early?.exceptions).toEqual(['phased: 3 crawls'])
  })

  it('becomes a report with a plot for each figure, the same bytes each time', () => {
    const html = htmlReport(scheduleReport({ spec, rows, orderings: scheduleOrderings(rows) }))
    expect(html.match(/<svg/g)).toHaveLength(SCHEDULE_FIGURES.length + 1)
    expect(html).not.toMatch(/NaN|Infinity|undefined/)
    const again = scheduleRows(SCHEDULE_TASKS.map((task) => runScheduleTask(spec, task)))
    expect(htmlReport(scheduleReport({ spec, rows: again, orderings: scheduleOrderings(again) }))).toBe(html)
  })

  it('refuses what it cannot do', () => {
    expect(() => checkScheduleSpec({ ...spec, pages: 0 })).toThrow('pages must be an integer from 1')
    expect(() => checkScheduleSpec({ ...spec, crawlers: 1.5 })).toThrow('crawlers must be an integer from 1')
    expect(() => runScheduleTask(spec, { figure: '11', x: 1 })).toThrow('received 11')
  })
})
