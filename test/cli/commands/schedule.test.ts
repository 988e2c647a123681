import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { jsonLines, refused, Workplace } from '../program.js'

const place = new Workplace()
const START = ['--start', '2026-11-16']
const HOUR_MS = 3_600_000

afterAll(() => place.remove())

const PAGES = [
  { key: '/ferry', perDay: 4 },
  { key: '/inn', law: 'weibull', shape: 0.7, scale: '1d', weight: 0.5 },
  { key: '/news', law: 'quasi-deterministic', times: ['9h', '17.5h'], probabilities: [0.9, 0.4] },
  { key: '/harbour', law: 'pareto', shape: 1.5, scale: '6h', max: 1 },
  { key: '/museum', perDay: 0 },
]

function schedule(pages: Iterable<unknown>, ...args: readonly string[]) {
  return place.feed(jsonLines(pages), 'schedule', ...START, ...args)
}

describe('freshdex schedule', () => {
  it('prints one JSON document: what each page gets, and a timetable in the order of time', async () => {
    const { status, stdout, stderr } = await schedule(PAGES, '--crawls', '12', '--json')
    expect([status, stderr]).toEqual([0, ''])
    const { start, periodMs, crawls, crawlers, staleness, pages, timetable } = JSON.parse(stdout)
    expect([start, periodMs, crawls, crawlers]).toEqual([Date.parse('2026-11-16'), 24 * HOUR_MS, 12, [12]])
    expect(staleness).toBeGreaterThan(0)
    expect(pages.map(({ key }: { key: string }) => key)).toEqual(PAGES.map(({ key }) => key))
    const made = Object.fromEntries(pages.map(({ key, crawls }: { key: string; crawls: number }) => [key, crawls]))
    expect(made).toMatchObject({ '/news': 2, '/harbour': 1, '/museum': 0 })
    expect(timetable).toHaveLength(12)
    for (const [nth, { at, crawler, key, ideal }] of timetable.entries()) {
      expect([at, crawler]).toEqual([start + 2 * nth * HOUR_MS, 1])
      if (key === '/news') expect(at).toBeGreaterThanOrEqual(ideal)
    }
  })

  it('says the same as lines of JSON, as CSV and as a table', async () => {
    const args = ['--crawlers', '8,4'] as const
    const { timetable } = JSON.parse((await schedule(PAGES, ...args, '--json')).stdout)
    const jsonl = await schedule(PAGES, ...args, '--output', 'jsonl')
    expect(jsonl.stdout).toBe(jsonLines(timetable))
    const csv = (await schedule(PAGES, ...args, '--output', 'csv')).stdout.trimEnd().split('\n')
    expect(csv[0]).toBe('at,crawler,key,ideal')
    const rows = timetable.map(({ at, crawler, key, ideal }: Record<string, number>) =>
      [new Date(at as number).toISOString(), crawler, key, new Date(ideal as number).toISOString()].join(),
    )
    expect(csv.slice(1)).toEqual(rows)
    const { stdout } = await schedule(PAGES, ...args)
    expect(stdout.trimEnd().split('\n')).toHaveLength(1 + 12 + 1)
    expect(stdout).toMatch(
      /\n12 crawls of 5 pages by 2 crawlers from 2026-11-16T00:00:00.000Z on: copies are stale [\d.]+%/,
    )
    const pages = (await schedule(PAGES, ...args, '--pages')).stdout
    expect(pages).toMatch(/^crawls {2}stale +key\n/)
    expect(pages).toContain('/museum\n')
  })

  it('reads the same pages from CSV', async () => {
    const csv = [
      'key,law,perDay,shape,scale,weight,times,probabilities,max',
      '/ferry,,4,,,,,,',
      '/inn,weibull,,0.7,1d,0.5,,,',
      '/news,quasi-deterministic,,,,,"[""9h"",""17.5h""]","[0.9,0.4]",',
      '/harbour,pareto,,1.5,6h,,,,1',
      '/museum,,0,,,,,,',
    ]
    writeFileSync(place.path('pages.csv'), `${csv.join('\r\n')}\r\n`)
    const fromCsv = await place.run('schedule', 'pages.csv', ...START, '--crawls', '12', '--json')
    expect(fromCsv).toEqual(await schedule(PAGES, '--crawls', '12', '--json'))
  })

  it('takes rates from histories: what changed more often is crawled more often', async () => {
    const history = (...changed: boolean[]) =>
      changed.map((each, day) => ({ at: `2026-11-0${day + 1}`, changed: each }))
    const pages = [
      { key: 'often', history: history(false, true, true, true, false) },
      { key: 'once', history: history(false, false, true, false, false) },
      { key: 'never', history: history(false, false, false, false, false) },
    ]
    for (const estimator of ['cho-garcia-molina', 'irregular-intervals', 'law-of-large-numbers']) {
      const { stdout } = await schedule(pages, '--crawls', '20', '--estimator', estimator, '--json')
      const [often, once, never] = JSON.parse(stdout).pages.map(({ crawls }: { crawls: number }) => crawls)
      expect(often).toBeGreaterThan(once)
      expect(once).toBeGreaterThan(never)
      expect(never).toBeGreaterThan(0)
    }
  })

  it('weighs pages by embarrassment, and keeps bounds and windows', async () => {
    const factors = { incorrect: 0.5, clicks: [[0.5, 0.2]], returned: [[0.1, 0.05]] }
    const pages = [
      { key: 'a', perDay: 1, ...factors },
      { key: 'b', perDay: 1, weight: 0.03 },
      { key: 'c', perDay: 1, min: 3, weight: 0, from: '6h', until: '12h' },
    ]
    const { pages: rows, timetable } = JSON.parse((await schedule(pages, '--crawls', '21', '--json')).stdout)
    expect(rows.map(({ crawls }: { crawls: number }) => crawls)).toEqual([9, 9, 3])
    for (const { at, key } of timetable) {
      const hour = (at - Date.parse('2026-11-16')) / HOUR_MS
      if (key === 'c') expect(hour >= 6 && hour <= 12).toBe(true)
    }
  })

  it('keeps fixed times, forbidden parts and crawlers, and lets older copies go first', async () => {
    const pages = [
      { key: 'fixed', perDay: 1, max: 1, fixed: ['6h'] },
      { key: 'awake', perDay: 1, min: 2, forbidden: [{ from: 0, until: '7h' }], crawlers: [2] },
      { key: 'new', perDay: 1, max: 1, min: 1, lastCrawl: '2026-11-15T23:00Z' },
      { key: 'old', perDay: 1, max: 1, min: 1, lastCrawl: '2026-11-01' },
    ]
    const { stdout } = await schedule(pages, '--crawlers', '4,4', '--json')
    const { timetable } = JSON.parse(stdout) as { timetable: { at: number; crawler: number; key: string }[] }
    const of = (key: string) => timetable.filter((row) => row.key === key)
    const hour = ({ at }: { at: number }) => (at - Date.parse('2026-11-16')) / HOUR_MS
    expect(of('fixed').map(hour)).toEqual([expect.closeTo(6, 0)])
    expect(of('awake').length).toBeGreaterThanOrEqual(2)
    for (const row of of('awake')) expect([hour(row) > 7, row.crawler]).toEqual([true, 2])
    expect(of('old')[0]!.at).toBeLessThan(of('new')[0]!.at)
  })

  it('fits laws to histories', async () => {
    // Changed every third day, nearly to the hour.
    const history = Array.from({ length: 30 }, (_, day) => ({
      at: Date.parse('2026-10-01') + day * 24 * HOUR_MS,
      changed: day % 3 === 1,
    }))
    const args = ['--period', '3d', '--crawls', '3', '--json'] as const
    const staleness = async (page: object, ...more: string[]) =>
      JSON.parse((await schedule([page], ...args, ...more)).stdout).staleness as number
    const poisson = await staleness({ key: 'a', history })
    const weibull = await staleness({ key: 'a', history }, '--fit', 'best')
    expect(weibull).not.toBe(poisson)
    expect(await staleness({ key: 'a', history, law: 'weibull' })).toBe(weibull)
    // From the start of the period, 2026-11-16, the third day before is a changed one.
    const known = { key: 'a', history, law: 'quasi-deterministic', times: ['12h', '36h', '60h'] }
    expect(await staleness(known)).toBeLessThan(0.35)
    expect(await schedule([{ key: 'a', history, law: 'quasi-deterministic' }], ...args)).toEqual(
      refused('give times as well', 1),
    )
  })

  it('plans one period that begins with the last crawls, or one that is repeated', async () => {
    const pages = [
      { key: 'a', perDay: 1 },
      { key: 'b', perDay: 1, max: 0 },
    ]
    const of = async (...args: string[]) =>
      JSON.parse((await schedule(pages, '--crawls', '2', '--json', ...args)).stdout).pages.map(
        ({ staleness }: { staleness: number }) => staleness,
      )
    expect((await of())[1]).toBe(1)
    expect((await of('--fresh-start'))[1]).toBeCloseTo(1 / Math.E, 12)
    const { stdout } = await schedule(pages, '--crawls', '2')
    expect(stdout).toContain('; 1 page is never crawled: a longer --period has room for more\n')
  })

  it('plans the documents of an index, also as lines of a time and a key', async () => {
    const docs = [1, 2, 3].map((id) => ({ id: `/${id}`, text: `harbour ferry ${id}` }))
    await place.feed(jsonLines(docs), 'index', 'pages.idx', '-', '--key', 'id', '--field', 'text', '--at', '2026-10-01')
    await place.run('workload', 'import', 'pages.idx', '-', '--at', '2026-10-01')
    const { stdout } = await place.run('schedule', '--from', 'pages.idx', ...START, '--crawls', '6', '--json')
    const { pages, timetable } = JSON.parse(stdout)
    expect(pages.map(({ key }: { key: string }) => key).toSorted()).toEqual(['/1', '/2', '/3'])
    for (const { law, weight } of pages) expect([law.law, law.perDay > 0, weight]).toEqual(['poisson', true, 1])
    const tsv = await place.run('schedule', '--from', 'pages.idx', ...START, '--crawls', '6', '--output', 'tsv')
    const lines = timetable.map(({ at, key }: { at: number; key: string }) => `${new Date(at).toISOString()}\t${key}\n`)
    expect(tsv.stdout).toBe(lines.join(''))
    const table = await place.run('schedule', '--from', 'pages.idx', ...START, '--crawls', '6', '--pages')
    expect(table.stdout).toMatch(/^crawls {2}stale +law +key\n/)
  })

  it('says how many crawls are of no use', async () => {
    const { stdout } = await schedule([{ key: 'a', perDay: 1, max: 2 }], '--crawls', '10')
    expect(stdout).toContain('2 crawls of 1 page by 1 crawler')
    expect(stdout).toContain('; 8 more crawls would be of no use\n')
  })

  it.each([
    [['--crawls', '5', '--crawlers', '2,2'], '--crawls must be no more than the crawlers can make, 4'],
    [[], 'needs --crawls or --crawlers'],
    [['--crawls', '5', '--json', '--output', 'csv'], '--json and --output exclude each other'],
    [['--crawls', '5', '--pages', '--output', 'csv'], '--pages and --output exclude each other'],
    [['--crawls', 'many'], 'whole number'],
    [['--crawlers', '5,x'], 'whole numbers with commas'],
    [['--crawls', '5', '--period', '1y'], 'a length of time'],
    [['--crawls', '5', '--laws', 'weibull'], '--laws is for documents of an index: give --from as well'],
    [['--crawls', '5', '--update-times', '9h,8h'], 'ascending'],
  ])('is called wrongly with %j', async (args, message) => {
    expect(await schedule(PAGES, ...args)).toEqual(refused(message))
  })

  it.each([
    ['{"key":"a"}', 'line 1 of standard input: a page must have one of law, perDay and history'],
    ['{"key":"a","perDay":1}\n{"key":"a","perDay":1}', 'line 2 of standard input: the key "a" has come before'],
    ['{"perDay":1}', 'key must be a string or a number, received undefined'],
    ['{"key":"a","perDay":-1}', 'perDay must be a finite number of at least 0, received -1'],
    ['{"key":"a","perday":1}', 'unknown page option "perday"'],
    ['{"key":"a","law":"normal"}', 'law must be poisson, weibull, pareto or quasi-deterministic, received "normal"'],
    ['{"key":"a","law":"pareto","shape":0.5,"scale":"1h"}', 'shape of a Pareto law must be above 1'],
    ['{"key":"a","law":"pareto","shape":2,"scale":"soon"}', 'scale must be a number and s, m, h, d or w'],
    ['{"key":"a","law":"quasi-deterministic","times":["30h"],"probabilities":[1]}', 'times must ascend within'],
    ['{"key":"a","perDay":1,"min":3,"max":2}', 'min must not exceed max, received 3 and 2'],
    ['{"key":"a","perDay":1,"max":1.5}', 'max must be an integer'],
    ['{"key":"a","perDay":1,"from":"20h","until":"10h"}', 'from and until must follow each other'],
    ['{"key":"a","perDay":1,"weight":1,"incorrect":1}', 'either weight or incorrect, clicks and returned'],
    ['{"key":"a","history":[]}', 'history must have at least two visits, received 0'],
    ['{"key":"a","history":[{"at":2,"changed":true},{"at":1,"changed":true}]}', 'history must be in the order of time'],
    ['{"key":"a","perDay":1,"lastCrawl":"2026-12-01"}', 'lastCrawl must not be after the start of the period'],
    ['{"key":"a","perDay":1,"forbidden":[{"from":"1h"}]}', 'forbidden[0].until must be'],
    ['{"key":"a","perDay":1,"fixed":"1h"}', 'fixed must be a list'],
    ['{"key":"a","perDay":1,"crawlers":[0]}', 'crawlers[0] must be'],
    ['{"key":"a","perDay":1,"crawlers":[1,2]}', 'line 1 of standard input: crawlers[1] must be'],
    ['{"key":"a","perDay":1,"fixed":["3h","24h"]}', 'fixed[1] must be before the end of the period, received "24h"'],
    ['{"key":"a","perDay":1,"forbidden":[{"from":"9h","until":"8h"}]}', 'forbidden[0] must have from before until'],
    ['{"key":"a","perDay":1,"forbidden":[{"from":"9h","until":"25h"}]}', 'until no later than the end of the period'],
    ['[1]', 'it must be a JSON object'],
    ['{"key":', 'it is not JSON'],
    ['', 'there are no pages in standard input'],
  ])('refuses %j', async (line, message) => {
    const pattern = message.replaceAll(/[[\]()]/g, '\\$&')
    expect(await place.feed(`${line}\n`, 'schedule', '--crawls', '5')).toEqual(refused(pattern, 1))
  })

  it('refuses CSV with other cells than its first line, and quotes that stay open', async () => {
    const csv = (text: string) => place.feed(text, 'schedule', '--crawls', '5', '--input', 'csv')
    expect(await csv('key,perDay\na,1,2\n')).toEqual(refused('line 2 .*: it must have 2 cells', 1))
    expect(await csv('key,key\n')).toEqual(refused('line 1 .*: columns must have names, each its own', 1))
    expect(await csv('key,perDay\n"a,1\n')).toEqual(refused('line 2 .*: a quote must', 1))
  })

  it('says so when nothing keeps all bounds', async () => {
    const pages = [{ key: 'a', perDay: 1, min: 6 }]
    expect(await schedule(pages, '--crawls', '5')).toEqual(
      refused('take 6 crawls, and there are 5 \\(INFEASIBLE\\)', 1),
    )
    const late = { law: 'quasi-deterministic', times: ['23h'], probabilities: [1], min: 1 }
    const crowd = Array.from({ length: 24 }, (_, at) => ({ key: at, ...late }))
    expect(await schedule(crowd, '--crawls', '48')).toEqual(refused('\\(INFEASIBLE\\)', 1))
  })
})
