import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Freshdex } from 'freshdex'
import { afterAll, describe, expect, it } from 'vitest'
import { ending, jsonLines, PAGE_OPTIONS, PAGES, Workplace } from '../program.js'

const place = new Workplace()

afterAll(() => place.remove())

async function openIndex(name: string): Promise<Freshdex<Record<string, unknown>>> {
  return Freshdex.open(place.path(name), { readOnly: true })
}

describe('freshdex index', () => {
  it('makes an index from files and standard input, and needs no description the next time', async () => {
    const [first, second, third] = PAGES
    place.write('one.jsonl', [first])
    place.write('two.jsonl', [third])
    const made = await place.feed(jsonLines([second]), 'index', 'pages', 'one.jsonl', '-', 'two.jsonl', ...PAGE_OPTIONS)
    expect(made).toMatchObject({ status: 0, stderr: '' })
    expect(made.stdout).toMatch(/^3 documents written: 3 added, 0 replaced, 0 unchanged; [\d.]+ [mµ]?s\n$/)

    const changed = jsonLines([first, { ...second, body: 'Closed.' }])
    const again = await place.feed(changed, 'index', 'pages', '--json')
    expect(again).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(again.stdout)).toEqual({
      documents: 2,
      added: 0,
      replaced: 1,
      unchanged: 1,
      removed: 0,
      missing: 0,
      batches: 1,
      skipped: 0,
      errors: [],
      overhead: {
        ...{ indexUs: expect.any(Number), measureUs: 0, fitUs: 0, ledgerUs: expect.any(Number) },
        ...{ ratio: expect.any(Number), skippedWeight: 0 },
      },
      gains: [],
      interrupted: false,
      elapsedMs: expect.any(Number),
    })

    const index = await openIndex('pages')
    expect(PAGES.map(({ url }) => index.get(url)?.body)).toEqual([first?.body, 'Closed.', third?.body])
    expect(index.stats().analyzer.name).toBe('english')
    await index.close()
  })

  it('keeps nothing of refreshes with --no-prioritizer', async () => {
    const made = await place.feed(jsonLines(PAGES), 'index', 'plain', '--no-prioritizer', '--json', ...PAGE_OPTIONS)
    expect(made).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(made.stdout)).toMatchObject({ added: PAGES.length, gains: [] })
    const index = await Freshdex.open(place.path('plain'), { prioritizer: false })
    expect(index.stats()).toMatchObject({ documents: PAGES.length, ledger: { documents: 0 } })
    await index.close()
    expect(await place.run('check', 'plain')).toMatchObject({ status: 0 })
  })

  it('passes every option of a new index on', async () => {
    const description = [
      ...['--key', 'id', '--field', 'dc:title:0.5', '--field', 'text', '--analyzer', 'french', '--scoring', 'tfidf'],
      ...['--weight', 'links', '--store', 'text,links', '--durability', 'power'],
    ]
    const document = { id: 7, 'dc:title': 'Les chevaux', text: 'x', links: 3, secret: 'y' }
    expect(await place.feed(jsonLines([document]), 'index', 'special', ...description)).toMatchObject({ status: 0 })
    const index = await openIndex('special')
    expect(index.get(7)).toEqual({ id: 7, text: 'x', links: 3 })
    expect(index.search('cheval', { explain: true }).hits).toMatchObject([
      { key: 7, explain: { weight: 3, terms: [{ field: 'dc:title', boost: 0.5 }] } },
    ])
    expect(index.stats().analyzer.name).toBe('french')
    await index.close()
    expect(await place.feed('', 'index', 'special', '--scoring', 'bm25', '--key', 'other', '--field', 'text')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^freshdex: .+ \(MISMATCH\)\n$/),
    })
  })

  it('stops at a bad line, tells where and what was written, and keeps earlier batches', async () => {
    const bad = ['{"url":"/1"}', '', '{"url":"/2"}', '{"url":"/3"}', '{"url":'].join('\r\n')
    const { status, stdout, stderr } = await place.feed(bad, 'index', 'stopped', '--batch', '2', ...PAGE_OPTIONS)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^freshdex: line 5 of standard input: it is not JSON: .+; 2 documents of earlier batches were written\n$/,
    )
    place.write('bad.jsonl', [{ url: '/4' }, { url: 1.5 }])
    const refused = await place.run('index', 'stopped', 'bad.jsonl', '--json')
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^freshdex: line 2 of bad\.jsonl: .+ 0 documents .+ \(INVALID_KEY\)\n$/),
    })
    expect(JSON.parse(refused.stdout)).toMatchObject({
      documents: 0,
      errors: [{ source: 'bad.jsonl', line: 2, code: 'INVALID_KEY' }],
    })
    const index = await openIndex('stopped')
    expect(['/1', '/2', '/3', '/4'].map((key) => index.has(key))).toEqual([true, true, false, false])
    await index.close()
  })

  it('skips bad lines when told so, and removes keys', async () => {
    await place.feed(jsonLines(PAGES), 'index', 'shrinking', ...PAGE_OPTIONS)
    const keys = `"/ferry"\nnonsense\u001b[2J\n"/nowhere"\n{"remove":"/market"}\n${'null\n'.repeat(10)}`
    const { status, stdout, stderr } = await place.feed(keys, 'index', 'shrinking', '--remove', '--on-error', 'skip')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^1 document removed, 1 not there; 12 lines skipped; [\d.]+ [mµ]?s\n$/)
    const complaints = stderr.split('\n')
    expect(complaints[0]).toMatch(/^freshdex: skipped line 2 of standard input: it is not JSON/)
    expect(complaints[1]).toMatch(/^freshdex: skipped line 4 of standard input: a key must be a string or a number/)
    expect(complaints.slice(10)).toEqual(['freshdex: skipped 2 more lines', ''])
    expect(stderr).not.toContain('\u001b')
    const stopped = await place.feed('"/market"\n[]\n', 'index', 'shrinking', '--remove', '--batch', '1')
    expect(stopped).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('; 1 document of earlier batches was removed'),
    })
  })

  it('refuses a line of more than 64 MiB without keeping it', async () => {
    const file = openSync(place.path('long.jsonl'), 'w')
    const piece = Buffer.alloc(2 ** 20, ' ')
    for (let written = 0; written <= 64; written++) writeSync(file, piece)
    writeSync(file, '{}\n{"url":"/short","title":"Short","body":"Short."}\n')
    closeSync(file)
    const { status, stdout } = await place.run(
      ...['index', 'long', 'long.jsonl', '--on-error', 'skip', '--json'],
      ...PAGE_OPTIONS,
    )
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      documents: 1,
      skipped: 1,
      errors: [{ source: 'long.jsonl', line: 1, message: 'it is longer than 67108864 bytes' }],
    })
  })

  it('finishes the batch under way when interrupted, forgets the next, and ends with status 130', async () => {
    await place.feed('', 'index', 'interrupted', ...PAGE_OPTIONS)
    const index = await openIndex('interrupted')
    const child = place.start('index', 'interrupted', '--batch', '2', '--json')
    const ended = ending(child)
    child.stdin.write(jsonLines(['/1', '/2', '/3', '/4', '/5'].map((url) => ({ url }))))
    while (index.stats().documents < 4) {
      if (child.exitCode !== null) throw new Error('it ended before it was interrupted')
      await index.catchUp()
    }
    child.kill('SIGINT')
    const { status, stdout, stderr } = await ended
    expect([status, stderr]).toEqual([130, ''])
    expect(JSON.parse(stdout)).toMatchObject({ documents: 4, interrupted: true, errors: [] })
    await index.catchUp()
    expect(index.stats().documents).toBe(4)
    expect(await index.check()).toMatchObject({ ok: true })
    await index.close()
  })

  it('does not wait for more input when a line is refused', async () => {
    const child = place.start('index', 'waiting', '--batch', '1', ...PAGE_OPTIONS)
    const ended = ending(child)
    // Left open; Node closes it once the program has ended.
    child.stdin.on('error', () => {})
    child.stdin.write('{"url":null}\n')
    expect(await ended).toMatchObject({ status: 1, stderr: expect.stringContaining('line 1 of standard input') })
  })

  it('leaves nothing behind when the first command of an index fails, so that the corrected one works', async () => {
    place.write('right.jsonl', PAGES)
    const wrong = ['index', 'made/first', 'right.jsonl', '--key', 'urll', '--field', 'title', '--field', 'body']
    expect(await place.run(...wrong)).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^freshdex: line 1 of right\.jsonl: .* no property "urll", which is the key; it has url, title, body; no index/,
      ),
    })
    expect(existsSync(place.path('made'))).toBe(false)
    const skipping = await place.run(...wrong, '--on-error', 'skip')
    expect(skipping).toMatchObject({ status: 1, stderr: expect.stringContaining('no line could be written') })
    expect(existsSync(place.path('made'))).toBe(false)
    expect(await place.run('index', 'made/first', 'right.jsonl', ...PAGE_OPTIONS)).toMatchObject({ status: 0 })

    const failed = await place.run('index', 'made/first', 'right.jsonl', '--key', 'urll', '--field', 'title')
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringMatching(/made with --key url, .* with urll/) })
    expect((await place.run('stats', 'made/first')).status).toBe(0)
  })

  it('takes only its own files out of a folder that was there before', async () => {
    mkdirSync(place.path('empty'))
    const { status } = await place.feed('{}\n', 'index', 'empty', ...PAGE_OPTIONS)
    expect([status, readdirSync(place.path('empty'))]).toEqual([1, []])
  })

  it('leaves nothing behind when it is interrupted before the first document', async () => {
    const child = place.start('index', 'early', ...PAGE_OPTIONS)
    const ended = ending(child)
    child.stdin.on('error', () => {})
    while (!existsSync(place.path('early/catalog.db'))) await setImmediate()
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ status: 130, stdout: '', stderr: expect.stringContaining('no index was made') })
    expect(existsSync(place.path('early'))).toBe(false)
  })

  it('warns of a field that no document has, with the names that they have', async () => {
    const options = ['--key', 'url', '--field', 'titel', '--field', 'body']
    expect(await place.feed(jsonLines(PAGES), 'index', 'misspelt', ...options)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('3 documents written'),
      stderr: 'freshdex: no document has the field "titel"; they have url, title, body\n',
    })
    expect(await place.feed(jsonLines(PAGES), 'index', 'nothing', ...options.slice(0, 4))).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'freshdex: no document has a property that --field titel names: ' +
        'they have url, title, body; no index was made\n',
    })
    expect(existsSync(place.path('nothing'))).toBe(false)
  })

  it('says in the words of its options what an index is, and that another writer has it open', async () => {
    await place.feed(jsonLines(PAGES), 'index', 'known', ...PAGE_OPTIONS, '--weight', 'links')
    const said = async (...args: string[]) => (await place.feed('', 'index', 'known', ...args)).stderr
    expect(await said('--key', 'id', '--field', 'title')).toMatch(/was made with --key url, .*leave --key out/)
    expect(await said('--key', 'url', '--field', 'text')).toMatch(
      /with --field body, title, this command says with text/,
    )
    expect(await said('--analyzer', 'standard')).toMatch(/with --analyzer english, this command says with standard/)
    expect(await said('--weight', 'rank')).toMatch(/with --weight links, this command says with rank/)
    const writer = await Freshdex.open(place.path('known'))
    expect((await place.runProcess('index', 'known')).stderr).toMatch(
      /another writer.*: .*try again when that program has closed the index \(LOCKED\)$/m,
    )
    await writer.close()
  })

  it.each([
    ['a description without fields', ['new', '--key', 'url'], '--key and --field go together'],
    ['a boost that is none', ['new', '--key', 'url', '--field', 'title:x'], 'Behind the last colon'],
    ['a field twice', ['new', '--key', 'url', '--field', 'a', '--field', 'a:2'], 'was given before'],
    ['an unknown analyzer', ['new', '--key', 'url', '--field', 'a', '--analyzer', 'klingon'], 'Allowed choices'],
    ['an empty name to store', ['new', '--key', 'url', '--field', 'a', '--store', 'a,'], 'names with commas'],
    ['a time that is none', ['new', '--at', 'yesterday'], 'It must be a time'],
    ['a batch of nothing', ['new', '--batch', '0'], 'whole number from 1'],
    ['standard input twice', ['new', '-', '-'], 'only once'],
    ['an index in memory', [':memory:'], 'path of a folder'],
  ])('takes %s for wrong usage', async (_, args, message) => {
    const { status, stdout, stderr } = await place.run('index', ...args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^freshdex: .+\n$/)
    expect(stderr).toContain(message)
    expect(existsSync(place.path('new'))).toBe(false)
  })

  it.each([
    ['no index and no description', ['absent', 'some.jsonl'], '(NOT_FOUND)'],
    ['no such file', ['absent', 'none.jsonl', ...PAGE_OPTIONS], "'none.jsonl' (ENOENT)"],
    ['a folder for a file', ['absent', '.', ...PAGE_OPTIONS], "'.' is a folder"],
  ])('fails with %s and makes nothing', async (_, args, message) => {
    place.write('some.jsonl', PAGES)
    const { status, stdout, stderr } = await place.run('index', ...args)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^freshdex: .+\n$/)
    expect(stderr).toContain(message)
    expect(existsSync(place.path('absent'))).toBe(false)
  })
})
