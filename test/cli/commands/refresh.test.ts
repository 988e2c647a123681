/** The commands about refreshes: next, explain, observe, and what search, index and stats say of them. */
import { existsSync, writeFileSync } from 'node:fs'
import { Freshdex, POLICY_CARDS } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { jsonLines, PAGE_OPTIONS, PAGES, refused } from '../program.js'
import { CHANGED, DAY_MS, newPagesForEach, START } from './refreshed-pages.js'

const pages = newPagesForEach()
const { place } = pages

describe('freshdex next', () => {
  it('lists priority, stake, gain, the gain of all so far, probability, age and page, then says why', async () => {
    const { status, stdout, stderr } = await place.run('next', pages.name, '--budget', '2', '--at', '2026-11-10')
    expect([status, stderr]).toEqual([0, ''])
    const [header, first, second, empty, sentence, basis] = stdout.split('\n')
    expect(header).toMatch(/^rank +priority +stake +gain +together +current +age +page$/)
    expect(first).toMatch(/^ +1 +100 +[\d.]+% +([\d.]+%) +\1 +[\d.]+% +9 days +\/ferry$/)
    expect(second).toMatch(/^ +2 +[\d.]+( +[\d.]+%){4} +(6 days +\/harbour|9 days +\/market)$/)
    expect(empty).toBe('')
    expect(sentence).toMatch(/^These 2 pages recover \d+% of what can be gained now\.$/)
    expect(basis).toBe('As of 2026-11-10T00:00:00.000Z, by the policy quality-utility; its best priority is 100.')
    expect(stdout).toMatch(/\n\n1\. \/ferry\n {4}\S.*\n/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
  })

  it('prints one JSON document with what the library says', async () => {
    const at = START + 9 * DAY_MS
    const { status, stdout, stderr } = await place.run(
      'next',
      pages.name,
      '--budget',
      '5',
      '--at',
      String(at),
      '--json',
    )
    expect([status, stderr]).toEqual([0, ''])
    const advice = await pages.ask((index) => index.refresh.next({ budget: 5, at }))
    expect(advice.pages).toHaveLength(3)
    expect(JSON.parse(stdout)).toEqual({ at, policy: 'quality-utility', ...advice })
  })

  it('takes a query, a limit per host and a policy', async () => {
    const at = START + 9 * DAY_MS
    const options = ['--where', 'ferry', '--per-host', '2', '--policy', 'oldest-first', '--at', '2026-11-10T00:00Z']
    const { stdout } = await place.run('next', pages.name, '--budget', '5', ...options, '--json')
    const asked = { budget: 5, at, where: 'ferry', perHost: 2, policy: 'oldest-first' } as const
    const advice = await pages.ask((index) => index.refresh.next(asked))
    expect(advice.pages).toHaveLength(2)
    expect(JSON.parse(stdout)).toEqual({ at, policy: 'oldest-first', ...advice })
  })

  it('decides for now unless told, while another process writes', async () => {
    const writer = await Freshdex.open(place.path(pages.name))
    const before = Date.now()
    const { status, stdout } = await place.runProcess('next', pages.name, '--budget', '0', '--json')
    expect(status).toBe(0)
    const { at, pages: named } = JSON.parse(stdout)
    expect(at).toBeGreaterThanOrEqual(before)
    expect(at).toBeLessThanOrEqual(Date.now())
    expect(named).toEqual([])
    await writer.close()
  })

  it('takes a share of the documents for a budget, and prints plain keys for pipes', async () => {
    const keys = async (...args: string[]) => (await place.run('next', pages.name, '--keys', ...args)).stdout
    expect((await keys('--budget', '1%', '--at', '2026-11-10')).split('\n')).toHaveLength(1 + 1)
    const all = await keys('--budget', '100%', '--at', '2026-11-10')
    expect(all.trimEnd().split('\n').sort()).toEqual(['/ferry', '/harbour', '/market'])
    const planned = await place.run('plan', pages.name, '--budget', '40%', '--at', '2026-11-10', '--keys')
    expect(planned.stdout.trimEnd().split('\n')).toHaveLength(2)
  })

  it('names the command that helps where no query is known, and where there is no document', async () => {
    const bare = `${pages.name}-bare`
    await place.feed('', 'index', bare, ...PAGE_OPTIONS)
    const empty = await place.run('next', bare, '--budget', '3')
    expect(empty).toMatchObject({ status: 0, stderr: '' })
    expect(empty.stdout).toBe(`There are no documents yet. To write some: freshdex index ${bare} FILE\n`)
    await place.feed(jsonLines(PAGES), 'index', bare, '--at', '30d')
    const { stdout } = await place.run('next', bare, '--budget', '3')
    const words = stdout.replaceAll(/\s+/g, ' ')
    expect(words).toContain('3 pages, by age and history alone. No queries are known, so all pages count alike.')
    expect(words).toContain(`freshdex workload import ${bare} FILE, or searches with freshdex search ${bare} WORDS`)
    expect(words).not.toContain('workload.record')
  })

  it('leaves out what was refreshed lately, an hour unless told, and waits as long as it is told', async () => {
    const fresh = `${pages.name}-fresh`
    await place.feed(jsonLines(PAGES), 'index', fresh, ...PAGE_OPTIONS)
    const keys = async (...args: string[]) =>
      (await place.run('next', fresh, '--budget', '9', '--keys', ...args)).stdout
    expect(await keys()).toBe('')
    expect((await keys('--min-interval', '0.001s', '--wait', '2s')).trim().split('\n')).toHaveLength(3)
  })

  it('takes how long ago for a moment', async () => {
    const before = Date.now()
    const { stdout } = await place.run('next', pages.name, '--budget', '0', '--at', '2d', '--json')
    const { at } = JSON.parse(stdout) as { at: number }
    expect(at + 2 * DAY_MS).toBeGreaterThanOrEqual(before)
    expect(at + 2 * DAY_MS).toBeLessThanOrEqual(Date.now())
  })

  it('names nothing without failing', async () => {
    expect(await place.run('next', pages.name, '--budget', '3', '--where', 'submarine', '--at', '2026-11-10')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^No page is named: /),
      stderr: '',
    })
  })

  it.each([
    ['no budget', [], '--budget'],
    ['a budget that is none', ['--budget', '-1'], 'a number, or a share'],
    ['a host without a share', ['--budget', '1', '--per-host', '0'], 'whole number from 1'],
    ['an unknown policy', ['--budget', '1', '--policy', 'random'], 'It must be one of quality-utility'],
    ['an option that a policy has not', ['--budget', '1', '--policy', 'longevity-curve:x=1'], 'threshold, risk'],
    ['an option out of range', ['--budget', '1', '--policy', 'longevity-curve:risk=0'], 'risk must be'],
    ['a day that never was', ['--budget', '1', '--at', '2026-02-31'], 'It must be a time'],
  ])('takes %s for wrong usage', async (_, args, message) => {
    expect(await place.run('next', pages.name, ...args)).toEqual(refused(message))
  })
})

