import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byLines, spoiled, writeLabFolder } from './lab-folder.js'
import { ending, refused, Workplace } from './program.js'

const place = new Workplace()
const small = ['--data', 'site', '--budgets', '2%,10%', '--policies', 'uniform,user-centric-full-exact,stake,oracle']
const run = ['lab', 'quality', ...small, '--mode', 'offline,online']

beforeAll(() => writeLabFolder(place.path('site')))
afterAll(() => place.remove())

function lab(...args: readonly string[]) {
  return place.run('lab', 'quality', ...args)
}

interface Row {
  readonly policy: string
  readonly mode: string
  readonly budget: number
  readonly budgetShare: number
  readonly meanQuality: number
  readonly minQuality: number
  readonly lossShare: number | null
}

describe('freshdex lab quality', () => {
  let whole = ''

  beforeAll(async () => {
    const { status, stdout, stderr } = await place.run(...run, '--json', '--report', 'whole.html')
    expect([status, stderr]).toEqual([0, ''])
    whole = stdout
  })

  it('prints a row for each mode, policy and budget, and the budgets needed', () => {
    const { rows, needed, pages, queries, untouchedQuality, ...rest } = JSON.parse(whole)
    expect(queries).toBeGreaterThan(20)
    expect(rest).toEqual({
      ...{ data: 'site', scoring: 'tfidf', steps: 9, seed: 1 },
      signals: { missRate: 0, falseAlarmRate: 0 },
    })
    expect((rows as Row[]).map(({ policy, mode, budgetShare }) => [mode, policy, budgetShare])).toEqual(
      [
        ...['uniform', 'user-centric-full-exact', 'oracle'].map((policy) => ['offline', policy]),
        ...['uniform', 'stake', 'oracle'].map((policy) => ['online', policy]),
      ].flatMap((run) => [0.02, 0.1].map((share) => [...run, share])),
    )
    for (const { policy, budget, budgetShare, meanQuality, minQuality, lossShare } of rows as Row[]) {
      expect(budget).toBeCloseTo(budgetShare * pages, 9)
      expect(minQuality).toBeLessThanOrEqual(meanQuality)
      expect(lossShare).toBeCloseTo((1 - meanQuality) / (1 - untouchedQuality), 12)
      const best = rows.find((row: Row) => row.policy === 'oracle' && row.budgetShare === budgetShare)
      expect([policy, meanQuality <= best.meanQuality + 1e-12]).toEqual([policy, true])
    }
    expect(needed).toHaveLength(6 * 3)
    expect(needed[0]).toMatchObject({ policy: 'uniform', mode: 'offline', share: 0.5 })
  })

  it('gives the same bytes whatever the number of threads, from a file of results and without', async () => {
    const again = [...run, '--json', '--report', 'again.html', '--resume', 'again.jsonl']
    for (const workers of ['1', '3']) {
      rmSync(place.path('again.jsonl'), { force: true })
      expect(await place.run(...again, '--workers', workers)).toEqual({ status: 0, stdout: whole, stderr: '' })
      expect(readFileSync(place.path('again.html'), 'utf8')).toBe(readFileSync(place.path('whole.html'), 'utf8'))
    }
    const results = readFileSync(place.path('again.jsonl'), 'utf8')
    expect((await place.run(...again)).stdout).toBe(whole)
    expect(readFileSync(place.path('again.jsonl'), 'utf8')).toBe(results)
  })

  it('goes on where it was stopped', async () => {
    const again = [...run, '--json', '--resume', 'stopped.jsonl']
    await place.run(...again)
    const lines = readFileSync(place.path('stopped.jsonl'), 'utf8').split('\n')
    writeFileSync(place.path('stopped.jsonl'), `${lines.slice(0, 6).join('\n')}\n${lines[6]?.slice(0, 40)}`)
    expect(await place.run(...again)).toEqual({ status: 0, stdout: whole, stderr: '' })
    expect(readFileSync(place.path('stopped.jsonl'), 'utf8').split('\n')).toHaveLength(lines.length)
    // More policies of the same world go to the same file.
    const more = ['--data', 'site', '--budgets', '2%', '--policies', 'random', '--resume', 'stopped.jsonl']
    expect((await lab(...more)).status).toBe(0)
    expect(readFileSync(place.path('stopped.jsonl'), 'utf8').split('\n')).toHaveLength(lines.length + 1)
  })

  it('can be interrupted, and then goes on', async () => {
    const again = [...run, '--json', '--workers', '1', '--resume', 'half.jsonl']
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
    expect(await lab(...again, '--seed', '2')).toEqual(refused('seed is 1 there and 2 here \\(MISMATCH\\)', 1))
    cpSync(place.path('site'), place.path('site2'), { recursive: true })
    appendFileSync(place.path('site2/queries.tsv'), 'another\t1\n')
    expect(await lab(...again, '--data', 'site2')).toEqual(refused('data is .* there and .* here \\(MISMATCH\\)', 1))
    writeFileSync(place.path('notes.txt'), 'my notes\n')
    expect(await lab(...again, '--resume', 'notes.txt')).toEqual(refused('notes\\.txt is no file of results', 1))
    expect(readFileSync(place.path('notes.txt'), 'utf8')).toBe('my notes\n')
    expect(readFileSync(place.path('mine.jsonl'), 'utf8')).toBe(before)
    // A note beside the files of the world changes nothing.
    writeFileSync(place.path('site/NOTES.md'), 'a note')
    expect((await lab(...again)).status).toBe(0)
  })

  it('tells people the same in tables, and all of it in a report', async () => {
    const { stdout } = await place.run(...run)
    expect(stdout).toMatch(
      /^site: \d+ pages, 9 steps, \d+ queries, tfidf; quality 0\.\d{5} when nothing is refreshed\n/,
    )
    expect(stdout).toMatch(/^policy +mode +2% +10%$/m)
    expect(stdout).toMatch(/^uniform +online +0\.\d{5} +0\.\d{5}$/m)
    expect(stdout).toMatch(/^policy +mode +to remove 50% +to remove 75% +to remove 90%$/m)
    const html = readFileSync(place.path('whole.html'), 'utf8')
    // Quality, budget and loss, for two modes.
    expect(html.match(/<svg/g)).toHaveLength(6)
    expect(html).toContain('Budget for a level of quality, offline (Figure 4)')
    expect(html).not.toMatch(/NaN|Infinity|undefined|<script/)
  })

  it('scores by inlinks and by bm25, with signals that fail', async () => {
    for (const scoring of ['inlinks', 'bm25']) {
      const options = ['--mode', 'signals', '--miss-rate', '20%', '--false-alarm-rate', '1.5%', '--scoring', scoring]
      const { status, stdout, stderr } = await lab('--data', 'site', '--budgets', '5%', ...options, '--json')
      expect([status, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout)).toMatchObject({ scoring, signals: { missRate: 0.2, falseAlarmRate: 0.015 } })
      expect(JSON.parse(stdout).rows.length).toBeGreaterThan(3)
    }
  })
})

