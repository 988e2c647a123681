import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScoringComparison } from '../../../src/lab/experiments/estimate/gain-comparison.js'
import { refused, Workplace } from '../program.js'
import { writeLabFolder } from './lab-folder.js'

const place = new Workplace()

beforeAll(async () => {
  await writeLabFolder(place.path('site'))
  await writeLabFolder(place.path('still'), { isStill: true })
})
afterAll(() => place.remove())

describe('freshdex lab forecast', () => {
  const run = ['lab', 'forecast', '--data', 'site', '--estimators', 'full-exact,single', '--samples', '100']

  it('prints a rank correlation with its interval for each way to know gains, the same bytes each time', async () => {
    const { status, stdout, stderr } = await place.run(...run, '--json', '--report', 'forecast.html')
    expect([status, stderr]).toEqual([0, ''])
    const { forecasts, ...rest } = JSON.parse(stdout)
    expect(rest).toMatchObject({ data: 'site', scoring: 'tfidf', steps: 9, samples: 100, seed: 1 })
    expect(forecasts.map(({ estimator }: { estimator: string }) => estimator)).toEqual(['full-exact', 'single'])
    for (const { lastOfFirst, pages } of forecasts) {
      expect(lastOfFirst).toBe(4)
      expect(pages.interval.low).toBeLessThanOrEqual(pages.spearman)
      expect(pages.interval.high).toBeGreaterThanOrEqual(pages.spearman)
    }
    const html = readFileSync(place.path('forecast.html'), 'utf8')
    expect(html.match(/<svg/g)).toHaveLength(2)
    expect(html).not.toMatch(/NaN|Infinity|undefined/)
    expect(await place.run(...run, '--json', '--report', 'forecast.html')).toEqual({ status, stdout, stderr })
    expect(readFileSync(place.path('forecast.html'), 'utf8')).toBe(html)
  })

  it('prints a table for people', async () => {
    const { stdout } = await place.run(...run)
    expect(stdout).toMatch(/^ΔQ of steps 1 to 4 against 5 to 8, by rank$/m)
    expect(stdout).toMatch(/^full-exact +\d+ +-?\d\.\d{3} +-?\d\.\d{3} … -?\d\.\d{3}/m)
  })

  it('has nothing to correlate where nothing changes', async () => {
    const { status, stdout } = await place.run('lab', 'forecast', '--data', 'still', '--json', '--report', 'still.html')
    expect(status).toBe(0)
    expect(JSON.parse(stdout).forecasts).toMatchObject([{ pages: { spearman: null, interval: null } }])
    expect(readFileSync(place.path('still.html'), 'utf8')).toContain('there is nothing to show')
  })

  it('refuses what it does not know', async () => {
    expect(await place.run('lab', 'forecast', '--data', 'site', '--estimators', 'best')).toEqual(
      refused('one or several of single, full, single-exact, full-exact'),
    )
    expect(await place.run('lab', 'forecast', '--data', 'nowhere')).toEqual(refused('nowhere', 1))
    expect(await place.run('lab', 'forecast', '--data', 'site', '--samples', '0')).toEqual(
      refused('a whole number from 1'),
    )
  })
})

describe('freshdex lab schedule', () => {
  const run = ['lab', 'schedule', '--pages', '400', '--crawlers', '4']

  it('prints the figures and what is said of them, the same bytes whatever the number of threads', async () => {
    const { status, stdout, stderr } = await place.run(...run, '--json', '--report', 'schedule.html', '--workers', '1')
    expect([status, stderr]).toEqual([0, ''])
    const { points, timetables, orderings, ...spec } = JSON.parse(stdout)
    expect(spec).toEqual({ pages: 400, crawlers: 4, seed: 1 })
    expect(points[0]).toEqual({
      ...{ figure: '7-crawls', metric: 'embarrassment', scheme: 'optimal', xName: 'crawlsPerPage', x: 1.5 },
      staleness: expect.any(Number),
    })
    expect(timetables).toMatchObject([
      { phasing: 'phased', early: 0 },
      { phasing: 'unphased', early: 0 },
    ])
    expect(orderings[0]).toMatchObject({ claim: 'no scheme is better than the optimal one', exceptions: [] })
    const html = readFileSync(place.path('schedule.html'), 'utf8')
    expect(html.match(/<svg/g)).toHaveLength(8)
    const again = ['--json', '--report', 'again.html', '--workers', '3', '--resume', 'schedule.jsonl']
    expect((await place.run(...run, ...again)).stdout).toBe(stdout)
    expect((await place.run(...run, ...again)).stdout).toBe(stdout)
    expect(readFileSync(place.path('again.html'), 'utf8')).toBe(html)
    expect(await place.run(...run, '--resume', 'schedule.jsonl', '--seed', '2')).toEqual(
      refused('seed is 1 there and 2', 1),
    )
  })

  it('prints tables for people', async () => {
    const { stdout } = await place.run(...run)
    expect(stdout).toMatch(/^crawlsPerPage +optimal +uniform +proportional$/m)
    expect(stdout).toMatch(/^no scheme is better than the optimal one +\d+ +0$/m)
  })

  it('refuses a number that is none', async () => {
    expect(await place.run('lab', 'schedule', '--pages', '0')).toEqual(refused('a whole number from 1'))
    expect(await place.run('lab', 'schedule', '--crawlers', 'many')).toEqual(refused('a whole number from 1'))
  })
})

