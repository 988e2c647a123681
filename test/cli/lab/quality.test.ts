import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCommand } from '../../../src/cli/command.js'
import { labQuality } from '../../../src/cli/lab/quality.js'
import { DEFAULT_POLICY } from '../../../src/refresh/policies/registry.js'
import { ending, refused, Workplace } from '../program.js'
import { byLines, spoiled, writeLabFolder } from './lab-folder.js'

const place = new Workplace()
const POLICIES = ['uniform', 'user-centric-full-exact', DEFAULT_POLICY, 'stake', 'oracle']
const small = ['--data', 'site', '--budgets', '2%,10%', '--policies', POLICIES.join()]
const WEEK_MS = 7 * 86_400_000
/** A thread takes longer to begin than one of these worlds to be replayed. */
const ONE_THREAD = ['--workers', '1']
const run = ['lab', 'quality', ...ONE_THREAD, ...small, '--mode', 'offline,online']

beforeAll(() => writeLabFolder(place.path('site')))
afterAll(() => place.remove())

function lab(...args: readonly string[]) {
  return place.run('lab', 'quality', ...ONE_THREAD, ...args)
}

/** Why a call is refused. In this process: most of the time of another one goes by before it looks at its arguments. */
async function complaint(...args: readonly string[]): Promise<{ readonly code: unknown; readonly message: string }> {
  const program = new Command().exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} })
  await addCommand(program, labQuality)
  try {
    await program.parseAsync(['quality', ...args], { from: 'user' })
  } catch (error) {
    return error as Error & { readonly code: unknown }
  }
  throw new Error(`${args.join(' ')} was not refused`)
}

function saying(pattern: string) {
  return { message: expect.stringMatching(new RegExp(pattern)) }
}

/** The folder of another process, in this one. */
function at(data: string): string[] {
  return ['--data', place.path(data)]
}

interface Row {
  readonly policy: string
  readonly mode: string
  readonly budget: number
  readonly budgetShare: number
  readonly meanQuality: number
  readonly minQuality: number
  readonly lossShare: number | null
  readonly interval: readonly [number, number] | null
  readonly agesMs: Readonly<Record<'p50' | 'p90' | 'p99' | 'max', number>>
}

interface Comparison {
  readonly policy: string
  readonly mode: string
  readonly budgetShare: number
  readonly ratio: number | null
  readonly interval: readonly [number, number] | null
}

