/** The command signal, and what explain and stats say of signals. */
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { Freshdex } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { jsonLines, refused } from '../program.js'
import { DAY_MS, newPagesForEach, START } from './refreshed-pages.js'

const pages = newPagesForEach()
const { place } = pages

describe('freshdex signal', () => {
  it('records one signal', async () => {
    const told = await place.run('signal', pages.name, '/ferry', '--kind', 'push', '--at', '2026-11-06')
    expect(told).toEqual({ status: 0, stdout: '1 signal recorded\n', stderr: '' })
    const signals = { count: 1, kinds: ['push'], firstAt: START + 5 * DAY_MS }
    expect(await pages.explained('/ferry')).toMatchObject({ signals })
    const dated = ['--kind', 'sitemap', '--value', '2026-11-05', '--at', '2026-11-07', '--json']
    expect(JSON.parse((await place.run('signal', pages.name, '/harbour', ...dated)).stdout)).toEqual({ signalled: 1 })
    expect((await pages.explained('/harbour'))?.signals?.kinds).toEqual(['sitemap'])
    // It was last refreshed on the 4th.
    const old = ['--kind', 'feed', '--value', '2026-11-04', '--at', '2026-11-07']
    expect(await place.run('signal', pages.name, '/harbour', ...old)).toMatchObject({ status: 0 })
    expect((await pages.explained('/harbour'))?.signals?.kinds).toEqual(['sitemap'])
  })

  it('records many at once, from a file or standard input', async () => {
    const lines = jsonLines([
      { key: '/ferry', kind: 'etag' },
      { key: '/ferry', kind: 'feed', at: '2026-11-07T12:00Z', value: '2026-11-07' },
      { key: '/market', kind: 'sitemap', at: START + 5 * DAY_MS, value: START + DAY_MS },
    ])
    const piped = await place.feed(lines, 'signal', pages.name, '--from', '-', '--at', '2026-11-06', '--json')
    expect(piped).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(piped.stdout)).toEqual({ signalled: 3 })
    const firstAt = START + 5 * DAY_MS
    expect((await pages.explained('/ferry'))?.signals).toEqual({ count: 2, kinds: ['etag', 'feed'], firstAt })
    expect((await pages.explained('/market'))?.signals).toEqual({ count: 1, kinds: ['sitemap'], firstAt })
    writeFileSync(place.path('heard.jsonl'), '\n{"key":"/harbour","kind":"push"}\n\n')
    expect((await place.run('signal', pages.name, '--from', 'heard.jsonl')).stdout).toBe('1 signal recorded\n')
    expect((await place.feed('', 'signal', pages.name, '--from', '-')).stdout).toBe('0 signals recorded\n')
  })

  it('knows number keys from strings', async () => {
    await place.feed('{"id":7,"text":"x"}\n', 'index', `${pages.name}-numbers`, '--key', 'id', '--field', 'text')
    const numbers = `${pages.name}-numbers`
    expect(await place.run('signal', numbers, '7', '--kind', 'push')).toEqual(
      refused('no document with the key "7"', 1),
    )
    expect(await place.run('signal', numbers, '7', '--kind', 'push', '--number-key')).toMatchObject({ status: 0 })
    expect(await place.feed('{"key":7,"kind":"push"}', 'signal', numbers, '--from', '-')).toMatchObject({ status: 0 })
  })

  it.each([
    ['that is no record', '"x"', 'it must be a JSON object, received "x"'],
    ['that is no JSON', '/ferry\tpush', 'it is not JSON'],
    ['without a kind', '{"key":"/market"}', 'signal needs a kind'],
    ['with an unknown kind', '{"key":"/market","kind":"rumour"}', 'kind must be \'sitemap\' or .* received "rumour"'],
    ['with a time that is none', '{"key":"/market","kind":"feed","value":"noon"}', 'value must be ISO 8601'],
    ['with a time too many', '{"key":"/market","kind":"push","value":5}', 'value is the time that a signal of kind'],
    ['with a word too many', '{"key":"/market","kind":"push","who":5}', 'unknown signal option "who"'],
    ['with an unknown key', '{"key":"/inn","kind":"push"}', 'there is no document with the key "/inn"'],
    ['without a key', '{"kind":"push"}', 'a key must be a string or a number'],
    ['with an empty key', '{"key":"","kind":"push"}', 'a key must not be empty.* .INVALID_KEY.'],
  ])('names a line %s by its number, and records nothing', async (_, line, message) => {
    const input = `{"key":"/ferry","kind":"push"}\n\n${line}\n`
    const ended = await place.feed(input, 'signal', pages.name, '--from', '-', '--json')
    expect(ended).toEqual(refused(`line 3 of standard input: ${message}`, 1))
    expect((await pages.explained('/ferry'))?.signals).toBeUndefined()
  })

  it.each([
    ['neither a key nor lines', [], 'either a key or --from'],
    ['a key and lines', ['/ferry', '--kind', 'push', '--from', '-'], 'either a key or --from'],
    ['a key without a kind', ['/ferry'], 'go together'],
    ['lines with a kind', ['--from', '-', '--kind', 'push'], 'go together'],
    ['an unknown kind', ['/ferry', '--kind', 'rumour'], 'Allowed choices'],
    ['a push with a time', ['/ferry', '--kind', 'push', '--value', '2026-11-05'], '--value goes with --kind sitemap'],
    ['lines with a time for all', ['--from', '-', '--value', '2026-11-05'], '--value goes with'],
    ['a time that is none', ['/ferry', '--kind', 'feed', '--value', 'noon'], 'It must be a time'],
  ])('takes %s for wrong usage', async (_, args, message) => {
    expect(await place.run('signal', pages.name, ...args)).toEqual(refused(message))
    expect((await pages.explained('/ferry'))?.signals).toBeUndefined()
  })

  it('fails where there is no index, and while another process writes', async () => {
    expect(await place.run('signal', 'nowhere', '/ferry', '--kind', 'push')).toEqual(refused('.NOT_FOUND.', 1))
    const writer = await Freshdex.open(place.path(pages.name))
    expect(await place.runProcess('signal', pages.name, '/ferry', '--kind', 'push')).toEqual(refused('.LOCKED.', 1))
    await writer.close()
  })
})

