import { writeFileSync } from 'node:fs'
import { Freshdex } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { refused } from '../program.js'
import { newPagesForEach } from './refreshed-pages.js'

const pages = newPagesForEach()
const { place } = pages

describe('freshdex workload', () => {
  it('imports counted queries, and priorities know them at once', async () => {
    const before = await pages.explained('/market')
    const log = 'market day\t100\r\nboats\n\nboat*\t9\n'
    const imported = await place.feed(log, 'workload', 'import', pages.name, '-', '--json')
    expect(imported).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(imported.stdout)).toEqual({ recorded: 2, skipped: 1, dropped: 0, maxQueries: 10_000 })
    const after = await pages.explained('/market')
    // Stakes are shares: few asked for it before, and most do now.
    expect(before?.stake).toBeLessThan(0.25)
    expect(after?.stake).toBeGreaterThan(0.75)
    expect((await pages.explained('/harbour'))?.stake).toBeGreaterThan(0)
  })

  it('shows the heaviest first', async () => {
    writeFileSync(place.path('log.tsv'), 'boats\t2\nboats\t1\n')
    expect(await place.run('workload', 'import', pages.name, 'log.tsv')).toEqual({
      status: 0,
      stdout: '2 lines recorded, 0 skipped\n',
      stderr: '',
    })
    const { status, stdout } = await place.run('workload', 'show', pages.name)
    expect(status).toBe(0)
    expect(stdout).toBe('40  ferry\n5   market day\n3   boats\n3 of 3 queries\n')
    const { total, queries } = JSON.parse(
      (await place.run('workload', 'show', pages.name, '--limit', '2', '--json')).stdout,
    )
    expect(total).toBe(3)
    expect(queries).toEqual([
      { query: 'ferry', weight: expect.closeTo(40, 2) },
      { query: 'market day', weight: expect.closeTo(5, 2) },
    ])
  })

  it('keeps the heaviest of more queries than the workload holds, though they come first', async () => {
    const log = Array.from({ length: 20_000 }, (_, nth) => `word${nth}\t${nth < 8000 ? 2 : 1}\n`).join('')
    const { stdout } = await place.feed(log, 'workload', 'import', pages.name, '-', '--json')
    expect(JSON.parse(stdout)).toEqual({ recorded: 20_000, skipped: 0, dropped: 10_002, maxQueries: 10_000 })
    const queries = await pages.ask((index) => index.workload.queries())
    const heavy = queries.filter(({ query, weight }) => query.startsWith('word') && weight > 1.5)
    expect(heavy).toHaveLength(8000)
  })

  it('counts a query that no search would take among those it skips', async () => {
    const log = `${'('.repeat(200)}ferry\t3\n${'x'.repeat(100_000)}\t3\nboats\t1\n`
    const { stdout } = await place.feed(log, 'workload', 'import', pages.name, '-', '--json')
    expect(JSON.parse(stdout)).toEqual({ recorded: 1, skipped: 2, dropped: 0, maxQueries: 10_000 })
  })

  it('has nothing to import from an empty input', async () => {
    const { status, stdout } = await place.feed('', 'workload', 'import', pages.name, '-', '--json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ recorded: 0, skipped: 0, dropped: 0, maxQueries: 10_000 })
  })

  it('names a bad line by its number, and imports nothing', async () => {
    const ended = await place.feed('boats\t2\n\nfish\tmany\n', 'workload', 'import', pages.name, '-', '--json')
    expect(ended).toEqual(refused('standard input, line 3: the count behind the tab must be a number above 0', 1))
    expect(await pages.ask((index) => index.workload.queries().length)).toBe(2)
  })

  it('knows what was searched for on the command line, unless told not to learn', async () => {
    expect(await place.run('search', pages.name, 'boats', 'harbour', '--keys')).toMatchObject({ status: 0 })
    expect(await place.run('search', pages.name, 'title:boats', '--json')).toMatchObject({ status: 0 })
    expect(await place.run('search', pages.name, 'private', '--no-learn')).toMatchObject({ status: 0 })
    const { stdout } = await place.run('workload', 'show', pages.name, '--json')
    const { queries } = JSON.parse(stdout) as { queries: { query: string }[] }
    const texts = queries.map(({ query }) => query).sort()
    expect(texts).toEqual(['boats', 'boats harbour', 'ferry', 'market day'])
  })

  it('makes what was searched for count in what to refresh next', async () => {
    const of = (stdout: string) =>
      (JSON.parse(stdout) as { pages: { key: string; stake: number }[] }).pages.find(({ key }) => key === '/market')
    const next = ['next', pages.name, '--budget', '3', '--json'] as const
    const before = of((await place.run(...next)).stdout)
    for (let nth = 0; nth < 3; nth++) await place.run('search', pages.name, 'market', '--limit', '1')
    const after = of((await place.run(...next)).stdout)
    expect(after?.stake).toBeGreaterThan(before?.stake ?? Number.NaN)
  })

  it('learns beside a process that writes, which takes it over', async () => {
    const index = await Freshdex.open<Record<string, unknown>>(place.path(pages.name))
    expect(await place.runProcess('search', pages.name, 'boats')).toMatchObject({ status: 0 })
    // The program shows what is there, and waits for nobody.
    expect(await place.runProcess('workload', 'show', pages.name)).toMatchObject({ status: 0 })
    await index.workload.flush()
    expect(index.workload.queries().map(({ query }) => query)).toContain('boats')
    await index.close()
  })

  it('says what a bound has dropped and how to raise it, and keeps the bounds', async () => {
    const log = Array.from({ length: 100 }, (_, nth) => `word${nth}\t${1 + nth}\n`).join('')
    const first = await place.feed(log, 'workload', 'import', pages.name, '-', '--max', '50', '--half-life', 'never')
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(first.stdout).toBe(
      '100 lines recorded, 0 skipped\n' +
        '52 queries dropped, the lightest: the workload keeps 50; --max raises that, up to 1,000,000\n',
    )
    expect(await pages.ask((index) => index.stats().workload)).toMatchObject({
      ...{ queries: 50, maxQueries: 50, halfLifeMs: Number.POSITIVE_INFINITY, dropped: 52 },
    })
    // What is not said stays: the next import keeps to the same bounds, and another one changes them.
    expect((await place.feed('extra\t999\n', 'workload', 'import', pages.name, '-')).stdout).toContain(
      '1 query dropped',
    )
    await place.feed('other\t999\n', 'workload', 'import', pages.name, '-', '--max', '500', '--half-life', '7d')
    expect(await pages.ask((index) => index.stats().workload)).toMatchObject({
      ...{ queries: 51, maxQueries: 500, halfLifeMs: 7 * 86_400_000 },
    })
  })

  it('takes a time for what was asked then', async () => {
    const at = new Date(Date.now() - 30 * 86_400_000).toISOString()
    await place.feed('boats\t8\n', 'workload', 'import', pages.name, '-', '--at', at)
    const queries = await pages.ask((index) => index.workload.queries())
    expect(queries.find(({ query }) => query === 'boats')?.weight).toBeCloseTo(4, 2)
  })

  it('exports what import reads', async () => {
    await place.feed('boats\t7\n', 'workload', 'import', pages.name, '-', '--half-life', 'never')
    const { status, stdout } = await place.run('workload', 'export', pages.name)
    expect(status).toBe(0)
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(['ferry', 'boats', 'market day', ''])
    expect(stdout).toContain('boats\t7\n')
    const again = await place.feed(stdout, 'workload', 'import', pages.name, '-', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ recorded: 3, skipped: 0 })
    const queries = await pages.ask((index) => index.workload.queries())
    expect(queries.find(({ query }) => query === 'boats')?.weight).toBeCloseTo(14, 3)
  })

  it('exports counts without the little that they have decayed in a minute', async () => {
    const index = await Freshdex.open(place.path(pages.name))
    index.workload.record('boats', { count: 3, at: Date.now() - 60_000 })
    await index.close()
    const { stdout } = await place.run('workload', 'export', pages.name)
    expect(stdout).toBe('ferry\t40\nmarket day\t5\nboats\t3\n')
  })

  it('lists what no document answers', async () => {
    await place.run('search', pages.name, 'zebra crossing')
    const { status, stdout } = await place.run('workload', 'unanswered', pages.name)
    expect(status).toBe(0)
    expect(stdout).toContain('zebra crossing')
    expect(stdout).not.toContain('ferry')
    const listed = JSON.parse((await place.run('workload', 'unanswered', pages.name, '--json')).stdout)
    expect(listed).toEqual([{ query: 'zebra crossing', weight: expect.closeTo(1, 2), lastAt: expect.any(String) }])
  })

  it('forgets a query for good', async () => {
    expect(await place.run('workload', 'forget', pages.name, 'market', 'day')).toEqual({
      status: 0,
      stdout: 'forgotten: market day\n',
      stderr: '',
    })
    expect(await pages.ask((index) => index.workload.queries().map(({ query }) => query))).toEqual(['ferry'])
    const again = await place.run('workload', 'forget', pages.name, 'market', 'day')
    expect(again).toEqual(refused('the workload does not have the query "market day"', 1))
  })

  it.each([
    ['no command', []],
    ['an unknown command', ['burn', 'pages']],
    ['no file', ['import', 'pages']],
    ['a limit that is none', ['show', 'pages', '--limit', 'all']],
  ])('takes %s for wrong usage', async (_, args) => {
    const { status, stdout, stderr } = await place.run('workload', ...args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).not.toBe('')
  })
})
