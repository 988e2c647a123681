import { writeFileSync } from 'node:fs'
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
