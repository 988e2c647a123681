import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused, Workplace } from '../program.js'
import { byLines, spoiled, writeLabFolder } from './lab-folder.js'

const place = new Workplace()
const run = ['lab', 'frontier', '--data', 'site', '--budgets', '5%', '--held-back', '20%', '--ngram-words', '1']
const twice = [...run, '--seeds', '2']

beforeAll(async () => {
  await writeLabFolder(place.path('site'))
  await writeLabFolder(place.path('still'), { isStill: true })
})
afterAll(() => place.remove())

describe('freshdex lab frontier', () => {
  it('prints all parts with checks and writes a report, the same bytes each time, by one thread or two', async () => {
    const { status, stdout, stderr } = await place.run(...twice, '--json', '--report', 'frontier.html')
    expect([status, stderr]).toEqual([0, ''])
    const { areas, orders, sketches, splits, checks, ...rest } = JSON.parse(stdout)
    expect(rest).toMatchObject({
      data: 'site',
      scoring: 'tfidf',
      steps: 9,
      heldBackPages: 12,
      ngramWords: 1,
      seed: 1,
      seeds: 2,
    })
    expect([orders.length, sketches.length, splits.length]).toEqual([4, 4, 9])
    expect(areas).toHaveLength(2 * 5)
    for (const { name, holds } of checks) expect([name, typeof holds]).toEqual([name, 'boolean'])
    const html = readFileSync(place.path('frontier.html'), 'utf8')
    expect(html.match(/<svg/g)).toHaveLength(8)
    expect(html).not.toMatch(/NaN|Infinity|undefined/)
    expect(html).toMatch(/class="verdict">Over 2 seeds, in set 1 /)
    expect(await place.run(...twice, '--json', '--report', 'frontier.html', '--workers', '1')).toEqual({
      ...{ status, stdout, stderr },
    })
    expect(readFileSync(place.path('frontier.html'), 'utf8')).toBe(html)
  })

  it('goes on from a file of results, of this question only', async () => {
    const { stdout } = await place.run(...twice, '--json', '--resume', 'run.jsonl')
    const lines = readFileSync(place.path('run.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(1 + 17)
    expect((await place.run(...twice, '--json', '--resume', 'run.jsonl')).stdout).toBe(stdout)
    expect(readFileSync(place.path('run.jsonl'), 'utf8').trimEnd().split('\n')).toEqual(lines)
    expect(await place.run(...run, '--rho', '50%', '--resume', 'run.jsonl')).toEqual(refused('rho is 1 there', 1))
  })

  it('prints tables for people', async () => {
    const { stdout } = await place.run(...twice)
    expect(stdout).toMatch(/^Over 2 seeds, in set 1 .+95% interval -?\d\.\d{3} to -?\d\.\d{3}/)
    expect(stdout).toMatch(/^site: \d+ pages, 9 steps, \d+ queries, tfidf; 12 pages held back$/m)
    expect(stdout).toMatch(/^hybrid +0\.\d{4} +\S+ to \S+ +– +– +0\.\d{4} /m)
    expect(stdout).toMatch(/^joint +0\.\d{5} +\d+ +\d+$/m)
  })

  it('finds out only what it is asked for', async () => {
    const { stdout } = await place.run(...twice, '--parts', 'orders', '--json', '--report', 'orders.html')
    const { orders, sketches, splits } = JSON.parse(stdout)
    expect([orders.length, sketches.length, splits.length]).toEqual([4, 0, 0])
    expect(readFileSync(place.path('orders.html'), 'utf8').match(/<svg/g)).toHaveLength(3)
    const split = JSON.parse((await place.run(...run, '--parts', 'split', '--json')).stdout)
    expect([split.areas.length, split.splits.length]).toEqual([0, 9])
  })

  it('has nothing to order where no page is new', async () => {
    const still = ['lab', 'frontier', '--data', 'still', '--budgets', '5%', '--held-back', '0%', '--seeds', '1']
    const { status, stdout, stderr } = await place.run(...still, '--json', '--report', 'still.html')
    expect([status, stderr]).toEqual([0, ''])
    const { orders, splits } = JSON.parse(stdout)
    expect(orders).toMatchObject([{ frontier: 0, totalImpact: 0, correlation: { pearson: null } }, { frontier: 0 }])
    for (const { meanQuality, newPages } of splits) expect([meanQuality, newPages]).toEqual([1, 0])
    expect(readFileSync(place.path('still.html'), 'utf8')).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('refuses what it does not know, and links that are none', async () => {
    expect(await place.run(...run, '--held-back', 'half')).toEqual(refused('a share from 0% to 100%'))
    expect(await place.run(...run, '--held-back', '60%')).toEqual(refused('held-back'))
    expect(await place.run(...run, '--data', 'nowhere')).toEqual(refused('nowhere', 1))
    expect(await place.run(...run, '--parts', 'orders,areas')).toEqual(
      refused('one or several of orders, sketches, split'),
    )
    const change = byLines((lines) => ['{"week":0,"from":"/a"}', ...lines])
    spoiled(place.path('site'), place.path('spoiled'), 'links.ndjson.gz', change)
    expect(await place.run(...run, '--data', 'spoiled')).toEqual(refused('line 1', 1))
  })
})
