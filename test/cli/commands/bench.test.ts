import { describe, expect, it } from 'vitest'
import { Workplace } from '../program.js'

/** The engines run in processes of their own, as they do for users. */
describe('freshdex bench', () => {
  it('compares the engines on documents of a file', async () => {
    const place = new Workplace()
    const words = [
      'ferry',
      'harbour',
      'market',
      'bread',
      'timetable',
      'lantern',
      'storm',
      'museum',
      'island',
      'captain',
    ]
    const documents = Array.from({ length: 40 }, (_, at) => ({
      url: `/${at}`,
      title: `Page ${words[at % 10]}`,
      body: Array.from({ length: 30 }, (_, nth) => words[(at * 7 + nth * nth) % 10]).join(' '),
    }))
    const file = place.write('pages.jsonl', documents)
    const { status, stdout, stderr } = await place.runProcess('bench', file, '--rounds', '1', '--json')
    expect({ status, stderr: stderr.replace(/.*the machine was busy.*\n/, '') }).toEqual({ status: 0, stderr: '' })
    const report = JSON.parse(stdout)
    expect(report.pages).toMatchObject({ name: 'pages.jsonl', count: 40, fields: ['title', 'body'], revisions: 10 })
    expect(report.absent).toEqual({})
    expect(Object.keys(report.contenders)).toEqual(['freshdex', 'plain', 'fts5', 'flexsearch'])
    for (const [name, contender] of Object.entries<Record<string, unknown>>(report.contenders)) {
      expect(contender.version).toMatch(/^\d+\.\d+/)
      for (const number of ['indexCpuUsPerPage', 'replaceCpuUsPerPage', 'singleWriteP50WallUs']) {
        expect(contender[number]).toBeGreaterThan(0)
      }
      const kinds = name === 'flexsearch' ? ['word', 'all', 'any'] : ['word', 'all', 'any', 'phrase']
      expect(Object.keys(contender.search as object)).toEqual(kinds)
      if (name === 'flexsearch') expect(contender.diskBytes).toBeNull()
      else expect(contender.diskBytes).toBeGreaterThan(1000)
    }
  }, 60_000)

  it('prints one table for people, of the engines that were asked for', async () => {
    const place = new Workplace()
    const { status, stdout } = await place.runProcess(
      'bench',
      '--pages',
      '30',
      '--rounds',
      '1',
      '--engines',
      'plain,fts5',
    )
    expect(status).toBe(0)
    expect(stdout).toMatch(/^30 invented pages, .* of text, 8 of them written anew; 1 round\n/)
    expect(stdout).toMatch(/search only +FTS5 3\.\d+/)
    expect(stdout).toMatch(/\nfind a phrase of two words, µs: p50 \(p99\) +\S+ \(\S+\) +\S+ \(\S+\)\n/)
    expect(stdout).toMatch(/freshdex replaces a page in [\d.,]+ times (?:less|more)\s+CPU\s+time than FTS5\./)
  }, 60_000)

  it.each([
    ['a file that is not there', ['gone.jsonl'], 1, 'ENOENT'],
    ['an engine that nobody knows', ['--engines', 'grep'], 2, 'engines'],
    ['no round', ['--rounds', '0'], 2, 'It must be a whole number from 1 to 99'],
  ])('refuses %s', async (_, args, wanted, message) => {
    const { status, stdout, stderr } = await new Workplace().run('bench', ...args)
    expect({ status, stdout }).toEqual({ status: wanted, stdout: '' })
    expect(stderr).toContain(message)
  })
})