describe('freshdex lab estimate', () => {
  const run = ['lab', 'estimate', '--data', 'site']

  it('compares what an index measures with exact values, the same bytes each time', async () => {
    const { status, stdout, stderr } = await place.run(...run, '--json', '--report', 'estimate.html')
    expect([status, stderr]).toEqual([0, ''])
    const { data, weeks, scorings } = JSON.parse(stdout)
    expect([data, weeks, Object.keys(scorings)]).toEqual(['site', 8, ['bm25', 'tfidf']])
    for (const { single, full, unaided, shifts } of Object.values(scorings as Record<string, ScoringComparison>)) {
      // Both sides see the same changes of scores, by their own ways of counting.
      expect(shifts.full.measured).toBe(shifts.full.exact)
      expect(shifts.single.measured).toBe(shifts.single.exact)
      expect(single.pageSpearman).toBeGreaterThan(0.8)
      expect(full.pageSpearman).toBeGreaterThan(0.8)
      // Both see the same exact values; the index that is left to itself has fitted at least once.
      expect(unaided.all).toMatchObject({
        pages: full.pages,
        refittedSpearman: full.pageSpearman,
        refittedError: full.wMAPE,
      })
      expect(unaided.all.unaidedSpearman).toBeGreaterThan(0.8)
      expect(unaided.epochs).toBeGreaterThanOrEqual(1)
      const { 'week 0': newest } = unaided.byWeeksSinceEpoch
      expect(newest!.unaidedError).toBeCloseTo(newest!.refittedError, 9)
    }
    const html = readFileSync(place.path('estimate.html'), 'utf8')
    expect(html).not.toMatch(/NaN|Infinity|undefined/)
    expect((await place.run(...run, '--json', '--report', 'again.html')).stdout).toBe(stdout)
    expect(readFileSync(place.path('again.html'), 'utf8')).toBe(html)
  })

  it('prints tables for people, of fewer weeks and one scoring if told', async () => {
    const { stdout } = await place.run(...run, '--scorings', 'tfidf', '--weeks', '2', '--queries', '20')
    expect(stdout).toMatch(/^site: 60 pages, 2 weeks, 20 queries\n/)
    expect(stdout).toMatch(/^tfidf +whole queries +\d+ +\d\.\d{3}/m)
    expect(stdout).not.toContain('bm25')
  })

  it('refuses a world in which nothing changes, and what it does not know', async () => {
    expect(await place.run('lab', 'estimate', '--data', 'still')).toEqual(refused('no page of the world changes'))
    expect(await place.run(...run, '--pieces', '9')).toEqual(refused('a whole number from 1 to 8'))
    expect(await place.run(...run, '--scorings', 'inlinks')).toEqual(refused('one or several of bm25, tfidf'))
    expect(await place.run('lab', 'estimate', '--data', 'nowhere')).toEqual(refused('nowhere.*\\(IO\\)', 1))
  })
})

describe('freshdex lab overhead', () => {
  const run = ['lab', 'overhead', '--data', 'site', '--runs', '1', '--sizes', '0.1,0.05']

  it('writes the same batches with and without measuring', async () => {
    const { status, stdout, stderr } = await place.run(...run, '--json', '--report', 'overhead.html')
    expect([status, stderr]).toEqual([0, ''])
    const { data, runs, refresh, bulk, single, sketching, bySize, curveRefitShare } = JSON.parse(stdout)
    expect([data, runs, Object.keys(bySize)]).toEqual(['site', 1, ['0.05 MB', '0.1 MB']])
    const overheads = [refresh, bulk, single.refresh, single.bulk, sketching.refresh, sketching.bulk]
    for (const { samples, spread } of overheads) {
      expect(samples).toBe(2)
      expect(spread.p25).toBeLessThanOrEqual(spread.p75)
    }
    for (const { withoutUs, withUs, coreUs } of [sketching.refresh, sketching.bulk]) {
      // It is the difference of two times, which chance can make negative with so few pages.
      expect(coreUs).toBeTypeOf('number')
      expect(Math.min(withoutUs, withUs)).toBeGreaterThan(coreUs)
    }
    expect(curveRefitShare.full.shifts).toBeGreaterThan(0)
    expect(readFileSync(place.path('overhead.html'), 'utf8').match(/<svg/g)).toHaveLength(1)
  })

  it('prints tables for people', async () => {
    const { stdout } = await place.run(...run)
    expect(stdout).toMatch(/^page revisions +whole queries +-?[\d.]+%/m)
    expect(stdout).toMatch(/^0\.05 MB( +-?[\d.]+%){4}$/m)
    expect(stdout).toMatch(/^page revisions( +-?[\d.]+%){3}( +[\d.]+){2} +-?[\d.]+$/m)
  })

  it('refuses a world without revisions, and sizes that are none', async () => {
    expect(await place.run('lab', 'overhead', '--data', 'still')).toEqual(refused('there is no revision to write'))
    expect(await place.run(...run, '--sizes', '1,0')).toEqual(refused('numbers above 0 and up to 1000'))
    expect(await place.run(...run, '--runs', '0')).toEqual(refused('a whole number from 1'))
  })
})