describe('freshdex lab quality', () => {
  let whole = ''

  beforeAll(async () => {
    const { status, stdout, stderr } = await place.run(...run, '--json', '--report', 'whole.html')
    expect([status, stderr]).toEqual([0, ''])
    whole = stdout
  })

  it('prints a row for each mode, policy and budget, and the budgets needed', () => {
    const { rows, needed, comparisons, means, verdicts, calibration, pages, queries, untouchedQuality, ...rest } =
      JSON.parse(whole)
    expect((verdicts as { mode: string }[]).map(({ mode }) => mode)).toEqual(['offline', 'online'])
    expect(queries).toBeGreaterThan(20)
    expect(rest).toEqual({
      ...{ data: 'site', scoring: 'tfidf', steps: 9, seed: 1, defaultPolicy: DEFAULT_POLICY },
      signals: { missRate: 0, falseAlarmRate: 0 },
    })
    const runs = [
      ...['uniform', 'user-centric-full-exact', 'oracle'].map((policy) => ['offline', policy]),
      ...['uniform', DEFAULT_POLICY, 'stake', 'oracle'].map((policy) => ['online', policy]),
    ]
    expect((rows as Row[]).map(({ policy, mode, budgetShare }) => [mode, policy, budgetShare])).toEqual(
      runs.flatMap((run) => [0.02, 0.1].map((share) => [...run, share])),
    )
    for (const { policy, budget, budgetShare, meanQuality, minQuality, lossShare, interval, agesMs } of rows as Row[]) {
      expect(budget).toBeCloseTo(budgetShare * pages, 9)
      expect(minQuality).toBeLessThanOrEqual(meanQuality)
      expect(lossShare).toBeCloseTo((1 - meanQuality) / (1 - untouchedQuality), 12)
      const best = rows.find((row: Row) => row.policy === 'oracle' && row.budgetShare === budgetShare)
      expect([policy, meanQuality <= best.meanQuality + 1e-12]).toEqual([policy, true])
      expect(interval![0]).toBeLessThanOrEqual(lossShare! + 1e-6)
      expect(interval![1]).toBeGreaterThanOrEqual(lossShare! - 1e-6)
      const ages = [agesMs.p50, agesMs.p90, agesMs.p99, agesMs.max]
      expect(ages).toEqual(ages.toSorted((one, other) => one - other))
      expect(ages.every((age) => age >= 0 && age <= 8 * WEEK_MS && age % WEEK_MS === 0)).toBe(true)
    }
    expect(needed).toHaveLength(runs.length * 3)
    expect(needed[0]).toMatchObject({ policy: 'uniform', mode: 'offline', share: 0.5 })
    expect(needed.map(({ policy }: Row) => policy)).toContain(DEFAULT_POLICY)
    expect(means.map(({ policy, mode }: Row) => [mode, policy])).toEqual(runs)
    expectCompared(rows, comparisons)
    expect(calibration).toMatchObject(
      [0.02, 0.1].map((budgetShare) => ({ policy: DEFAULT_POLICY, mode: 'online', budgetShare })),
    )
    for (const { cycles, points } of calibration) {
      expect(points).toHaveLength(cycles)
      expect(cycles).toBeGreaterThan(4)
    }
    expect(rows.some((row: object) => 'cycleGains' in row || 'queryLosses' in row)).toBe(false)
  })

  function expectCompared(rows: readonly Row[], comparisons: readonly Comparison[]): void {
    expect(comparisons.map(({ policy, mode, budgetShare }) => [mode, policy, budgetShare])).toEqual(
      ['uniform', 'stake', 'oracle'].flatMap((policy) => [0.02, 0.1].map((share) => ['online', policy, share])),
    )
    for (const { policy, budgetShare, ratio, interval } of comparisons) {
      const share = (name: string) =>
        rows.find((row) => row.policy === name && row.mode === 'online' && row.budgetShare === budgetShare)!.lossShare!
      if (share(policy) === 0) expect(ratio).toBe(null)
      else expect(ratio).toBeCloseTo(share(DEFAULT_POLICY) / share(policy), 9)
      if (policy === 'uniform') expect(interval![0]).toBeLessThan(interval![1])
    }
  }

  it('gives the same bytes whatever the number of threads, from a file of results and without', async () => {
    const again = (workers: string) =>
      ['--json', '--report', `again${workers}.html`, '--resume', `again${workers}.jsonl`, '--workers', workers] as const
    const ends = await Promise.all(['1', '3'].map((workers) => place.run(...run, ...again(workers))))
    for (const [at, workers] of ['1', '3'].entries()) {
      expect(ends[at]).toEqual({ status: 0, stdout: whole, stderr: '' })
      expect(readFileSync(place.path(`again${workers}.html`), 'utf8')).toBe(
        readFileSync(place.path('whole.html'), 'utf8'),
      )
    }
    const results = readFileSync(place.path('again3.jsonl'), 'utf8')
    expect((await place.run(...run, ...again('3'))).stdout).toBe(whole)
    expect(readFileSync(place.path('again3.jsonl'), 'utf8')).toBe(results)
  })

  it('goes on where it was stopped', async () => {
    const again = [...run, '--json', '--resume', 'stopped.jsonl']
    const lines = readFileSync(place.path('again1.jsonl'), 'utf8').split('\n')
    writeFileSync(place.path('stopped.jsonl'), `${lines.slice(0, 6).join('\n')}\n${lines[6]?.slice(0, 40)}`)
    expect(await place.run(...again)).toEqual({ status: 0, stdout: whole, stderr: '' })
    expect(readFileSync(place.path('stopped.jsonl'), 'utf8').split('\n')).toHaveLength(lines.length)
    // More policies of the same world go to the same file.
    const more = ['--data', 'site', '--budgets', '2%', '--policies', 'random', '--resume', 'stopped.jsonl']
    expect((await lab(...more)).status).toBe(0)
    expect(readFileSync(place.path('stopped.jsonl'), 'utf8').split('\n')).toHaveLength(lines.length + 1)
  })

  it('can be interrupted, and then goes on', async () => {
    const again = [...run, '--json', '--resume', 'half.jsonl']
    const child = place.start(...again)
    child.stdin.end()
    const end = ending(child)
    await until(() => linesOf('half.jsonl') >= 3)
    child.kill('SIGINT')
    const { status, stdout, stderr } = await end
    // It may have been done already.
    if (stdout === '') {
      expect(status).toBe(130)
      expect(stderr).toMatch(
        /^freshdex: interrupted; half\.jsonl has \d+ new results?: the same command goes on from there\n$/,
      )
    }
    expect((await place.run(...again)).stdout).toBe(whole)
  })

  it('refuses results of another run', async () => {
    const again = ['--data', 'site', '--budgets', '10%', '--policies', 'uniform', '--resume', 'mine.jsonl']
    expect((await lab(...again)).status).toBe(0)
    const before = readFileSync(place.path('mine.jsonl'), 'utf8')
    const ours = [...again.slice(2, -1), place.path('mine.jsonl')]
    expect(await lab(...again, '--seed', '2')).toEqual(refused('seed is 1 there and 2 here \\(MISMATCH\\)', 1))
    cpSync(place.path('site'), place.path('site2'), { recursive: true })
    appendFileSync(place.path('site2/queries.tsv'), 'another\t1\n')
    expect(await complaint(...at('site2'), ...ours)).toMatchObject({
      code: 'MISMATCH',
      ...saying('data is .* there and .* here'),
    })
    writeFileSync(place.path('notes.txt'), 'my notes\n')
    expect(await complaint(...at('site'), ...ours.slice(0, -1), place.path('notes.txt'))).toMatchObject({
      code: 'CORRUPT',
      ...saying('notes\\.txt is no file of results'),
    })
    expect(readFileSync(place.path('notes.txt'), 'utf8')).toBe('my notes\n')
    expect(readFileSync(place.path('mine.jsonl'), 'utf8')).toBe(before)
    // A note beside the files of the world changes nothing.
    writeFileSync(place.path('site/NOTES.md'), 'a note')
    expect((await lab(...again)).status).toBe(0)
  })

  it('tells people the same in tables, and all of it in a report', async () => {
    const { stdout } = await place.run(...run)
    expect(stdout).toMatch(
      /^Offline, fitted on the whole period, .* won: over all budgets it leaves .*\.\n\nsite: \d+ pages, /,
    )
    expect(stdout).toMatch(
      /^site: \d+ pages, 9 steps, \d+ queries, tfidf; quality 0\.\d{5} when nothing is refreshed$/m,
    )
    expect(stdout).toMatch(/^Online, .* won: /m)
    expect(stdout).toMatch(/^policy +mode +2% +10%$/m)
    expect(stdout).toMatch(/^uniform +online +0\.\d{5} +0\.\d{5}$/m)
    expect(stdout).toMatch(/^policy +mode +to remove 50% +to remove 75% +to remove 90%$/m)
    expect(stdout).toMatch(/^The same, 95% interval over the queries$/m)
    expect(stdout).toMatch(/^uniform +online +0\.\d{3}–[01]\.\d{3} +0\.\d{3}–[01]\.\d{3}$/m)
    expect(stdout).toContain(`Loss of ${DEFAULT_POLICY}, the default, by that of the others`)
    expect(stdout).toMatch(/^policy +mode +loss that is left +95% interval +default by it$/m)
    const html = readFileSync(place.path('whole.html'), 'utf8')
    // Quality, budget, loss and embarrassment, for two modes; expected and measured gains.
    expect(html.match(/<svg/g)).toHaveLength(9)
    expect(html).toContain('Budget for a level of quality, offline (Figure 4)')
    expect(html).toContain('<figcaption>User-centric crawling, Figure 4')
    expect(html.indexOf('class="verdict"')).toBeLessThan(html.indexOf('<svg'))
    // All but what the verdict rests on waits behind a fold.
    expect(html.match(/<details>/g)!.length).toBeGreaterThan(6)
    expect(html.match(/<section>/g)).toHaveLength(3)
    expect(html).toContain(`${DEFAULT_POLICY}, the default, beside the others`)
    for (const heading of ['How sure the losses are', 'All budgets together', 'Age of the copies at the end'])
      expect(html).toContain(`<h2>${heading}</h2>`)
    expect(html).toMatch(/<td class="number">\d+ \/ \d+ \/ \d+ \/ 56<\/td>/)
    expect(html).not.toMatch(/NaN|Infinity|undefined|<script/)
  })

  it('scores by inlinks and by bm25, with signals that fail', async () => {
    const signals = ['--mode', 'signals', '--miss-rate', '20%', '--false-alarm-rate', '1.5%']
    const named = ['--policies', ['random', DEFAULT_POLICY, 'lambda-crawl', 'stake', 'oracle'].join()]
    const scorings = ['inlinks', 'bm25']
    const ends = await Promise.all(
      scorings.map((scoring) =>
        lab('--data', 'site', '--budgets', '5%', ...signals, ...named, '--scoring', scoring, '--json'),
      ),
    )
    for (const [at, { status, stdout, stderr }] of ends.entries()) {
      expect([status, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout)).toMatchObject({
        ...{ scoring: scorings[at], signals: { missRate: 0.2, falseAlarmRate: 0.015 } },
      })
      expect(JSON.parse(stdout).rows).toHaveLength(5)
    }
  })

  it('says how many pages it left out and why, and which command writes the queries that are missing', async () => {
    const asked = ['lab', 'quality', '--budgets', '5%', '--policies', 'uniform', '--mode', 'offline', '--data']
    const { stdout } = await place.run(...asked, 'site')
    const [, used, all, left] = /Only (\d+) of (\d+) pages .* the other (\d+) pages? come/.exec(stdout) ?? []
    expect([Number(used) > 0, Number(all) - Number(used)]).toEqual([true, Number(left)])
    expect((await place.run(...asked, 'site', '--pages', 'all')).stdout).not.toContain('are replayed')
    cpSync(place.path('site'), place.path('unasked'), { recursive: true })
    rmSync(place.path('unasked/queries.tsv'))
    const { status, stderr } = await place.run(...asked, 'unasked')
    expect([status, stderr]).toEqual([1, expect.stringMatching(/queries\.tsv: .*freshdex workload export writes it/)])
  })

  it('asks the queries of another file of the folder', async () => {
    writeFileSync(place.path('site/others.tsv'), readFileSync(place.path('site/queries.tsv'), 'utf8').split('\n')[0]!)
    const others = ['--data', 'site', '--budgets', '10%', '--policies', 'uniform', '--queries-file', 'others.tsv']
    const { status, stdout } = await lab(...others, '--resume', 'others.jsonl', '--json')
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { queriesFile: 'others.tsv', queries: 1 }])
    // Results of the one workload are none of the other.
    const rest = ['--budgets', '10%', '--policies', 'uniform', '--resume', place.path('others.jsonl')]
    expect(await complaint(...at('site'), ...rest)).toMatchObject({ code: 'MISMATCH' })
    expect(await complaint(...at('site'), ...rest, '--queries-file', 'missing.tsv')).toMatchObject({ code: 'MISMATCH' })
    const missing = ['--budgets', '10%', '--policies', 'uniform', '--queries-file', 'missing.tsv']
    expect(await complaint(...at('site'), ...missing)).toMatchObject({ code: 'IO', ...saying('missing\\.tsv') })
    expect(await complaint(...at('site'), '--queries-file', 'a/b.tsv')).toMatchObject(saying('name of a file'))
  })
})