describe('freshdex policies', () => {
  it('tells of each policy what it is for, its formula, its bytes and where it comes from', async () => {
    const { status, stdout, stderr } = await place.run('policies')
    expect([status, stderr]).toEqual([0, ''])
    const told = stdout.split('\n\n')
    expect(told).toHaveLength(POLICY_CARDS.length)
    POLICY_CARDS.forEach(({ name, purpose, formula, bytesPerPage, paper, options }, at) => {
      const lines = told[at]!.trimEnd().split('\n')
      expect(lines[0]).toBe(name === 'quality-utility' ? `${name} (default)` : name)
      expect(lines.slice(1)).toEqual([
        `  ${purpose}`,
        `  priority  ${formula}`,
        `  reads     ${bytesPerPage} bytes a page`,
        ...(paper === '-' ? [] : [`  from      ${paper}`]),
        ...(options.length === 0 ? [] : [expect.stringMatching(/^ {2}options {3}[a-z-]+(, [a-z-]+)*$/)]),
      ])
    })
  })

  it('tells of one policy what its options are, and next takes them', async () => {
    const { stdout } = await place.run('policies', 'longevity-curve')
    expect(stdout).toMatch(/^longevity-curve\n/)
    expect(stdout).toMatch(/\nrisk +100 +a number +rho: /)
    expect(stdout).toMatch(/\nlearning +3 +a number +l: /)
    expect(stdout).toContain('--policy longevity-curve:threshold=1d')
    const policy = 'longevity-curve:risk=3,learning=1d'
    const told = await place.run(
      'next',
      pages.name,
      '--budget',
      '1',
      '--at',
      '2026-12-24',
      '--policy',
      policy,
      '--json',
    )
    expect(JSON.parse(told.stdout).policy).toEqual({ name: 'longevity-curve', risk: 3, learningMs: 86_400_000 })
    expect((await place.run('policies', 'oldest-first')).stdout).toContain('\n  options   none\n')
  })

  it('prints the cards as JSON, and next takes each of them', async () => {
    const { stdout } = await place.run('policies', '--json')
    expect(JSON.parse(stdout)).toEqual({ default: 'quality-utility', policies: POLICY_CARDS })
    for (const { name } of POLICY_CARDS) {
      const told = await place.run('next', pages.name, '--budget', '1', '--at', '2026-12-24', '--policy', name)
      expect([told.status, told.stderr, told.stdout.includes(`by the policy ${name};`)]).toEqual([0, '', true])
    }
  })
})

