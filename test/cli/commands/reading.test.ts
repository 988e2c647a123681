/** The commands that only read: search, get, stats, check, export. */
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Freshdex } from 'freshdex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ending, PAGES, Workplace } from '../program.js'

const place = new Workplace()
/** Far more text than a pipe holds. */
const MANY = Array.from({ length: 3000 }, (_, id) => ({ id, text: `common ${'filling '.repeat(50)}` }))

beforeAll(async () => {
  const pages = await Freshdex.open<(typeof PAGES)[number]>(place.path('pages'), {
    key: 'url',
    fields: { title: { boost: 2 }, body: {} },
    analyzer: 'english',
  })
  await pages.write({ put: PAGES })
  await pages.close()
  const many = await Freshdex.open<(typeof MANY)[number]>(place.path('many'), { key: 'id', fields: { text: {} } })
  await many.write({ put: MANY })
  await many.close()
})

afterAll(() => place.remove())

describe('freshdex search', () => {
  it('takes unquoted words for one query, and prints plain keys for pipes', async () => {
    const { stdout } = await place.run('search', 'pages', 'ferry', 'ride', 'children', '--keys')
    expect(stdout).toBe('/market\n')
    const quoted = JSON.parse((await place.run('search', 'pages', '"ferry ride"', 'fish', '--json')).stdout)
    expect(quoted).toMatchObject({ query: '"ferry ride" fish', total: 1 })
    const dashed = await place.run('search', 'pages', '--json', '--', 'ferry', '-market')
    expect(JSON.parse(dashed.stdout)).toMatchObject({ query: 'ferry -market', total: 1 })
    expect(await place.run('search', 'pages', 'submarine', '--keys')).toEqual({ status: 0, stdout: '', stderr: '' })
    expect((await place.run('search', 'pages', 'ferry', '--keys', '--json')).status).toBe(2)
  })

  it('lists rank, score, key and title', async () => {
    const { status, stdout, stderr } = await place.run('search', 'pages', 'ferry')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      /^1 {2}\d\.\d{3} {2}\/ferry {3}Ferry timetable\n2 {2}\d\.\d{3} {2}\/market {2}Market day\n2 of 2 hits\n$/,
    )
  })

  it('goes on where a page of hits ended, and shows documents and accounts of scores', async () => {
    const { stdout } = await place.run(
      'search',
      'pages',
      'ferry',
      '--offset',
      '1',
      '--limit',
      '1',
      '--docs',
      '--explain',
    )
    const [hit, document, account, footer] = stdout.split('\n')
    expect(hit).toMatch(/^2 .+ \/market {2}Market day$/)
    expect(JSON.parse(document ?? '')).toEqual(PAGES[1])
    expect(account).toMatch(/body:ferri, 1 time among \d+ tokens .+, in 2 documents, rarity \d/)
    expect(footer).toBe('1 of 2 hits')
  })

  it('prints one JSON document with what was asked for', async () => {
    const options = ['--operator', 'or', '--fields', 'title,body', '--docs', '--explain', '--limit', '5', '--json']
    const { status, stdout } = await place.run('search', 'pages', 'boats market', ...options)
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      query: 'boats market',
      total: 2,
      truncated: false,
      partial: false,
      hits: [
        { key: '/market', score: expect.any(Number), doc: PAGES[1], explain: { terms: [{ field: 'title' }] } },
        { key: '/harbour', doc: PAGES[2] },
      ],
    })
    const plain = JSON.parse((await place.run('search', 'pages', 'boats', '--json')).stdout)
    expect(plain.hits).toEqual([{ key: '/harbour', score: expect.any(Number) }])
  })

  it('finds nothing without failing', async () => {
    expect(await place.run('search', 'pages', 'submarine')).toEqual({ status: 0, stdout: '0 of 0 hits\n', stderr: '' })
  })

  it.each([
    ['an unknown field', ['pages', 'x', '--fields', 'author'], 'not a field'],
    ['a limit out of range', ['pages', 'x', '--limit', '10001'], 'from 0 to 10000'],
    ['an unknown operator', ['pages', 'x', '--operator', 'xor'], 'Allowed choices'],
    ['no query', ['pages'], 'missing required argument'],
  ])('takes %s for wrong usage', async (_, args, message) => {
    expect(await place.run('search', ...args)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^freshdex: .*${message}.*\n$`)),
    })
  })
})

describe('freshdex get', () => {
  it('prints the document', async () => {
    const { status, stdout, stderr } = await place.run('get', 'pages', '/ferry')
    expect([status, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual(PAGES[0])
    expect(JSON.parse((await place.run('get', 'many', '17', '--number-key', '--json')).stdout)).toEqual(MANY[17])
  })

  it('ends with status 1 when there is none', async () => {
    const stderr = 'freshdex: no document has the key "17"\n'
    expect(await place.run('get', 'many', '17')).toEqual({ status: 1, stdout: '', stderr })
    expect(await place.run('get', 'many', '17', '--json')).toEqual({ status: 1, stdout: 'null\n', stderr })
  })

  it('takes a number that is none for wrong usage', async () => {
    expect(await place.run('get', 'many', '0x11', '--number-key')).toMatchObject({ status: 2, stdout: '' })
  })
})

describe('freshdex stats', () => {
  it('prints a table, or one JSON document', async () => {
    const { status, stdout } = await place.run('stats', 'pages')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Documents\n {2}documents +3\n {2}key +url\n {2}field title +\d+ words in 3 documents$/m)
    expect(stdout).toMatch(/^On disk\n {2}folder +\S+\n {2}segments +\d+ files? of /m)
    const index = await Freshdex.open(place.path('pages'), { readOnly: true })
    // Reads the ledger, of which stats would know nothing yet.
    await index.refresh.next({ budget: 0 })
    const { memoryBytes, ...expected } = index.stats()
    await index.close()
    expect(expected.ledger.documents).toBe(3)
    expect(stdout).toMatch(/^ {2}histories +of 3 documents, 271 bytes each$/m)
    expect(stdout).toMatch(/^ {2}queries +\d of at most 10,000$/m)
    expect(JSON.parse((await place.run('stats', 'pages', '--json')).stdout)).toMatchObject(
      JSON.parse(JSON.stringify(expected)),
    )
  })

  it('fails where there is no index', async () => {
    expect(await place.run('stats', 'nowhere', '--json')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^freshdex: .+ run freshdex index with --key and --field \(NOT_FOUND\)\n$/),
    })
    expect(existsSync(place.path('nowhere'))).toBe(false)
  })
})

describe('freshdex check', () => {
  it('finds no fault in a sound index', async () => {
    expect(await place.run('check', 'pages')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^3 documents, \d+ terms, \d+ postings, no faults\n$/),
      stderr: '',
    })
    const { status, stdout } = await place.run('check', 'pages', '--level', '1', '--json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, faults: [] })
  })

  it('reports the faults of an index that cannot be opened, with status 1', async () => {
    const copy = await Freshdex.open(place.path('pages'))
    await copy.backup(place.path('damaged'))
    await copy.close()
    const catalog = place.path('damaged/catalog.db')
    writeFileSync(catalog, readFileSync(catalog).fill(0xff, 0, 4096))
    const { status, stdout, stderr } = await place.run('check', 'damaged', '--json')
    expect([status, stderr]).toEqual([1, ''])
    const report = JSON.parse(stdout)
    expect(report.ok).toBe(false)
    expect(report.faults).toContainEqual({ invariant: expect.any(String), message: expect.any(String) })
    const told = await place.run('check', 'damaged')
    expect(told).toMatchObject({ status: 1, stdout: expect.stringMatching(/, [1-9]\d* faults?\n$/), stderr: '' })
  })

  it('takes a level that does not exist for wrong usage', async () => {
    expect(await place.run('check', 'pages', '--level', '4')).toMatchObject({ status: 2, stdout: '' })
  })
})

describe('freshdex export', () => {
  it('prints all documents, one line each', async () => {
    const { status, stdout, stderr } = await place.run('export', 'many')
    expect([status, stderr]).toEqual([0, ''])
    const documents = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as (typeof MANY)[number])
    expect(documents.sort((a, b) => a.id - b.id)).toEqual(MANY)
  })

  it('writes a new file that another index can be made of', async () => {
    const { status, stdout } = await place.run('export', 'pages', '--out', 'pages.jsonl', '--json')
    expect(status).toBe(0)
    const text = readFileSync(place.path('pages.jsonl'), 'utf8')
    expect(JSON.parse(stdout)).toEqual({
      path: 'pages.jsonl',
      documents: 3,
      bytes: Buffer.byteLength(text),
      elapsedMs: expect.any(Number),
    })
    await place.run('index', 'second', 'pages.jsonl', '--key', 'url', '--field', 'title')
    expect(JSON.parse((await place.run('get', 'second', '/ferry')).stdout)).toEqual(PAGES[0])

    const again = await place.run('export', 'pages', '--out', 'pages.jsonl')
    expect(again).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('(EEXIST)') })
    expect(readFileSync(place.path('pages.jsonl'), 'utf8')).toBe(text)
  })

  it('takes --json without --out for wrong usage', async () => {
    expect(await place.run('export', 'pages', '--json')).toMatchObject({ status: 2, stdout: '' })
  })
})

describe('a reader that has seen enough', () => {
  it.each([
    ['export', ['export', 'many']],
    ['search', ['search', 'many', 'common', '--limit', '3000', '--docs', '--json']],
  ])('ends %s quietly', async (_, args) => {
    const child = place.start(...args)
    child.stdin.end()
    const ended = ending(child)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    expect(await ended).toMatchObject({ status: 0, stderr: '' })
  })
})