describe('freshdex lab quality, in a generated world', () => {
  const world = ['--world', 'one-daily', '--world-pages', '40', '--world-steps', '10', '--budgets', '5%,20%']

  it('holds the default policy against uniform, seed by seed', async () => {
    const [end, one] = await Promise.all([
      lab(...world, '--seeds', '2', '--seed', '7', '--resume', 'trials.jsonl', '--json', '--report', 'trials.html'),
      lab(...world, '--seeds', '1', '--seed', '7', '--mode', 'signals'),
    ])
    expect([end.status, end.stderr]).toEqual([0, ''])
    const { rows, againstUniform, checks, ...rest } = JSON.parse(end.stdout)
    expect(rest).toEqual({
      ...{ world: 'one-daily', pages: 40, steps: 10, scoring: 'tfidf', seeds: [7, 8], defaultPolicy: DEFAULT_POLICY },
      signals: { missRate: 0, falseAlarmRate: 0 },
    })
    expect(rows.map(({ seed, policy, budgetShare }: Row & { seed: number }) => [seed, policy, budgetShare])).toEqual(
      [7, 8].flatMap((seed) => [DEFAULT_POLICY, 'uniform'].flatMap((of) => [0.05, 0.2].map((at) => [seed, of, at]))),
    )
    expect(againstUniform.map(({ budgetShare }: Comparison) => budgetShare)).toEqual([0.05, 0.2, null])
    for (const [at, { interval }] of (againstUniform as Comparison[]).entries()) {
      expect(checks[at]).toMatchObject({ holds: interval![0] <= 1, value: interval![0], limit: 1 })
      expect(checks[at].name).toContain('never worse than uniform beyond noise')
    }
    expect(readFileSync(place.path('trials.html'), 'utf8')).toContain('never worse than uniform beyond noise')
    // From the file of results, with another seed in addition.
    const more = await lab(...world, '--seeds', '3', '--seed', '7', '--resume', 'trials.jsonl', '--json')
    expect(JSON.parse(more.stdout).rows.slice(0, rows.length)).toEqual(rows)
    expect(linesOf('trials.jsonl')).toBe(1 + 3 * 4)
    expect(one.stdout).toMatch(
      /^one-daily: 40 pages, 10 steps, 1 seed, tfidf\n\nLoss by that of uniform, .* over the queries$/m,
    )
    expect(one.stdout).toMatch(new RegExp(`^${DEFAULT_POLICY} +signals +\\d`, 'm'))
  })

  it('is refused beside a folder, with links, or by another name', async () => {
    expect(await complaint(...world, ...at('site'))).toMatchObject(saying('cannot be used with option .--data'))
    expect(await complaint(...world, '--scoring', 'inlinks')).toMatchObject(saying('has no inlinks to score by'))
    expect(await complaint('--world', 'mars')).toMatchObject(
      saying('Allowed choices are all-churn, .*shifting-workload'),
    )
    expect(await complaint(...world, '--seeds', '0')).toMatchObject(saying('a whole number from 1'))
  })
})