describe('freshdex explain', () => {
  it('tells why, in words', async () => {
    const { status, stdout, stderr } = await place.run('explain', pages.name, '/harbour', '--at', '2026-11-10')
    expect([status, stderr]).toEqual([0, ''])
    const [sentences = ''] = stdout.split('\n\n')
    expect(sentences.replaceAll('\n', ' ')).toMatch(
      /^.*arries [\d.]+% of today's answers\. Last fetched 6 days ago; changed at its only visit; the copy is .*\.$/,
    )
    expect(stdout).toMatch(/\n\n\/harbour\n +age +6 days, last refreshed at 2026-11-04T00:00:00\.000Z$/m)
    expect(stdout).toMatch(/^ +current +with a probability of [\d.]+%$/m)
    expect(stdout).toMatch(/^ +stake +[\d.]+% of the answers of today$/m)
    expect(stdout).toMatch(/^ +known since +2026-11-01T00:00:00\.000Z$/m)
    expect(stdout).toMatch(/^ +refreshes +1, of which 1 brought a change$/m)
    expect(stdout).toMatch(/^The priority by quality-utility: [\d.]+ = \(gain if it has changed\) × \(days of stale/m)
    expect(stdout).toMatch(/^ +age +6 days$/m)
    expect(stdout).toMatch(/^ +after 3 days +gained as much as [\d.]+% of what refreshing everything now would gain$/m)
    expect(stdout).toMatch(/^ +share +rank +query\n +100% +none → 2 +ferry$/m)
    expect(stdout).toMatch(
      /^The queries that make its stake\n +rank +asked +share +query\n +\d +40 times +100% +ferry$/m,
    )
    // Neither names of code nor numbers that nobody can read.
    expect(stdout).not.toMatch(/[a-z][A-Z]|\de[-+]?\d|NaN|undefined/)
  })

  it('tells of failures, and where no query gained', async () => {
    await place.run('observe', pages.name, '/market', '--outcome', 'error', '--at', '2026-11-09')
    const { stdout } = await place.run('explain', pages.name, '/market', '--at', '2026-11-10')
    expect(stdout).toMatch(/^ +last outcome +error$/m)
    expect(stdout).toMatch(/^ +failures +1 attempt since the last success$/m)
    expect(stdout).toMatch(/\n\nNo known query gained by its last change\.\n\n/)
    expect(stdout).not.toContain('newest first')
  })

  it('prints one JSON document with what the library says', async () => {
    const at = START + 9 * DAY_MS
    const options = ['--policy', 'user-centric', '--at', String(at), '--json']
    const { status, stdout, stderr } = await place.run('explain', pages.name, '/harbour', ...options)
    expect([status, stderr]).toEqual([0, ''])
    const expected = await pages.ask((index) => index.refresh.explain('/harbour', { at, policy: 'user-centric' }))
    expect(expected?.queries).toMatchObject([{ query: 'ferry', rankAfter: 2 }])
    // Weights decay between the two questions.
    const queries = expected?.queries.map((effect) => ({ ...effect, weight: expect.closeTo(effect.weight ?? 0, 2) }))
    const stakeQueries = expected?.stakeQueries.map((each) => ({ ...each, weight: expect.closeTo(each.weight, 2) }))
    expect(stakeQueries).toMatchObject([{ query: 'ferry', rank1: expect.any(Number) }])
    expect(JSON.parse(stdout)).toEqual({ ...expected, queries, stakeQueries })
  })

  it('ends with status 1 when there is no such document', async () => {
    const stderr = 'freshdex: no document has the key "/inn"\n'
    expect(await place.run('explain', pages.name, '/inn')).toEqual({ status: 1, stdout: '', stderr })
    expect(await place.run('explain', pages.name, '/inn', '--json')).toEqual({ status: 1, stdout: 'null\n', stderr })
  })

  it('knows number keys from strings', async () => {
    await place.feed('{"id":7,"text":"x"}\n', 'index', `${pages.name}-numbers`, '--key', 'id', '--field', 'text')
    expect(await place.run('explain', `${pages.name}-numbers`, '7')).toMatchObject({ status: 1 })
    const { stdout } = await place.run('explain', `${pages.name}-numbers`, '7', '--number-key', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ key: 7, lastOutcome: 'new' })
    expect(await place.run('explain', `${pages.name}-numbers`, '7x', '--number-key')).toEqual(refused('whole number'))
  })
})

