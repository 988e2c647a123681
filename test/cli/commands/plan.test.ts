/** The commands plan and review. */
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { refused } from '../program.js'
import { DAY_MS, newPagesForEach, START } from './refreshed-pages.js'

const pages = newPagesForEach()
const { place } = pages
const AT = ['--at', '2026-11-10'] as const

describe('freshdex plan', () => {
  it('prints what the library plans, as a table or as JSON', async () => {
    const at = START + 9 * DAY_MS
    const budget = ['--cost', '2.5', '--probe-price', '0.25', '--per-host', '2', '--min-interval', '12h']
    const limits = ['--max-staleness', '30d', '--cycle', '7d', '--no-new-pages']
    const { status, stdout, stderr } = await place.run('plan', pages.name, ...budget, ...limits, ...AT, '--json')
    expect([status, stderr]).toEqual([0, ''])
    const plan = await pages.ask((index) =>
      index.plan({
        ...{ budget: { cost: 2.5, probe: 0.25 }, perHost: 2, minIntervalMs: DAY_MS / 2, newPages: false, at },
        ...{ maxStalenessMs: 30 * DAY_MS, cycleMs: 7 * DAY_MS },
      }),
    )
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(plan)))
    const told = await place.run('plan', pages.name, '--budget', '1', ...limits, ...AT)
    expect(told.stdout).toMatch(
      /^rank +priority +stake +gain +together +current +age +kind +page\n +1 +100 .* refresh /,
    )
    expect(told.stdout).toMatch(/^1 refresh recovers? [\d.]+% of what can be gained now/m)
    expect(told.stdout).toMatch(/^with this budget in every cycle no document becomes older than 30 days$/m)
    expect(told.stdout).toMatch(/\n\n1\. \/\S+\n {4}\S/)
    for (const line of told.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
    const late = await place.run('plan', pages.name, '--budget', '1', '--max-staleness', '2d', '--cycle', '1d', ...AT)
    expect(late.stdout).toMatch(
      /\d documents? older than 2 days already; too little for a limit of 2 days: that takes 3 /,
    )
  })

  it('tells the smallest budget for a target, and draws what each budget would reach', async () => {
    const asked = ['plan', pages.name, '--target', '99%', ...AT]
    const { status, stdout, stderr } = await place.run(...asked)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Expected quality of the answers, by budget\n/)
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /99% up to date takes [123] fetch(es)?: from \S+ to \S+ of today.s answers\./,
    )
    const plan = JSON.parse((await place.run(...asked, '--json')).stdout)
    const known = await pages.ask((index) => index.plan({ target: 0.99, at: START + 9 * DAY_MS }))
    expect([plan.budget, plan.isReached, plan.curve]).toEqual([known.budget, true, known.curve])
    const keys = (await place.run(...asked, '--keys')).stdout.trimEnd().split('\n')
    expect(keys).toEqual(known.actions.map(({ key }) => key))
    expect(await place.run(...asked, '--budget', '3')).toEqual(refused('either --budget, --cost or --target'))
  })

  it('takes prices of single documents', async () => {
    writeFileSync(place.path('prices.tsv'), '/ferry\t7\n\n/market\t2\n')
    const run = (...more: string[]) => place.run('plan', pages.name, '--cost', '100', ...AT, '--json', ...more)
    const { actions } = JSON.parse((await run('--prices', 'prices.tsv', '--fetch-price', '3')).stdout)
    const prices = Object.fromEntries(actions.map(({ key, cost }: { key: string; cost: number }) => [key, cost]))
    expect(prices).toEqual({ '/ferry': 7, '/market': 2, '/harbour': 3 })
    writeFileSync(place.path('prices.tsv'), '/ferry\t7\n/market\tmuch\n')
    expect(await run('--prices', 'prices.tsv')).toEqual(
      refused('line 2 of prices.tsv: it must be a key, a tab and a price', 1),
    )
  })

  it('refuses what does not go together', async () => {
    const wrong: [string[], string][] = [
      [[], 'either --budget, --cost or --target'],
      [['--budget', '1', '--cost', '1'], 'either --budget, --cost or --target'],
      [['--budget', '1', '--probe-price', '1'], 'prices go with --cost or --target'],
      [['--cost', '1', '--fetch-price', '0'], 'It must be a number above 0'],
      [['--budget', '1', '--max-staleness', '3d'], '--max-staleness needs --cycle'],
      [['--budget', '1', '--max-staleness', '3d', '--cycle', '4d'], '--cycle must be at most --max-staleness'],
      [
        ['--budget', '1', '--max-staleness', '3d', '--cycle', '1d', '--min-interval', '4d'],
        '--min-interval must be at most --max-staleness',
      ],
      [['--budget', '1', '--cycle', 'soon'], 'It must be a length of time'],
    ]
    for (const [options, message] of wrong)
      expect(await place.run('plan', pages.name, ...options), options.join(' ')).toEqual(refused(message, 2))
  })
})

describe('freshdex review', () => {
  it('tells of refreshes by other commands, as a table or as JSON', async () => {
    // How the pages were made is not reviewed: nobody had asked what is next.
    expect((await place.run('review', pages.name)).stdout).toMatch(/^No refresh is reviewed yet: .*freshdex index/)
    const observed = await place.run('observe', pages.name, '/ferry', '--outcome', 'same', ...AT)
    expect(observed.status).toBe(0)
    const told = await place.run('review', pages.name)
    expect(told.stdout).toMatch(/^1 refresh found no change, where /)
    expect(told.stdout).toMatch(/^day +refreshes +changed +expected +gained/m)
    expect(told.stdout).toMatch(/^2026-11-10 +1 +0 +\S+ +0% +\S+ to \S+( times)? +[a-z ]+$/m)
    expect(told.stdout).not.toMatch(/[a-z][A-Z]|\de[-+]?\d|NaN|undefined/)
    const { stdout } = await place.run('review', pages.name, '--since', '2026-11-01', '--json')
    expect(JSON.parse(stdout)).toEqual(await pages.ask((index) => JSON.parse(JSON.stringify(index.refresh.review()))))
    const later = await place.run('review', pages.name, '--since', '2026-11-11', '--json')
    expect(JSON.parse(later.stdout)).toMatchObject({ refreshes: 0, days: [] })
  })
})