describe('freshdex lab quality, called wrongly', () => {
  it('says what budgets, modes, rates and policies are', async () => {
    for (const budgets of ['0%', '1%,0%', '101%', '5', '0.05', 'all', '', '1%;2%', '-1%'])
      expect(await complaint(...at('site'), `--budgets=${budgets}`)).toMatchObject(
        saying('above 0% and at most 100%, such as'),
      )
    for (const [options, pattern] of [
      [['--mode', 'never'], 'one or several of offline, online, signals'],
      [['--policies', 'best'], 'unknown policy "best"; known: uniform, .*, oracle'],
      [['--policies', 'sbr', '--mode', 'online'], 'the policy sbr has no mode .*online.*; it has offline'],
      [['--scoring', 'best'], 'Allowed choices are tfidf, bm25, inlinks'],
      [['--miss-rate', '0.5'], 'a share from 0% to 100%'],
      [['--queries', '0'], 'a whole number from 1'],
      [['--workers', '0'], 'a whole number from 1'],
      [['--seed', '-1'], 'a whole number from 0'],
    ] as const)
      expect(await complaint(...at('site'), ...options)).toMatchObject(saying(pattern))
    expect(await complaint()).toMatchObject(saying('a world is needed: --data <folder>, or --world <name>'))
    // As a program: one of those that the command line refuses, and one that the library does.
    const [budgets, policies] = await Promise.all([
      lab('--data', 'site', '--budgets', '5'),
      lab('--data', 'site', '--policies', 'best'),
    ])
    expect(budgets).toEqual(refused('above 0% and at most 100%, such as'))
    expect(policies).toEqual(refused('unknown policy "best"; known: uniform, .*, oracle'))
  })

  it('does not begin what it could not end', async () => {
    const before = readdirSync(place.folder)
    expect(await lab('--data', 'site', '--report', 'no/such/report.html')).toEqual(
      refused('There is no folder no/such'),
    )
    for (const option of ['--report', '--resume'])
      expect(await complaint(...at('site'), option, place.path('site'))).toMatchObject(
        saying('It must be the path of a file'),
      )
    expect(readdirSync(place.folder)).toEqual(before)
  })
})