const sitemap = (...urls: readonly string[]) =>
  `<urlset>\n${urls.map((url) => `<url><loc>${url}</loc><lastmod>2026-11-05</lastmod></url>`).join('\n')}\n</urlset>`
const NOTHING = { repeated: 0, unchanged: 0, unknown: 0, added: 0, skipped: [], sitemaps: [], outcomes: [] }

describe('freshdex signal with a file', () => {
  it('records what a sitemap says, from a file or standard input', async () => {
    const text = sitemap('/ferry', '/harbour', '/inn', 'https://island.example/')
    writeFileSync(place.path('sitemap.xml.gz'), gzipSync(text))
    const told = await place.run('signal', pages.name, '--sitemap', 'sitemap.xml.gz', '--at', '2026-11-06')
    expect(told).toEqual({
      status: 0,
      stderr: '',
      stdout: '2 signals recorded, 0 known before, 0 documents unchanged\n2 pages unknown, 0 added to the frontier\n',
    })
    const signals = { count: 1, kinds: ['sitemap'], firstAt: START + 5 * DAY_MS }
    expect(await pages.explained('/ferry')).toMatchObject({ signals })
    const again = ['--sitemap', '-', '--add-to-frontier', '--at', '2026-11-07', '--json']
    const { stdout } = await place.feed(text, 'signal', pages.name, ...again)
    expect(JSON.parse(stdout)).toEqual({ ...NOTHING, signals: 0, repeated: 2, unknown: 2, added: 2 })
    expect(await pages.ask((index) => index.frontier.size)).toBe(2)
  })

  it('records what a feed says, and names what it skips and what is to be read next', async () => {
    const feed = `<rss><channel><item><link>/ferry</link><pubDate>Thu, 05 Nov 2026 10:00:00 GMT</pubDate></item>
      <item><link>/market</link><pubDate>now\u001b[31m</pubDate></item></channel></rss>`
    expect((await place.feed(feed, 'signal', pages.name, '--feed', '-', '--at', '2026-11-06')).stdout).toBe(
      '1 signal recorded, 0 known before, 0 documents unchanged\n' +
        'skipped 1: date not understood, such as /market now [31m\n',
    )
    const list = '<sitemapindex><sitemap><loc>https://island.example/2.xml</loc></sitemap></sitemapindex>'
    expect((await place.feed(list, 'signal', pages.name, '--sitemap', '-')).stdout).toBe(
      '0 signals recorded, 0 known before, 0 documents unchanged\nfurther sitemap: https://island.example/2.xml\n',
    )
  })

  it('records what a log of headers says, and writes what to observe', async () => {
    const log = jsonLines([
      { url: '/ferry', at: '2026-11-05T06:00Z', etag: '"1"' },
      { url: '/ferry', at: '2026-11-06T06:00Z', headers: { ETag: '"2"' } },
      { url: '/market', at: '2026-11-06T06:00Z', status: 304 },
      { url: '/harbour', at: '2026-11-06T06:00Z', status: 410 },
    ])
    const heard = ['signal', pages.name, '--headers', '-', '--outcomes', 'seen.tsv', '--at', '2026-11-07']
    const told = await place.feed(log, ...heard)
    expect(told.stdout).toBe(
      '1 signal recorded, 0 known before, 0 documents unchanged\nto observe: 1 the same, 1 gone\n',
    )
    expect(readFileSync(place.path('seen.tsv'), 'utf8')).toBe(
      '/market\tsame\t2026-11-06T06:00:00.000Z\n/harbour\tgone\t2026-11-06T06:00:00.000Z\n',
    )
    expect((await place.run('observe', pages.name, '--from', 'seen.tsv')).stdout).toBe('2 observations recorded\n')
    expect((await pages.explained('/harbour'))?.lastOutcome).toBe('gone')
    // Documents here have their title for an ETag.
    const titled = jsonLines([{ url: '/market', at: '2026-11-08', etag: 'Market day' }])
    const { stdout } = await place.feed(titled, 'signal', pages.name, '--headers', '-', '--etag', 'title', '--json')
    expect(JSON.parse(stdout)).toEqual({ ...NOTHING, signals: 0, unchanged: 1 })
  })

  it.each([
    ['--sitemap', sitemap('/ferry').slice(0, -3), 'line 3 of standard input: it ends within a tag .MALFORMED.'],
    ['--feed', sitemap('/ferry'), 'line 1 of standard input: a feed begins with .* .MALFORMED.'],
    ['--headers', '{"url":"/ferry","status":410}\n{', 'line 2 of standard input: it is not JSON: .* .MALFORMED.'],
    ['--sitemap', gzipSync(sitemap('/ferry')).subarray(0, 30), 'standard input: it cannot be unpacked: .* .MALFORMED.'],
  ])('refuses a broken file for %s, and records nothing', async (option, input, message) => {
    expect(await place.feed(input, 'signal', pages.name, option, '-')).toEqual(refused(message, 1))
    expect((await pages.explained('/ferry'))?.signals).toBeUndefined()
  })

  it.each([
    ['two files', ['--sitemap', 'a', '--feed', 'b'], 'either a key or --from, --sitemap, --feed or --headers'],
    ['a key and a file', ['/ferry', '--kind', 'push', '--sitemap', 'a'], 'either a key or'],
    ['a file and a kind', ['--sitemap', 'a', '--kind', 'push'], 'go together'],
    ['a frontier without a file', ['/ferry', '--kind', 'push', '--add-to-frontier'], '--add-to-frontier goes with'],
    ['an ETag of a sitemap', ['--sitemap', 'a', '--etag', 'etag'], '--etag goes with --headers'],
    ['outcomes of a feed', ['--feed', 'a', '--outcomes', 'b'], '--outcomes goes with --headers'],
    ['number keys', ['--sitemap', 'a', '--number-key'], '--number-key does not go with'],
  ])('takes %s for wrong usage', async (_, args, message) => {
    expect(await place.run('signal', pages.name, ...args)).toEqual(refused(message))
  })

  it('fails for a file that is not there', async () => {
    expect(await place.run('signal', pages.name, '--sitemap', 'nowhere.xml')).toEqual(refused('.ENOENT.', 1))
  })
})

