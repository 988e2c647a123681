import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../../dist/cli/freshdex.js', import.meta.url))
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

function freshdex(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('the command freshdex', () => {
  it('knows its version', () => {
    expect(freshdex('--version')).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: '' })
  })

  it('explains itself', () => {
    const { status, stdout, stderr } = freshdex('--help')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain('demo')
    expect(freshdex('demo', '--help').stdout).toContain('--weeks')
  })

  it('shows the demo on standard output', () => {
    const { status, stdout, stderr } = freshdex('demo', '--pages', '40', '--weeks', '3', '--budget', '4', '--seed', '3')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^An invented site, seed 3: 40 pages/)
    expect(stdout).toMatch(/With 4 fetches a week, \d+% of what people saw was up to date/)
  })

  it('prints one JSON document when asked to', () => {
    const { status, stdout } = freshdex('demo', '--json', '--pages', '40', '--weeks', '2')
    expect(status).toBe(0)
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ seed: 1, weeks: 2, budget: 20, site: { pages: 40 } })
    expect(Object.keys(report.strategies)).toEqual(['freshdex', 'oldestFirst', 'random'])
    expect(report.next.pages).toHaveLength(10)
  })

  it.each([
    ['an unknown command', ['nonsense']],
    ['an unknown option', ['demo', '--page', '5']],
    ['a number that is none', ['demo', '--pages', '5x']],
    ['a number out of range', ['demo', '--weeks', '105']],
    ['a negative number', ['demo', '--seed', '-1']],
    ['an argument too many', ['demo', 'more']],
    ['nothing at all', []],
  ])('refuses %s with status 2 and an empty standard output', (_, args) => {
    const { status, stdout, stderr } = freshdex(...args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).not.toBe('')
  })
})