describe('freshdex lab quality, on a folder that', () => {
  const quick = ['--budgets', '10%', '--policies', 'uniform', '--report', place.path('never.html')]

  it('is not there or lacks a file, names it', async () => {
    expect(await lab('--data', 'nowhere', ...quick)).toEqual(refused('nowhere', 1))
    expect(await complaint(...at('nowhere'), ...quick, '--resume', place.path('never.jsonl'))).toMatchObject({
      code: 'IO',
      ...saying('nowhere'),
    })
    for (const [file, options] of [
      ['queries.tsv', []],
      ['weeks.tsv', []],
      ['links.ndjson.gz', ['--scoring', 'inlinks']],
    ] as const) {
      const copy = `without ${file}`
      cpSync(place.path('site'), place.path(copy), { recursive: true })
      rmSync(place.path(`${copy}/${file}`))
      expect(await complaint(...at(copy), ...quick, ...options)).toMatchObject({
        code: 'IO',
        ...saying(`there is no file .*${file}`),
      })
    }
    expect([existsSync(place.path('never.html')), existsSync(place.path('never.jsonl'))]).toEqual([false, false])
  })

  it('is damaged, names file and line', async () => {
    const damages: [string, string, (content: Buffer) => Buffer | string, string][] = [
      [
        'cut',
        'pages.ndjson.gz',
        (content) => content.subarray(0, content.length / 2),
        'pages\\.ndjson\\.gz: it is damaged',
      ],
      ['no gzip', 'pages.ndjson.gz', () => 'pages', 'pages\\.ndjson\\.gz'],
      ['no JSON', 'pages.ndjson.gz', byLines((lines) => lines.with(2, '{')), 'line 3 of .*pages\\.ndjson\\.gz'],
      [
        'order',
        'pages.ndjson.gz',
        byLines(([first = '', ...lines]) => [first, lines.at(-1) ?? '', ...lines]),
        'line 3 of .*week 0 comes after week 8',
      ],
      ['start', 'pages.ndjson.gz', byLines((lines) => lines.toReversed()), 'line 1 of .*week 0 must come first'],
      ['weeks', 'weeks.tsv', (content) => swapLines(content.toString()), 'weeks\\.tsv'],
      [
        'late',
        'weeks.tsv',
        (content) => content.toString().split('\n').slice(0, 4).join('\n'),
        'is not among the 3 weeks',
      ],
      ['silent', 'queries.tsv', () => '', 'queries\\.tsv: it holds no query'],
      ['counts', 'queries.tsv', () => 'ferry\tmany\n', 'queries\\.tsv'],
    ]
    for (const [name, file, change, pattern] of damages) {
      spoiled(place.path('site'), place.path(name), file, change)
      const { code, message } = await complaint(...at(name), ...quick)
      expect({ name, code, message }).toEqual({ name, code: 'CORRUPT', ...saying(pattern) })
    }
    const [name, , , pattern] = damages[0]!
    expect(await lab('--data', name, ...quick)).toEqual(refused(`${pattern}.*\\(CORRUPT\\)`, 1))
  })

  it('never changes, says so', async () => {
    await writeLabFolder(place.path('still'), { isStill: true })
    await writeLabFolder(place.path('single'), { steps: 1 })
    await Promise.all([expectNothing('still', 'Nothing is ever lost'), expectNothing('single', 'one step only')])
  })

  async function expectNothing(name: string, pattern: string): Promise<void> {
    const args = ['--data', name, '--budgets', '10%', '--policies', 'uniform,oracle', '--report', `${name}.html`]
    const { status, stdout, stderr } = await lab(...args)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain(pattern)
    expect(readFileSync(place.path(`${name}.html`), 'utf8')).toContain(pattern)
    const { rows, needed, untouchedQuality } = JSON.parse((await lab(...args, '--json')).stdout)
    expect(untouchedQuality).toBe(1)
    expect(rows[0]).toMatchObject({ meanQuality: 1, minQuality: 1, lossShare: null, interval: null })
    expect(needed[0]).toMatchObject({ budget: null })
  }

  it('has queries that nothing answers, says so', async () => {
    spoiled(place.path('site'), place.path('unanswered'), 'queries.tsv', () => 'zzzz\t3\nqqqq wwww\t2\n')
    const { status, stdout } = await lab('--data', 'unanswered', ...quick)
    expect([status, stdout]).toEqual([0, expect.stringContaining('Nothing is ever lost')])
  })
})

function linesOf(name: string): number {
  return existsSync(place.path(name)) ? readFileSync(place.path(name), 'utf8').split('\n').length - 1 : 0
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

function swapLines(text: string): string {
  const lines = text.split('\n')
  return lines
    .with(2, lines[3] ?? '')
    .with(3, lines[2] ?? '')
    .join('\n')
}