describe('freshdex observe', () => {
  it('records one observation', async () => {
    const options = ['--outcome', 'same', '--at', '2026-11-06']
    expect(await place.run('observe', pages.name, '/ferry', ...options)).toEqual({
      status: 0,
      stdout: '1 observation recorded\n',
      stderr: '',
    })
    expect(await pages.explained('/ferry')).toMatchObject({
      lastOutcome: 'same',
      refreshes: 1,
      refreshedAt: START + 5 * DAY_MS,
    })
  })

  it('records many at once, from a file or standard input', async () => {
    const lines = '\ufeff/ferry\tsame\r\n\r\n/market\tgone\t2026-11-07\r\n/harbour\terror\t1794268800000'
    const piped = await place.feed(lines, 'observe', pages.name, '--from', '-', '--at', '2026-11-06', '--json')
    expect(piped).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(piped.stdout)).toEqual({ observed: 3 })
    expect(await pages.explained('/ferry')).toMatchObject({ lastOutcome: 'same', refreshedAt: START + 5 * DAY_MS })
    expect(await pages.explained('/market')).toMatchObject({ lastOutcome: 'gone' })
    expect(await pages.explained('/harbour')).toMatchObject({ lastOutcome: 'error', errors: 1 })

    writeFileSync(place.path('found.tsv'), '/market\tchanged\n/market\tsame\n')
    const { stdout } = await place.run('observe', pages.name, '--from', 'found.tsv')
    expect(stdout).toBe('2 observations recorded\n')
    expect(await pages.explained('/market')).toMatchObject({ lastOutcome: 'same', refreshes: 2, changes: 1 })
  })

  it('takes number keys from lines', async () => {
    await place.feed('{"id":7,"text":"x"}\n', 'index', `${pages.name}-numbers`, '--key', 'id', '--field', 'text')
    const numbers = ['observe', `${pages.name}-numbers`, '--from', '-', '--number-key', '--json']
    expect(JSON.parse((await place.feed('7\tsame\n', ...numbers)).stdout)).toEqual({ observed: 1 })
    expect(await place.feed('seven\tsame\n', ...numbers)).toEqual(refused('line 1 of .*whole number', 1))
  })

  it('has nothing to record in an empty input', async () => {
    const { status, stdout, stderr } = await place.feed('', 'observe', pages.name, '--from', '-', '--json')
    expect([status, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({ observed: 0 })
  })

  it.each([
    ['without an outcome', '/market', 'it must be a key, a tab, an outcome'],
    ['with a word too many', '/market\tsame\t2026-11-07\tx', 'it must be a key, a tab, an outcome'],
    [
      'with an unknown outcome',
      '/market\tlost',
      'the outcome must be one of same, changed, gone, error, received "lost"',
    ],
    ['with a time that is none', '/market\tsame\tnoon', 'the time must be ISO 8601'],
    ['with an unknown key', '/inn\tsame', 'there is no document with the key "/inn"'],
    ['without a key', '\tsame', 'a key must not be empty.* .INVALID_KEY.'],
  ])('names a line %s by its number, and records nothing', async (_, line, message) => {
    const input = `/ferry\tsame\n\n${line}\n/harbour\tsame\n`
    const ended = await place.feed(input, 'observe', pages.name, '--from', '-', '--json')
    expect(ended).toEqual(refused(`line 3 of standard input: ${message}`, 1))
    expect(await pages.explained('/ferry')).toMatchObject({ lastOutcome: 'new', refreshes: 0 })
    expect(await pages.explained('/harbour')).toMatchObject({ refreshes: 1 })
  })

  it.each([
    ['neither a key nor lines', [], 'either a key or --from'],
    ['a key and lines', ['/ferry', '--outcome', 'same', '--from', '-'], 'either a key or --from'],
    ['a key without an outcome', ['/ferry'], 'go together'],
    ['lines with an outcome', ['--from', '-', '--outcome', 'same'], 'go together'],
    ['an unknown outcome', ['/ferry', '--outcome', 'lost'], 'Allowed choices'],
    ['a time that is none', ['/ferry', '--outcome', 'same', '--at', 'noon'], 'It must be a time'],
  ])('takes %s for wrong usage', async (_, args, message) => {
    expect(await place.run('observe', pages.name, ...args)).toEqual(refused(message))
    expect(await pages.explained('/ferry')).toMatchObject({ refreshes: 0 })
  })

  it('fails with an unknown key, a file that is not there, and while another process writes', async () => {
    const same = ['--outcome', 'same']
    expect(await place.run('observe', pages.name, '/inn', ...same)).toEqual(
      refused('no document with the key "/inn"', 1),
    )
    expect(await place.run('observe', pages.name, '--from', 'none.tsv')).toEqual(refused("'none.tsv' .ENOENT.", 1))
    expect(await place.run('observe', pages.name, '--from', '.')).toEqual(refused("'.' is a folder", 1))
    const writer = await Freshdex.open(place.path(pages.name))
    expect(await place.runProcess('observe', pages.name, '/ferry', ...same)).toEqual(refused('.LOCKED.', 1))
    await writer.close()
  })
})

describe('other commands', () => {
  it('search shows refresh priorities, and orders by them', async () => {
    const { status, stdout } = await place.run('search', pages.name, 'ferry', '--refresh', '--sort', 'priority')
    expect(status).toBe(0)
    const state =
      /^ {4}priority \S+, stake \S+%, expected gain \S+%, \d+ \w+ old, current with a probability of \S+%$/gm
    expect(stdout.match(state)).toHaveLength(3)
    const byPriority = ['search', pages.name, 'ferry', '--refresh', '--sort', 'priority', '--json']
    const { hits } = JSON.parse((await place.run(...byPriority)).stdout) as {
      hits: { refresh: { priority: number; ageMs: number; expectedGain: number } }[]
    }
    const priorities = hits.map(({ refresh }) => refresh.priority)
    expect(priorities).toEqual([...priorities].sort((a, b) => b - a))
    expect(priorities).toHaveLength(3)
    expect(await place.run('search', pages.name, 'ferry', '--sort', 'age')).toEqual(refused('It must be score'))
  })

  it('index says when documents were fetched, what measuring took and what was gained', async () => {
    const better = jsonLines([{ ...CHANGED, title: 'Ferry, ferry, ferry', body: 'Ferry.' }])
    const told = await place.feed(better, 'index', pages.name, '--at', '2026-11-08T12:00Z')
    expect(told).toMatchObject({ status: 0, stderr: '' })
    const [written, measuring, ...gained] = told.stdout.split('\n')
    expect(written).toMatch(/^1 document written: .+$/)
    expect(measuring).toMatch(/^measuring took \S+ .s beside \S+ .s of indexing, \S+%$/)
    expect(gained).toEqual(['the largest gains, as shares of what all documents gained', '  100%  /harbour', ''])
    expect(await pages.explained('/harbour')).toMatchObject({ refreshedAt: START + 7.5 * DAY_MS })
    const { stdout } = await place.feed(jsonLines([CHANGED]), 'index', pages.name, '--at', '2026-11-09', '--json')
    const { overhead, gains } = JSON.parse(stdout)
    const { indexUs, measureUs, fitUs, ledgerUs, ratio } = overhead
    expect(ratio).toBeCloseTo((measureUs + fitUs + ledgerUs) / indexUs)
    expect(measureUs).toBeGreaterThan(0)
    const { lastDeltaQuality = Number.NaN } = (await pages.explained('/harbour')) ?? {}
    // The ledger keeps 32-bit floats.
    expect(gains).toEqual([{ key: '/harbour', deltaQuality: expect.closeTo(lastDeltaQuality, 5) }])
  })

  it('stats shows workload and ledger', async () => {
    const { stdout } = await place.run('stats', pages.name)
    expect(stdout).toMatch(/^What people search for\n {2}queries +2 of at most 10,000$/m)
    expect(stdout).toMatch(/^What is known of refreshes\n {2}histories +of 3 documents, 271 bytes each$/m)
    const words = stdout.replace(/^ {2}folder .*$/m, '')
    expect(words).not.toMatch(/[a-z][A-Z]{2,}|[a-z][A-Z][a-z]|\de[-+]?\d|NaN|undefined/)
  })

  it('stats shows how documents change', async () => {
    const told = await place.run('stats', pages.name, '--change')
    expect(told.stdout).toMatch(/^still +\d documents?, /m)
    expect(told.stdout).toMatch(/^not known yet +\d documents?, /m)
    const { stdout } = await place.run('stats', pages.name, '--change', '--json')
    const { change } = JSON.parse(stdout)
    expect(change.documents).toBe(3)
    expect(Object.values(change.kinds as Record<string, number>).reduce((sum, number) => sum + number, 0)).toBe(3)
    expect(JSON.parse((await place.run('stats', pages.name, '--json')).stdout)).not.toHaveProperty('change')
  })

  it.each([
    ['next', ['next', 'nowhere', '--budget', '1']],
    ['explain', ['explain', 'nowhere', '/ferry', '--json']],
    ['observe', ['observe', 'nowhere', '/ferry', '--outcome', 'same']],
    ['workload import', ['workload', 'import', 'nowhere', '-']],
    ['workload show', ['workload', 'show', 'nowhere', '--json']],
  ])('%s fails where there is no index, and makes none', async (_, args) => {
    expect(await place.run(...args)).toEqual(refused('.NOT_FOUND.', 1))
    expect(existsSync(place.path('nowhere'))).toBe(false)
  })

  it('an index made by the program has all of it too', async () => {
    const made = `${pages.name}-made`
    await place.feed(jsonLines(PAGES), 'index', made, ...PAGE_OPTIONS, '--at', '2026-11-01')
    await place.feed('ferry\t40\n', 'workload', 'import', made, '-')
    await place.feed(jsonLines([CHANGED]), 'index', made, '--at', '2026-11-04')
    const { stdout } = await place.run('explain', made, '/harbour', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      changes: 1,
      queries: [{ query: 'ferry', weight: expect.closeTo(40, 2) }],
    })
  })
})
