import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IS_LONG } from '../../support/rounds.js'
import { refused, Workplace } from '../program.js'
import { byLines, spoiled, writeLabFolder } from './lab-folder.js'

const place = new Workplace()
const run = ['lab', 'clusters', '--data', 'site', '--cycle-weeks', '2', '--resources', '40%,80%', '--queries', '30']

beforeAll(() => writeLabFolder(place.path('site'), { pages: 80 }))
afterAll(() => place.remove())

function lab(...args: readonly string[]) {
  return place.run('lab', 'clusters', ...args)
}

describe('freshdex lab clusters', () => {
  let whole = ''

  beforeAll(async () => {
    const options = ['--json', '--report', 'whole.html', '--workers', '2', '--resume', 'whole.jsonl']
    const { status, stdout, stderr } = await place.run(...run, ...options)
    expect([status, stderr]).toEqual([0, ''])
    whole = stdout
  })

  it('prints rows, counts, sizes, tests and checks', () => {
    const { rows, counts, domains, sizes, tests, checks, pages, queries, siteSegments, ...rest } = JSON.parse(whole)
    expect(rest).toEqual({
      data: 'site',
      cycleWeeks: 2,
      clusters: 100,
      clusterDownloads: 15,
      fairShare: 0,
      within: 'oldest',
      seed: 1,
      cycles: 4,
    })
    expect(pages).toBeGreaterThan(40)
    expect(domains).toEqual([{ domain: '', hosts: 1, sites: expect.any(Number), pages, share: 1 }])
    expect(queries).toBeGreaterThan(5)
    expect(siteSegments).toEqual(expect.any(Number))
    expect(rows).toHaveLength(2 * (9 + 5))
    expect(rows[0]).toEqual({
      ...{ policy: 'rand', features: 'combined', resourceShare: 0.4, resources: expect.any(Number) },
      ...{ changeRatio: expect.any(Number), changeRatios: expect.any(Array) },
      weightedChangeRatio: rows[0].weightedChangeRatio,
      ...{ freshness: expect.any(Number), topFreshness: expect.any(Number), precision: expect.any(Number) },
    })
    for (const { weightedChangeRatio: weighted } of rows) expect(weighted === null || weighted >= 0).toBe(true)
    expect(counts.map(({ words }: { words: string }) => words)).toEqual(['url', 'content'])
    expect(sizes).toHaveLength(4)
    expect(tests).toHaveLength(2 * 16)
    for (const { name, holds, value, limit } of checks) expect([name, holds]).toEqual([name, value - limit > 1e-9])
  })

  it('gives the same bytes whatever the number of threads, and goes on where it was stopped', async () => {
    const again = [...run, '--json', '--report', 'again.html', '--resume', 'again.jsonl']
    for (const workers of IS_LONG ? ['1', '2', '3'] : ['1']) {
      rmSync(place.path('again.jsonl'), { force: true })
      expect(await place.run(...again, '--workers', workers)).toEqual({ status: 0, stdout: whole, stderr: '' })
      expect(readFileSync(place.path('again.html'), 'utf8')).toBe(readFileSync(place.path('whole.html'), 'utf8'))
    }
    const lines = readFileSync(place.path('again.jsonl'), 'utf8').split('\n')
    writeFileSync(place.path('again.jsonl'), `${lines.slice(0, 9).join('\n')}\n${lines[9]?.slice(0, 40)}`)
    expect(await place.run(...again)).toEqual({ status: 0, stdout: whole, stderr: '' })
    expect(readFileSync(place.path('again.jsonl'), 'utf8').split('\n')).toHaveLength(lines.length)
    for (const [option, value, name] of [
      ['--seed', '2', 'seed'],
      ['--cycle-weeks', '1', 'cycleWeeks'],
      ['--site-segments', '0', 'siteSegments'],
    ] as const)
      expect(await place.run(...again, option, value)).toEqual(refused(`${name} is .* \\(MISMATCH\\)`, 1))
  })

  it('tells people the same in tables, and all of it in a report', async () => {
    const { stdout } = await place.run(...run, '--resume', 'whole.jsonl')
    expect(stdout).toMatch(
      /^At R 40% \S+ finds most changes, a ChangeRatio of \d\.\d{3}: .+\. First is \S+ at R 80%.*\.\n\n/,
    )
    expect(stdout).toMatch(/^site: \d+ pages, 4 cycles, \d+ queries$/m)
    expect(stdout).toMatch(/^domain +hosts +sites +pages +share\n(?:none|\.[a-z]+) +1 +\d+ +\d+ +100%$/m)
    expect(stdout).toMatch(/^policy +40% +80%$/m)
    expect(stdout).toMatch(/^cls-gad +\d\.\d{4} +\d\.\d{4}$/m)
    expect(stdout).toMatch(/^ChangeRatio of every cls above rr at R 40% +(?:yes|no) +\d\.\d{4} +\d\.\d{4}$/m)
    const html = readFileSync(place.path('whole.html'), 'utf8')
    expect(html.match(/<svg/g)).toHaveLength(6)
    expect(html).not.toMatch(/NaN|Infinity|undefined|<script/)
    // All but the verdict, its plot and its table are behind a fold.
    expect([html.match(/<section>/g)?.length, html.match(/class="verdict"/g)?.length]).toEqual([1, 1])
    for (const figure of ['1', '2', '3', '4a', '4b', '4c']) expect(html).toContain(`>Figure ${figure} of the paper.`)
  })
})

describe('freshdex lab clusters, called wrongly', () => {
  it('says what is wrong', async () => {
    for (const weeks of ['0', '3', '16', 'two'])
      expect(await lab('--data', 'site', '--cycle-weeks', weeks)).toEqual(refused('It must be 1, 2, 4 or 8'))
    expect(await lab('--data', 'site', '--resources', '5')).toEqual(refused('above 0% and at most 100%'))
    expect(await lab('--data', 'site', '--fair-share', '200%')).toEqual(refused('from 0% to 100%'))
    expect(await lab('--data', 'site', '--queries', '0')).toEqual(refused('a whole number from 1'))
    expect(await lab('--data', 'nowhere')).toEqual(refused('nowhere', 1))
    await writeLabFolder(place.path('short'), { steps: 3 })
    expect(await lab('--data', 'short', '--cycle-weeks', '4')).toEqual(refused('at least one cycle, received 4'))
  })

  it('names the file and line that are damaged', async () => {
    spoiled(
      place.path('site'),
      place.path('bad'),
      'links.ndjson.gz',
      byLines((lines) => [lines[0]!, '{"week":0,"from":7}', ...lines.slice(1)]),
    )
    expect(await lab('--data', 'bad')).toEqual(refused('line 2 of .*links\\.ndjson\\.gz', 1))
  })
})
