/** The commands about pages that were never fetched, and the plan that has them too. */
import { writeFileSync } from 'node:fs'
import { Freshdex } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { jsonLines, refused } from '../program.js'
import { newPagesForEach } from './refreshed-pages.js'

const pages = newPagesForEach()
const { place } = pages

const LINKS = [{ url: '/island/ferry', anchors: ['the ferry'], inlinks: 3 }, { url: '/island/inn' }, { url: '/ferry' }]

function addLinks() {
  return place.feed(jsonLines(LINKS), 'frontier', 'add', pages.name, '--file', '-', '--at', '2026-11-06')
}

describe('freshdex frontier', () => {
  it('adds pages from a file or standard input', async () => {
    expect(await addLinks()).toEqual({
      status: 0,
      stdout: '2 pages added, 0 known to the frontier, 1 known as documents\n',
      stderr: '',
    })
    writeFileSync(place.path('links.jsonl'), '\n{"url":"/island/inn","anchors":["inn"]}\n\n')
    const { stdout } = await place.run('frontier', 'add', pages.name, '--file', 'links.jsonl', '--json')
    expect(JSON.parse(stdout)).toEqual({ added: 0, updated: 1, known: 0 })
    expect((await place.run('stats', pages.name)).stdout).toMatch(/^ {2}frontier +2 pages to fetch$/m)
  })

  it('takes all lines or none, and names the one that is wrong', async () => {
    const lines = jsonLines([{ url: '/fine' }, { url: 'nowhere' }])
    const wrong = await place.feed(lines, 'frontier', 'add', pages.name, '--file', '-')
    expect(wrong).toEqual(refused('line 2 of standard input: url must be a URL .* received "nowhere"', 1))
    expect(
      JSON.parse((await place.run('frontier', 'next', pages.name, '--budget', '9', '--json')).stdout).pages,
    ).toEqual([])
    expect((await place.run('frontier', 'next', pages.name, '--budget', '9')).stdout).toBe('0 pages to fetch\n')
    expect(await place.run('frontier', 'add', pages.name)).toEqual(refused('--file', 2))
  })

  it('names the pages to fetch next, says why, and plans them with refreshes', async () => {
    await addLinks()
    const next = await place.run('frontier', 'next', pages.name, '--budget', '5')
    expect(next).toMatchObject({ status: 0, stderr: '' })
    const [header, first, second, last] = next.stdout.split('\n')
    expect(header).toMatch(/^rank +impact +gain +inlinks +url$/)
    expect([first, second, last]).toEqual([
      expect.stringMatching(/^1 .* 3 +\/island\/ferry$/),
      expect.stringMatching(/^2 +0 +0 +0 +\/island\/inn$/),
      '2 pages to fetch',
    ])
    const why = await place.run('frontier', 'explain', pages.name, '/island/ferry')
    expect(why.stdout).toMatch(/^url +\/island\/ferry\nimpact +\S+\nby queries .*\nby inlinks +nothing learnt yet\n/)
    expect(why.stdout).toMatch(/^anchors +the ferry\n\ngain +weight +score +rank +query\n.* ferry$/m)
    const json = JSON.parse((await place.run('frontier', 'explain', pages.name, '/island/inn', '--json')).stdout)
    expect(json).toMatchObject({ url: '/island/inn', impact: 0, queries: [] })
    expect(await place.run('frontier', 'explain', pages.name, '/nobody')).toEqual(
      refused('the frontier has no page "/nobody"', 1),
    )
    expect(await place.run('frontier', 'explain', pages.name, 'nobody')).toEqual(refused('url must be a URL', 2))
    const plan = await place.run('plan', pages.name, '--budget', '9', '--json')
    const { actions } = JSON.parse(plan.stdout) as { actions: { kind: string; key: string }[] }
    expect(actions.map(({ kind }) => kind).sort()).toEqual(['new', 'new', 'refresh', 'refresh', 'refresh'])
    const told = await place.run('plan', pages.name, '--budget', '9', '--per-host', '9')
    expect(told.stdout).toMatch(/^rank +priority +stake +gain +together +current +age +kind +page\n +1 /)
    expect(told.stdout).toMatch(/^3 refreshes and 2 new pages recover as much as /m)
    expect(await place.run('plan', pages.name, '--budget', '9', '--policy', 'oldest-first')).toEqual(
      refused('--no-new-pages', 2),
    )
    const known = await place.run('plan', pages.name, '--budget', '9', '--policy', 'oldest-first', '--no-new-pages')
    expect(known.stdout).toMatch(/\n3 refreshes recover /)
  })

  it('learns from pages that were fetched when others are added', async () => {
    await addLinks()
    const write = { put: [{ url: '/island/ferry', title: 'ferry', body: 'ferry' }] }
    const index = await Freshdex.open<{ url: string; title: string; body: string }>(place.path(pages.name))
    await index.write(write)
    await index.close()
    expect((await addLinks()).stdout).toBe('0 pages added, 1 known to the frontier, 2 known as documents\n')
    await using again = await Freshdex.open(place.path(pages.name))
    await again.frontier.next({ budget: 0 })
    expect(again.stats().frontier).toMatchObject({ pages: 1, fetched: 0, learnt: 1 })
  })
})
