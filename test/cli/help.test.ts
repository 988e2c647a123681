import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { Workplace } from './program.js'

const place = new Workplace()
const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')

afterAll(() => place.remove())

describe('the help of freshdex', () => {
  it('has options and examples for every command, and the page about the command line has each of them', async () => {
    const { stdout } = await place.run('--help')
    const { stdout: ofWorkload } = await place.run('workload', '--help')
    const { stdout: ofFrontier } = await place.run('frontier', '--help')
    const { stdout: ofImport } = await place.run('import', '--help')
    const { stdout: ofLab } = await place.run('lab', '--help')
    const { stdout: ofClusters } = await place.run('clusters', '--help')
    const commands = [
      ...commandsIn(stdout),
      ...commandsIn(ofWorkload).map((name) => `workload ${name}`),
      ...commandsIn(ofClusters).map((name) => `clusters ${name}`),
      ...commandsIn(ofFrontier).map((name) => `frontier ${name}`),
      ...commandsIn(ofImport).map((name) => `import ${name}`),
      ...commandsIn(ofLab).map((name) => `lab ${name}`),
    ]
    expect(commands).toEqual(
      expect.arrayContaining([
        ...[
          'index',
          'search',
          'get',
          'next',
          'plan',
          'review',
          'explain',
          'observe',
          'signal',
          'workload import',
          'workload show',
        ],
        ...['frontier add', 'frontier next', 'frontier explain'],
        ...['stats', 'check', 'compact', 'backup', 'export', 'salvage', 'import git'],
        ...['clusters build', 'clusters list', 'clusters explain'],
        ...[
          'lab quality',
          'lab forecast',
          'lab schedule',
          'lab longevity',
          'lab clusters',
          'lab frontier',
          'lab estimate',
          'lab overhead',
        ],
      ]),
    )
    const helps = await Promise.all(commands.map((name) => place.run(...name.split(' '), '--help')))
    for (const [at, name] of commands.entries()) {
      const { status, stdout: help = '', stderr } = helps[at] ?? {}
      expect([name, status, stderr]).toEqual([name, 0, ''])
      expect(help).toContain('--json')
      expect(help).toContain(`Examples:\n  freshdex ${name} `.trimEnd())
      const section = page.split(/^## /m).find((text) => text.startsWith(`${name.split(' ')[0]}\n`)) ?? ''
      const options = [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option = '']) => option)
      expect([name, options.filter((option) => !section.includes(option))]).toEqual([name, []])
    }
  })

  it('takes an argument that begins with a dash behind two, and a negative number as it is', async () => {
    await place.feed('{"id":-5,"text":"left"}\n', 'index', 'idx', '--key', 'id', '--field', 'text')
    expect(await place.run('get', 'idx', '-5', '--number-key')).toMatchObject({ status: 0 })
    expect((await place.run('search', 'idx', '--', '-right left')).stdout).toContain('1 of 1 hit')
  })
})

/** Those that have options. */
function commandsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}([a-z]+) \[options\]/gm)].map(([, name = '']) => name)
}