describe('other commands', () => {
  it('explain tells of signals and what they do to the priority, stats how often they were right', async () => {
    const heard = ['signal', pages.name, '--from', '-', '--at', '2026-11-05']
    await place.feed(jsonLines(['/ferry', '/market'].map((key) => ({ key, kind: 'feed' }))), ...heard)
    await place.run('observe', pages.name, '/market', '--outcome', 'changed', '--at', '2026-11-06')
    const explain = ['explain', pages.name, '/ferry', '--at', '2026-11-10']
    const told = await place.run(...explain)
    expect(told.stdout.replaceAll('\n', ' ')).toMatch(/etched 9 days ago .*; a change was signalled 5 days ago; /)
    const { stdout } = await place.run(...explain, '--policy', 'user-centric-shrunk')
    expect(stdout).toMatch(/^ +signals +1 of a change, by feed, since 2026-11-05T00:00:00\.000Z$/m)
    expect(stdout).toMatch(/^The priority by user-centric-shrunk: [^:]* × \(signal factor\)$/m)
    for (const term of ['likelihood ratio', 'chance before', 'chance after', 'signal factor'])
      expect(stdout).toMatch(new RegExp(`^ +${term} +[\\d.]+$`, 'm'))
    expect((await place.run('stats', pages.name)).stdout).toMatch(
      /^ {2}signals +keys without a host: feed precision 100%, recall 100%$/m,
    )
    const { signals } = JSON.parse((await place.run('stats', pages.name, '--json')).stdout)
    expect(signals).toMatchObject([{ site: '', kinds: { feed: { signalledChanged: 1, precision: 1, recall: 1 } } }])
  })
})
