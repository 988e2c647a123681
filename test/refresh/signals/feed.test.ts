import { describe, expect, it } from 'vitest'
import { readFeed } from '../../../src/refresh/signals/readers/feed.js'
import { collected, inPieces } from '../../support/pieces.js'

async function read(text: string) {
  const whole = await collected(readFeed(inPieces(text, text.length)))
  expect(await collected(readFeed(inPieces(text, 3)))).toEqual(whole)
  return whole.map(({ url, dates }) => [url, ...dates])
}

describe('a feed', () => {
  it('of RSS 2.0 has links and times', async () => {
    const text = `<?xml version="1.0"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:a="http://www.w3.org/2005/Atom" xmlns:media="m">
<channel>
  <title>News</title>
  <a:link rel="self" href="https://a.example/feed.xml"/>
  <pubDate>Mon, 16 Nov 2026 12:00:00 GMT</pubDate>
  <item><title><![CDATA[<link>no</link>]]></title><link>https://a.example/1</link>
    <pubDate>Mon, 16 Nov 2026 09:00:00 GMT</pubDate></item>
  <item><link>/2?x&amp;y</link><dc:date>2026-11-16</dc:date>
    <media:group><link>no</link><pubDate>no</pubDate></media:group></item>
  <item><guid isPermaLink="true">https://a.example/3</guid><pubDate>soon</pubDate>
    <a:updated>2026-11-15T10:00Z</a:updated></item>
  <item><guid isPermaLink="false">https://a.example/4</guid><guid>17</guid></item>
  <item><a:link href="https://a.example/no"/><guid>https://a.example/5</guid><link> https://a.example/six </link></item>
  <link>https://a.example/</link>
  <image><link>https://a.example/image</link></image>
</channel></rss>`
    expect(await read(text)).toEqual([
      ['https://a.example/1', 'Mon, 16 Nov 2026 09:00:00 GMT'],
      ['https://a.example/3', 'soon', '2026-11-15T10:00Z'],
      [undefined],
      ['https://a.example/six'],
      // The address that completes it comes behind it.
      ['https://a.example/2?x&y', '2026-11-16'],
    ])
  })

  it('of Atom has links relative to a base', async () => {
    const text = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/blog/">
  <link rel="self" href="/feed"/><updated>2026-11-16T12:00:00Z</updated>
  <entry><link rel="edit" href="edit/1"/><link href="1"/><updated>2026-11-16T09:00:00Z</updated>
    <published>2026-11-01T09:00:00Z</published></entry>
  <entry xml:base="old/"><link rel="alternate" href="2"/><id>tag:a.example,2026:2</id></entry>
  <entry><link rel='alternate' xml:base="https://b.example/" href="3"/><updated/></entry>
  <entry><source><link href="no"/></source><link href="http://c.example"/></entry>
  <entry><title>no link</title></entry>
</feed>`
    expect(await read(text)).toEqual([
      ['https://a.example/blog/1', '2026-11-16T09:00:00Z', '2026-11-01T09:00:00Z'],
      ['https://a.example/blog/old/2'],
      ['https://b.example/3', ''],
      ['http://c.example'],
      [undefined],
    ])
    const plain =
      '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:link href="https://a.example/"/>' +
      '<a:entry><a:link href="x"/></a:entry></a:feed>'
    expect(await read(plain)).toEqual([['https://a.example/x']])
  })

  it('of RSS 1.0 is RDF', async () => {
    const text = `<!DOCTYPE rdf:RDF SYSTEM "http://purl.org/rss/1.0/x.dtd">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">
  <channel rdf:about="https://a.example/feed"><link>https://a.example/</link><dc:date>2026-11-16</dc:date></channel>
  <item rdf:about="https://a.example/one"><link>1</link><dc:date>2026-11-15</dc:date>
    <dcterms:modified>2026-11-16</dcterms:modified></item>
  <item rdf:about="https://a.example/2"><dc:title>two</dc:title></item>
</rdf:RDF>`
    expect(await read(text)).toEqual([['https://a.example/2'], ['https://a.example/1', '2026-11-15', '2026-11-16']])
  })

  it('leaves an address as it is that nothing completes', async () => {
    expect(await read('<rss><channel><item><link>/x</link></item></channel></rss>')).toEqual([['/x']])
  })

  it('is refused when it is something else, or broken', async () => {
    const refusal = (text: string) => expect(read(text)).rejects
    await refusal('<urlset/>').toMatchObject({
      code: 'MALFORMED',
      message: 'line 1: a feed begins with <rss>, <rdf:RDF> or <feed>, received <urlset>',
      detail: { line: 1 },
    })
    await refusal('<rss>\n<channel>\n</rss>').toMatchObject({
      message: 'line 3: </rss> ends <channel>',
      detail: { line: 3 },
    })
  })
})