describe('freshdex lab quality, called wrongly', () => {
  it('says what budgets, modes, rates and policies are', async () => {
    for (const budgets of ['0%', '1%,0%', '101%', '5', '0.05', 'all', '', '1%;2%', '-1%'])
      expect(await lab('--data', 'site', `--budgets=${budgets}`)).toEqual(refused('above 0% and at most 100%, such as'))
    expect(await lab('--data', 'site', '--mode', 'never')).toEqual(
      refused('one or several of offline, online, signals'),
    )
    expect(await lab('--data', 'site', '--policies', 'best')).toEqual(
      refused('unknown policy "best"; known: uniform, .*, oracle'),
    )
    expect(await lab('--data', 'site', '--policies', 'sbr', '--mode', 'online')).toEqual(
      refused('the policy sbr has no mode .*online.*; it has offline'),
    )
    expect(await lab('--data', 'site', '--scoring', 'best')).toEqual(
      refused('Allowed choices are tfidf, bm25, inlinks'),
    )
    expect(await lab('--data', 'site', '--miss-rate', '0.5')).toEqual(refused('a share from 0% to 100%'))
    expect(await lab('--data', 'site', '--queries', '0')).toEqual(refused('a whole number from 1'))
    expect(await lab('--data', 'site', '--workers', '0')).toEqual(refused('a whole number from 1'))
    expect(await lab('--data', 'site', '--seed', '-1')).toEqual(refused('a whole number from 0'))
    expect(await lab()).toEqual(refused("required option '--data <folder>' not specified"))
  })

  it('does not begin what it could not end', async () => {
    const before = readdirSync(place.folder)
    expect(await lab('--data', 'site', '--report', 'no/such/report.html')).toEqual(
      refused('There is no folder no/such'),
    )
    expect(await lab('--data', 'site', '--report', 'site')).toEqual(refused('It must be the path of a file'))
    expect(await lab('--data', 'site', '--resume', 'site')).toEqual(refused('It must be the path of a file'))
    expect(readdirSync(place.folder)).toEqual(before)
  })
})

describe('freshdex lab quality, on a folder that', () => {
  const quick = ['--budgets', '10%', '--policies', 'uniform', '--report', 'never.html']

  it('is not there or lacks a file, names it', async () => {
    expect(await lab('--data', 'nowhere', ...quick)).toEqual(refused('nowhere', 1))
    expect(await lab('--data', 'nowhere', ...quick, '--resume', 'never.jsonl')).toEqual(refused('nowhere.*\\(IO\\)', 1))
    for (const [file, options] of [
      ['queries.tsv', []],
      ['weeks.tsv', []],
      ['links.ndjson.gz', ['--scoring', 'inlinks']],
    ] as const) {
      const copy = `without ${file}`
      cpSync(place.path('site'), place.path(copy), { recursive: true })
      rmSync(place.path(`${copy}/${file}`))
      expect(await lab('--data', copy, ...quick, ...options)).toEqual(refused(`there is no file .*${file} \\(IO\\)`, 1))
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
      const end = await lab('--data', name, ...quick)
      expect({ name, ...end }).toEqual({ name, ...refused(`${pattern}.*\\(CORRUPT\\)`, 1) })
    }
  })

  it('never changes, says so', async () => {
    await writeLabFolder(place.path('still'), { isStill: true })
    await writeLabFolder(place.path('single'), { steps: 1 })
    for (const [name, pattern] of [
      ['still', 'Nothing is ever lost'],
      ['single', 'one step only'],
    ] as const) {
      const args = ['--data', name, '--budgets', '10%', '--policies', 'uniform,oracle', '--report', `${name}.html`]
      const { status, stdout, stderr } = await lab(...args)
      expect([status, stderr]).toEqual([0, ''])
      expect(stdout).toContain(pattern)
      expect(readFileSync(place.path(`${name}.html`), 'utf8')).toContain(pattern)
      const { rows, needed, untouchedQuality } = JSON.parse((await lab(...args, '--json')).stdout)
      expect(untouchedQuality).toBe(1)
      expect(rows[0]).toMatchObject({ meanQuality: 1, minQuality: 1, lossShare: null })
      expect(needed[0]).toMatchObject({ budget: null })
    }
  })

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
