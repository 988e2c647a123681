/**
 * Signals in bulk through the public face: what is recorded of sitemaps, feeds and logs, all of it or nothing, and that
 * it lasts.
 */
import { gzipSync } from 'node:zlib'
import { Freshdex, type SignalImportOptions, type SignalImportSource } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { jsonLines } from '../../cli/program.js'
import { newPath } from '../../storage/temporary-folder.js'
import { inPieces } from '../../support/pieces.js'
import { DAY_MS, OPTIONS, openOrchard, type Page, page, START, url } from '../orchard.js'

const at = (days: number) => START + days * DAY_MS
const iso = (days: number) => new Date(at(days)).toISOString()
const NOTHING = {
  ...{ signals: 0, repeated: 0, unchanged: 0, unknown: 0, added: 0 },
  ...{ skipped: [], sitemaps: [], outcomes: [] },
}

function sitemap(...entries: readonly (readonly [loc: string, lastmod?: string])[]): string {
  const urls = entries.map(([loc, lastmod]) => {
    const date = lastmod === undefined ? '' : `<lastmod>${lastmod}</lastmod>`
    return `<url><loc>${loc.replaceAll('&', '&amp;')}</loc>${date}</url>`
  })
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>`
}

describe.each([
  ['in memory', () => ':memory:'],
  ['in a folder', () => newPath()],
])('an index %s', (_, place) => {
  test('takes what a sitemap says, once', async () => {
    await using index = await openOrchard(place())
    const { refresh } = index
    await index.write({ put: [page(5)] }, { at: at(3) })
    const text = sitemap(
      [url(1), iso(2)],
      [url(5), iso(2)],
      [url(9), iso(-1)],
      [url(2)],
      [url(3), iso(9)],
      [url(4), 'soon'],
      ['https://elsewhere.example/', iso(2)],
      ['not an address', iso(2)],
      ['', iso(1)],
      // The latest counts.
      [url(6), iso(-5)],
      [url(6), iso(1)],
      [url(6), iso(0)],
    )
    const expected = {
      ...{ ...NOTHING, signals: 2, unchanged: 2, unknown: 1 },
      skipped: [
        { reason: 'URL not understood', count: 1, example: 'not an address' },
        { reason: 'date in the future', count: 1, example: `${url(3)} ${iso(9)}` },
        { reason: 'date not understood', count: 1, example: `${url(4)} soon` },
        { reason: 'no URL', count: 1, example: iso(1) },
        { reason: 'no date', count: 1, example: url(2) },
      ],
    }
    expect(await refresh.importSignals({ sitemap: text }, { at: at(4) })).toEqual(expected)
    expect(refresh.explain(url(1))?.signals).toEqual({ count: 1, kinds: ['sitemap'], firstAt: at(4) })
    expect(refresh.explain(url(6))?.signals).toEqual({ count: 1, kinds: ['sitemap'], firstAt: at(4) })
    for (const nth of [0, 2, 3, 4, 5, 9]) expect(refresh.explain(url(nth))?.signals).toBeUndefined()
    const again = { ...expected, signals: 0, repeated: 2 }
    expect(await refresh.importSignals({ sitemap: text }, { at: at(5) })).toEqual(again)
    expect(refresh.explain(url(1))?.signals).toMatchObject({ count: 1 })
    // What was heard before the last refresh says nothing any more.
    await index.write({ put: [page(1)] }, { at: at(6) })
    const { skipped } = await refresh.importSignals({ sitemap: sitemap([url(1), iso(2)]) }, { at: at(4) })
    expect(skipped).toEqual([{ reason: 'heard before the last refresh', count: 1, example: url(1) }])
    expect(await index.check()).toMatchObject({ ok: true })
  })

  test('knows from what has not changed that the silence of a site is about it', async () => {
    await using index = await openOrchard(place())
    const { refresh } = index
    const factor = (nth: number) =>
      refresh.explain(url(nth), { at: at(5), policy: 'user-centric-shrunk' })?.policy.terms.signalFactor
    const heard = sitemap([url(1), iso(1)], [url(5), iso(-3)], [url(2), iso(-3)])
    expect(await refresh.importSignals({ sitemap: heard }, { at: at(2) })).toMatchObject({ signals: 1, unchanged: 2 })
    expect(factor(1)).toBeGreaterThan(1)
    expect(factor(5)).toBeLessThan(1)
    // Also where all that the site says is old: it would tell.
    expect(factor(2)).toBeLessThan(1)
    // Nothing was said of page 9 of the first host, nor of any other host.
    expect([factor(9), factor(3)]).toEqual([undefined, undefined])
    await refresh.observeAll([1, 2, 5].map((nth) => [url(nth), { outcome: 'changed', at: at(6) }]))
    const [first, second] = index.stats().signals
    expect(first).toMatchObject({
      site: 'host1.example',
      kinds: { sitemap: { signalledChanged: 1, silentChanged: 1 } },
    })
    expect(second).toMatchObject({
      site: 'host2.example',
      kinds: { sitemap: { signalledChanged: 0, silentChanged: 1 } },
    })
  })

  test('lists the sitemaps of a sitemap', async () => {
    await using index = await openOrchard(place())
    const text = `<sitemapindex><sitemap><loc>https://a.example/1.xml</loc><lastmod>2025-01-02</lastmod></sitemap>
      <sitemap><loc>https://a.example/2.xml</loc><lastmod>soon</lastmod></sitemap><sitemap/></sitemapindex>`
    expect(await index.refresh.importSignals({ sitemap: text })).toEqual({
      ...NOTHING,
      sitemaps: [
        { url: 'https://a.example/1.xml', modifiedAt: at(1) },
        { url: 'https://a.example/2.xml', modifiedAt: undefined },
      ],
      skipped: [{ reason: 'no URL', count: 1, example: '' }],
    })
  })

  test('takes a feed, by the latest time of an entry', async () => {
    await using index = await openOrchard(place())
    const item = (link: string, ...dates: readonly string[]) => `<item><link>${link}</link>${dates.join('')}</item>`
    const feed = `<rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><link>https://host1.example</link>
      ${item('/1', '<pubDate>Thu, 02 Jan 2025 10:00:00 GMT</pubDate>')}
      ${item(url(5), '<pubDate>Sun, 01 Dec 2024 10:00:00 GMT</pubDate>', '<dc:date>2025-01-02</dc:date>')}
      ${item(url(9), '<pubDate>Sun, 01 Dec 2024 10:00:00 GMT</pubDate>')}
      ${item(url(2), '<pubDate>at noon</pubDate>', '<dc:date>2025-01-02</dc:date>')}
      ${item(url(3), '<pubDate>at noon</pubDate>')}</channel></rss>`
    expect(await index.refresh.importSignals({ feed }, { at: at(2) })).toEqual({
      ...{ ...NOTHING, signals: 3, unchanged: 1 },
      skipped: [{ reason: 'date not understood', count: 1, example: `${url(3)} at noon` }],
    })
    for (const nth of [1, 2, 5]) expect(index.refresh.explain(url(nth))?.signals?.kinds).toEqual(['feed'])
  })

  test('takes a log of headers, and says what to observe', async () => {
    await using index = await openOrchard(place())
    const { refresh } = index
    const headers = jsonLines([
      { url: url(1), at: iso(-1), etag: 'W/"1"' },
      { url: url(1), at: iso(1), etag: '"1"' },
      { url: url(1), at: iso(2), etag: '"2"', lastModified: 'Thu, 02 Jan 2025 10:00:00 GMT' },
      { url: url(2), at: iso(2), status: 304 },
      { url: url(3), at: iso(2), status: 404 },
      { url: url(4), at: iso(2), status: 503 },
      { url: url(5), at: iso(2), etag: '"5"' },
      { url: url(6), at: iso(2), status: 200, contentLength: 17 },
      { url: url(7), at: iso(9), etag: '"7"' },
      { url: url(8), at: iso(-2), etag: '"8"' },
      { url: url(9), at: iso(2), headers: { 'Last-Modified': 'Sun, 01 Dec 2024 10:00:00 GMT' } },
      { url: url(10), at: iso(2), lastModified: iso(3), etag: null },
      { url: 'https://elsewhere.example/', at: iso(2), status: 200 },
    ])
    const report = await refresh.importSignals({ headers }, { at: at(4) })
    expect(report).toEqual({
      ...{ ...NOTHING, signals: 2, unchanged: 1, unknown: 1 },
      outcomes: [
        [url(2), { outcome: 'same', at: at(2) }],
        [url(3), { outcome: 'gone', at: at(2) }],
      ],
      skipped: [
        { reason: 'date in the future', count: 2, example: `${url(7)} line 9` },
        { reason: 'heard before the last refresh', count: 1, example: url(8) },
        { reason: 'no ETag or Last-Modified', count: 1, example: url(6) },
        { reason: 'no earlier ETag to compare with', count: 1, example: url(5) },
        { reason: 'status that says nothing of the page', count: 1, example: `${url(4)} 503` },
      ],
    })
    const kinds = ['etag', 'last-modified']
    expect(refresh.explain(url(1))?.signals).toEqual({ count: 2, kinds, firstAt: at(2) })
    expect(refresh.explain(url(3))?.lastOutcome).not.toBe('gone')
    await refresh.observeAll(report.outcomes)
    expect([2, 3].map((nth) => refresh.explain(url(nth))?.lastOutcome)).toEqual(['same', 'gone'])
  })

  test('compares with the ETags that documents have', async () => {
    const options = { ...OPTIONS, fields: { title: {}, body: {} } }
    await using index = await Freshdex.open<Page & { etag?: unknown }>(place(), options)
    const etags = ['"a"', 'W/"a"', '"a"', undefined, 17]
    await index.write(
      { put: etags.map((etag, nth) => ({ ...page(nth), ...(etag === undefined ? {} : { etag }) })) },
      { at: at(0) },
    )
    const headers = jsonLines(etags.map((_, nth) => ({ url: url(nth), at: iso(1), etag: nth === 2 ? '"b"' : '"a"' })))
    const report = await index.refresh.importSignals({ headers }, { at: at(2), etag: 'etag' })
    expect(report).toMatchObject({ signals: 1, unchanged: 2, skipped: [{ count: 2 }] })
    expect(index.refresh.explain(url(2))?.signals?.kinds).toEqual(['etag'])
    // Without them there is nothing to compare with.
    expect(await index.refresh.importSignals({ headers }, { at: at(2) })).toMatchObject({
      signals: 0,
      skipped: [{ count: 5 }],
    })
  })

  test('adds unknown pages to the frontier if told so', async () => {
    await using index = await openOrchard(place())
    const text = sitemap(['https://new.example/1', iso(1)], ['/2'], ['https://new.example/1'], [url(1), iso(1)])
    expect(await index.refresh.importSignals({ sitemap: text }, { at: at(2) })).toMatchObject({ unknown: 2, added: 0 })
    expect(index.frontier.size).toBe(0)
    const options = { at: at(2), addToFrontier: true }
    expect(await index.refresh.importSignals({ sitemap: text }, options)).toMatchObject({
      unknown: 2,
      added: 2,
      repeated: 1,
    })
    expect(await index.refresh.importSignals({ sitemap: text }, options)).toMatchObject({ unknown: 2, added: 0 })
    expect((await index.frontier.next({ budget: 9 })).map(({ url }) => url).sort()).toEqual([
      '/2',
      'https://new.example/1',
    ])
    expect(await index.frontier.explain('/2')).toMatchObject({ addedAt: at(2) })
  })

  test('reads text, bytes and streams, compressed or not', async () => {
    const text = sitemap([url(1), iso(1)], [url(2), iso(1)])
    const sources = [
      text,
      Buffer.from(text),
      gzipSync(text),
      inPieces(Buffer.from(text), 7),
      inPieces(gzipSync(text), 7),
    ]
    for (const sitemap of sources) {
      await using index = await openOrchard(place())
      expect(await index.refresh.importSignals({ sitemap }, { at: at(2) })).toEqual({ ...NOTHING, signals: 2 })
    }
  })

  test('finds documents whose address is written in another way', async () => {
    await using index = await Freshdex.open<Page>(place(), OPTIONS)
    await index.write(
      { put: ['https://a.example/', 'https://a.example/%C3%A9'].map((url) => ({ ...page(1), url })) },
      { at: at(0) },
    )
    const text = sitemap(['HTTPS://A.example', iso(1)], ['https://a.example/é', iso(1)])
    expect(await index.refresh.importSignals({ sitemap: text }, { at: at(2) })).toEqual({ ...NOTHING, signals: 2 })
  })

  test('records nothing of a file that is broken, or when it is called wrongly', async () => {
    await using index = await openOrchard(place())
    const good = sitemap([url(1), iso(1)], ['https://new.example/', iso(1)])
    const wrongs: [unknown, unknown, object][] = [
      [{ sitemap: good.slice(0, -5) }, {}, { code: 'MALFORMED', message: 'line 4: it ends within a tag' }],
      [{ sitemap: gzipSync(good).subarray(0, 40) }, {}, { code: 'MALFORMED' }],
      [{ feed: good }, {}, { code: 'MALFORMED' }],
      [{ headers: `{"url":"${url(1)}","status":404}\nx` }, {}, { code: 'MALFORMED', detail: { line: 2 } }],
      [{ sitemap: 5 }, {}, { message: 'sitemap must be text, bytes or pieces of bytes, received 5' }],
      [{ sitemap: [] }, {}, { name: 'TypeError' }],
      [{}, {}, { message: 'importSignals needs one of sitemap, feed, headers, received none' }],
      [undefined, {}, { message: 'importSignals needs one of sitemap, feed, headers, received none' }],
      [{ sitemap: good, feed: good }, {}, { message: /received sitemap and feed$/ }],
      [{ sitemaps: good }, {}, { message: /unknown source option "sitemaps"/ }],
      [{ sitemap: good }, { at: -1 }, { name: 'RangeError' }],
      [{ sitemap: good }, { addToFrontier: 1 }, { message: 'addToFrontier must be true or false, received 1' }],
      [{ headers: '' }, { etag: '' }, { message: /etag must be the name of a property/ }],
      [{ sitemap: good }, { etag: 'etag' }, { message: 'etag goes with headers, received it with sitemap' }],
      [{ sitemap: good }, { when: 1 }, { message: /unknown import option "when"/ }],
    ]
    for (const [source, options, error] of wrongs) {
      const given = [
        source as SignalImportSource,
        { addToFrontier: true, ...(options as SignalImportOptions) },
      ] as const
      await expect(index.refresh.importSignals(...given)).rejects.toMatchObject(error)
    }
    const failing = (async function* () {
      yield Buffer.from(good)
      throw new Error('the network is gone')
    })()
    await expect(index.refresh.importSignals({ sitemap: failing })).rejects.toThrow('the network is gone')
    expect([index.refresh.explain(url(1))?.signals, index.stats().signals, index.frontier.size]).toEqual([
      undefined,
      [],
      0,
    ])
  })

  test('knows a document that is removed or written while the file is read', async () => {
    await using index = await openOrchard(place())
    const text = Buffer.from(sitemap([url(1), iso(2)], [url(2), iso(2)], [url(3), iso(2)]))
    const slow = (async function* () {
      yield text
      await index.write({ remove: [url(1)], put: [{ ...page(2), body: 'quince' }] }, { at: at(5) })
    })()
    expect(await index.refresh.importSignals({ sitemap: slow }, { at: at(6) })).toMatchObject({
      signals: 1,
      unchanged: 1,
      unknown: 1,
    })
    expect(index.refresh.explain(url(3))?.signals?.kinds).toEqual(['sitemap'])
    const closing = (async function* () {
      yield text
      await index.close()
    })()
    await expect(index.refresh.importSignals({ sitemap: closing })).rejects.toMatchObject({ code: 'CLOSED' })
  })
})

describe('an index in a folder', () => {
  test('shows the same after it was opened again, and a follower imports nothing', async () => {
    const folder = newPath()
    const index = await openOrchard(folder)
    const text = sitemap([url(1), iso(1)], [url(5), iso(-1)], ['https://new.example/', iso(1)])
    await index.refresh.importSignals({ sitemap: text }, { at: at(2), addToFrontier: true })
    const looks = (of: Freshdex<Page>) => {
      const explained = [1, 5].map((nth) => of.refresh.explain(url(nth), { at: at(9) }))
      return [
        of.stats().signals,
        of.frontier.size,
        explained.map((each) => [each?.signals, each?.policy.terms.signalledChance?.toPrecision(9)]),
      ]
    }
    const before = looks(index)
    await using follower = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true })
    await expect(follower.refresh.importSignals({ sitemap: text })).rejects.toMatchObject({ code: 'READ_ONLY' })
    await index.close()
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    await again.refresh.next({ budget: 0 })
    expect(looks(again)).toEqual(before)
    expect(await again.check()).toMatchObject({ ok: true })
  })
})
