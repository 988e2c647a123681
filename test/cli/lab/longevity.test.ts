import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ending, ending, refused, Workplace } from '../program.js'
import { writeLabFolder } from './lab-folder.js'

const place = new Workplace()
const run = ['lab', 'longevity', '--pages', '60', '--steps', '12', '--seed', '3']

beforeAll(async () => {
  await writeLabFolder(place.path('site'), { pages: 30 })
  await writeLabFolder(place.path('still'), { pages: 10, isStill: true })
})
afterAll(() => place.remove())

describe('freshdex lab longevity', () => {
  let whole: Ending

  beforeAll(async () => {
    whole = await place.run(...run, '--json', '--report', 'one.html', '--workers', '1')
  })

  it('prints curves and checks, the same bytes whatever the number of threads and wherever it went on', async () => {
    const { status, stdout, stderr } = whole
    expect([status, stderr]).toEqual([0, ''])
    const { world, checks, offline, online, space, cgm, longevity, lifetimes } = JSON.parse(stdout)
    expect(world).toMatchObject({ name: 'high-quality', stepDays: 2, seed: 3, pages: 60, steps: 12 })
    expect(checks[0]).toMatchObject({ name: 'Figure 6: fs-d is less stale than fs-s', holds: true, limit: 1 })
    expect(Object.keys(offline.atEqualCost)).toEqual(offline.order.toSorted(byNames(Object.keys(offline.curves))))
    expect(Object.keys(online)).toEqual(['warmUp', 'steady'])
    expect(Object.keys(space.curves)).toHaveLength(8)
    expect(cgm.map(({ world: name }: { world: string }) => name)).toEqual(['high-quality', 'random'])
    expect(longevity.pages).toBeGreaterThan(5)
    expect(lifetimes.groups).toHaveLength(3)
    const html = readFileSync(place.path('one.html'), 'utf8')
    expect(html.match(/<svg/g)).toHaveLength(9)

    const again = [...run, '--json', '--report', 'again.html', '--workers', '2', '--resume', 'run.jsonl']
    expect((await place.run(...again)).stdout).toBe(stdout)
    const lines = readFileSync(place.path('run.jsonl'), 'utf8').split('\n')
    writeFileSync(place.path('run.jsonl'), `${lines.slice(0, 200).join('\n')}\n${lines[200]!.slice(0, 10)}`)
    expect((await place.run(...again)).stdout).toBe(stdout)
    expect(readFileSync(place.path('again.html'), 'utf8')).toBe(html)
    expect(await place.run(...run, '--resume', 'run.jsonl', '--step-days', '1')).toEqual(
      refused('stepDays is 2 there and 1', 1),
    )
  })

  it('says when it is interrupted how far it came, and goes on from there', async () => {
    const again = [...run, '--json', '--workers', '1', '--resume', 'stopped.jsonl']
    const child = place.start(...again)
    child.stdin.end()
    const end = ending(child)
    const results = () =>
      existsSync(place.path('stopped.jsonl')) ? readFileSync(place.path('stopped.jsonl'), 'utf8').split('\n').length : 0
    while (results() < 5) await new Promise((resolve) => setImmediate(resolve))
    child.kill('SIGINT')
    const { status, stdout, stderr } = await end
    expect([status, stdout]).toEqual([130, ''])
    expect(stderr).toMatch(/interrupted; stopped\.jsonl has \d+ new results: the same command goes on from there\n$/)
    expect(await place.run(...again)).toEqual(whole)
  })

  it('replays a folder, and prints tables for people', async () => {
    const { status, stdout, stderr } = await place.run('lab', 'longevity', '--data', 'site')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^site: \d+ pages, 9 steps; \d+ of \d+ claims hold\n/)
    expect(stdout).toMatch(/^Figure 6: fs-d is less stale than fs-s +(yes|no) +\d\.\d{3} +1/m)
    expect(stdout).toMatch(/^curve-fitting m=8 h=1 +\d\.\d{4}/m)
  })

  it('has nothing to say of pages that never change', async () => {
    const { status, stdout } = await place.run(
      'lab',
      'longevity',
      '--data',
      'still',
      '--json',
      '--report',
      'still.html',
    )
    expect(status).toBe(0)
    const { world, checks } = JSON.parse(stdout)
    expect(world).toMatchObject({ staticPageShare: 1, mostStaleness: 0, churnShare: null })
    expect(checks.every(({ holds }: { holds: boolean | null }) => holds === null)).toBe(true)
    expect(readFileSync(place.path('still.html'), 'utf8')).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('refuses what it cannot do', async () => {
    expect(await place.run('lab', 'longevity', '--data', 'site', '--pages', '10')).toEqual(
      refused('--seed are for generated pages'),
    )
    expect(await place.run('lab', 'longevity', '--data', 'nowhere')).toEqual(refused('nowhere', 1))
    expect(await place.run('lab', 'longevity', '--pages', '0')).toEqual(refused('a whole number from 1'))
    expect(await place.run('lab', 'longevity', '--steps', '2')).toEqual(refused('a whole number from 3'))
    expect(await place.run('lab', 'longevity', '--step-days', '0')).toEqual(refused('a number above 0'))
    expect(await place.run('lab', 'longevity', '--seed', 'x')).toEqual(refused('a whole number from 0'))
    expect(await place.run('lab', 'longevity', '--report', 'no/where.html')).toEqual(refused('There is no folder no'))
  })
})

/** In the order of these names. */
function byNames(names: readonly string[]): (a: string, b: string) => number {
  return (a, b) => names.indexOf(a) - names.indexOf(b)
}
