/** Columns on the command line: given to an index, and filtered, counted, sorted and grouped by. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonLines, refused, Workplace } from '../program.js'

const place = new Workplace()
const POSTS = [
  { url: '/a', title: 'Ferry times', section: 'docs', words: 50, published: '2026-01-10', until: '2026-02-01' },
  { url: '/b', title: 'Ferry prices', section: 'blog', words: 150, published: '2026-01-20' },
  { url: '/c', title: 'Harbour map', section: 'docs', words: 250, published: '2026-03-05' },
]
const COLUMNS = ['--column', 'section:keyword', '--column', 'words:number', '--column', 'published:date']
const NEW = ['--key', 'url', '--field', 'title', ...COLUMNS, '--column', 'until:date', '--expires', 'until']

beforeAll(async () => {
  const { status, stderr } = await place.feed(jsonLines(POSTS), 'index', 'posts', ...NEW)
  expect([status, stderr]).toEqual([0, ''])
})

afterAll(() => place.remove())

async function keys(...words: readonly string[]): Promise<string[]> {
  const { stdout } = await place.run('search', 'posts', ...words, '--keys')
  return stdout.split('\n').slice(0, -1)
}

describe('freshdex search', () => {
  it('filters, in the query and beside it, and leaves out what has expired', async () => {
    expect(await keys('ferry')).toEqual(['/b'])
    expect(await keys('section:docs')).toEqual(['/c'])
    expect(await keys('*', '--filter', 'words:>100 section:blog')).toEqual(['/b'])
    expect(await keys('*', '--filter', '-section:blog')).toEqual(['/c'])
    const none = await place.run('search', 'posts', '*', '--filter', 'docs')
    expect(none).toEqual(refused('--filter must be clauses such as section:docs'))
  })

  it('sorts and groups', async () => {
    expect(await keys('*', '--sort', 'published:desc')).toEqual(['/c', '/b'])
    expect(await keys('*', '--sort', 'section:asc,words:desc')).toEqual(['/b', '/c'])
    expect(await keys('*', '--group', 'section:2', '--sort', 'words:asc')).toEqual(['/b', '/c'])
    expect(await place.run('search', 'posts', '*', '--sort', 'words:up')).toEqual(refused('It must be score, priority'))
    expect(await place.run('search', 'posts', '*', '--sort', 'title:asc')).toEqual(
      refused('"title", which is not a column'),
    )
    expect(await place.run('search', 'posts', '*', '--group', 'section:many')).toEqual(refused('such as section:3'))
  })

  it('counts', async () => {
    const facets = ['--facet', 'section', '--facet', 'words:..100,100..', '--facet', 'published:month']
    const { stdout } = await place.run('search', 'posts', '*', '--limit', '0', ...facets)
    expect(stdout).toBe(
      'section:\n  1  blog\n  1  docs\nwords:\n  0  < 100\n  2  >= 100\n' +
        'published:\n  1  2026-01-01\n  1  2026-03-01\n0 of 2 hits\n',
    )
    const json = await place.run('search', 'posts', '*', '--limit', '0', ...facets, '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      total: 2,
      facets: { section: [{ value: 'blog', count: 1 }, {}], published: [{ value: '2026-01-01T00:00:00.000Z' }, {}] },
    })
    expect(await place.run('search', 'posts', '*', '--facet', 'words:5')).toEqual(refused('or ranges such as'))
  })
})

describe('other commands', () => {
  it('refuse a column of another kind', async () => {
    const other = ['--column', 'section:number', ...COLUMNS.slice(2), '--column', 'until:date']
    expect(await place.feed('', 'index', 'posts', ...other)).toEqual(refused('MISMATCH', 1))
    expect(await place.feed('', 'index', 'new', '--key', 'a', '--field', 'b', '--column', 'c:text')).toEqual(
      refused('It must be a property and its kind'),
    )
  })

  it('name documents that pass', async () => {
    const next = await place.run(
      'next',
      'posts',
      '--budget',
      '5',
      '--filter',
      'section:docs',
      '--at',
      '2099-01-01',
      '--keys',
    )
    expect(next.stdout.split('\n').sort()).toEqual(['', '/a', '/c'])
    const plan = await place.run(
      'plan',
      'posts',
      '--budget',
      '5',
      '--filter',
      'words:<100',
      '--at',
      '2099-01-01',
      '--keys',
    )
    expect(plan.stdout).toBe('/a\n')
  })
})
