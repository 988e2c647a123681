import { describe, expect, it } from 'vitest'
import { readSitemap } from '../../../src/refresh/signals/readers/sitemap.js'
import { collected, inPieces } from '../../support/pieces.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

function read(text: string, length?: number) {
  return collected(readSitemap(inPieces(text, length ?? (text.length || 1))))
}

function urlset(...urls: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${NAMESPACE}">\n${urls.join('\n')}\n</urlset>\n`
}

const page = (url: string, lastmod?: string) => ({ what: 'page', url, lastmod })

const RICH = `<?xml version="1.0"?>
<?xml-stylesheet type="text/xsl" href="sitemap.xsl"?>
<!-- made > by <hand> -->
<s:urlset xmlns:s="${NAMESPACE}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
  xmlns:xhtml='http://www.w3.org/1999/xhtml' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
  <s:url>
    <image:image><image:loc>https://a.example/i.png</image:loc></image:image>
    <image:loc>https://a.example/j.png</image:loc>
    <s:loc>
      https://a.example/?a=1&amp;b=&#50;&#x33;
    </s:loc>
    <xhtml:link rel="alternate" hreflang="de" href="https://a.example/de?x>y"/>
    <news:news><news:lastmod>1999-01-01</news:lastmod></news:news>
    <s:lastmod><![CDATA[2026-11-16]]></s:lastmod><s:changefreq>daily</s:changefreq>
  </s:url>
  <s:url><s:loc><![CDATA[https://a.example/?c&d=]]]]><![CDATA[>]]></s:loc><!-- none --></s:url>
  <s:url/>
  <other><s:loc>https://a.example/hidden</s:loc></other>
  <s:url><s:lastmod>2026</s:lastmod><s:loc>https://a.example/&uuml;&b</s:loc></s:url >
</s:urlset>`

const RICH_PAGES = [
  page('https://a.example/?a=1&b=23', '2026-11-16'),
  page('https://a.example/?c&d=]]>'),
  { what: 'page', url: undefined, lastmod: undefined },
  page('https://a.example/&uuml;&b', '2026'),
]

describe('a sitemap', () => {
  it('has pages and when they changed', async () => {
    const text = urlset(
      '<url><loc>https://a.example/1</loc><lastmod>2026-11-16T10:00Z</lastmod></url>',
      '<url><loc>https://a.example/2</loc></url>',
    )
    expect(await read(text)).toEqual([page('https://a.example/1', '2026-11-16T10:00Z'), page('https://a.example/2')])
    expect(await read(urlset())).toEqual([])
    // Without a namespace, and with a mark of the byte order.
    expect(await read('\ufeff<urlset><url><loc>/x</loc></url></urlset>')).toEqual([page('/x')])
  })

  it('may list others', async () => {
    const text = `<sitemapindex xmlns="${NAMESPACE}">
      <sitemap><loc>https://a.example/1.xml.gz</loc><lastmod>2026-11-16</lastmod></sitemap>
      <sitemap><loc>https://a.example/2.xml</loc></sitemap><url><loc>https://a.example/</loc></url></sitemapindex>`
    expect(await read(text)).toEqual([
      { what: 'sitemap', url: 'https://a.example/1.xml.gz', lastmod: '2026-11-16' },
      { what: 'sitemap', url: 'https://a.example/2.xml', lastmod: undefined },
    ])
  })

  it('is read whatever else stands in it, in pieces of any length', async () => {
    for (const length of [1, 2, 3, 7, 64, RICH.length]) expect(await read(RICH, length)).toEqual(RICH_PAGES)
  })

  it.each([
    ['nothing', '', 'line 1: there is nothing in it'],
    ['text', 'https://a.example/1\n', 'line 1: text stands outside of all tags: "https'],
    [
      'a page',
      '<!DOCTYPE html>\n<html><head>',
      'line 2: a sitemap begins with <urlset> or <sitemapindex>, received <html>',
    ],
    ['a feed', '<rss></rss>', 'line 1: a sitemap begins with <urlset> or <sitemapindex>, received <rss>'],
    ['no tag', urlset('<url><loc>x</loc></url>', '<>'), 'line 4: "<>" is no tag'],
    ['a name that is none', urlset('</"x">'), 'line 3: '],
    ['a wrong end', urlset('<url>', '<loc>x</url>'), 'line 4: </url> ends <loc>'],
    ['an end too many', `${urlset()}</urlset>`, 'line 5: </urlset> ends nothing'],
    ['two roots', `${urlset()}<urlset/>`, 'line 5: <urlset> stands behind the end'],
    ['text behind it', `${urlset()}\n\nx`, 'text stands outside of all tags: "x"'],
    ['no end', urlset().replace('</urlset>', ''), 'line 5: it ends before </urlset>'],
    ['half a tag', '<urlset>\n<url', 'line 2: it ends within a tag'],
    ['half a comment', '<urlset>\n<!-- x', 'it ends within a comment'],
    ['half an attribute', '<urlset a="x', 'line 1: it ends within a tag'],
    ['attributes that are none', '<urlset a=x>', 'line 1: the attributes of <urlset> are none: "a=x"'],
    ['attributes without a space', '<urlset a="x"b="y">', 'the attributes of <urlset> are none'],
    ['an attribute twice', '<urlset a="x" a="y">', 'the attributes of <urlset> are none'],
    ['a strange declaration', '<!ELEMENT x>', 'begins no part of XML'],
    [
      'a document type too late',
      '<urlset>\n<!DOCTYPE x></urlset>',
      'line 2: a document type has no place behind the first tag',
    ],
    ['too many levels', '<urlset>'.repeat(300), 'line 1: elements are more than 256 deep'],
    ['a tag without end', `<urlset ${'x'.repeat(70_000)}`, 'line 1: a tag is longer than 65536 characters'],
  ])('is refused with %s, naming the line', async (_, text, message) => {
    const refused = { code: 'MALFORMED', message: expect.stringContaining(message) }
    await expect(read(text)).rejects.toMatchObject(refused)
    await expect(read(text, 5)).rejects.toMatchObject(refused)
  })

  it('declares nothing that grows, and names no file', async () => {
    const declarations = '<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    const laughs = `<?xml version="1.0"?>${declarations}<urlset><url><loc>&b;</loc></url></urlset>`
    const message = 'line 1: a document type with declarations is not read'
    await expect(read(laughs)).rejects.toMatchObject({ code: 'MALFORMED', message })
    const external = '<!DOCTYPE urlset SYSTEM "file:///etc/passwd"><urlset><url><loc>&x;</loc></url></urlset>'
    expect(await read(external)).toEqual([page('&x;')])
  })

  it('keeps no text that is longer than an address or a date', async () => {
    const [entry] = await read(urlset(`<url><loc>${'x'.repeat(1_000_000)}</loc></url>`), 1000)
    expect(entry?.url?.length).toBe(8192)
  })

  it('gives what was put into it', async () => {
    await withSeed('sitemaps', async (seed) => {
      const random = new SeededRandom(seed)
      for (let nth = 0; nth < 200; nth++) {
        const entries = Array.from({ length: random.int(8) }, () => ({
          what: 'page',
          url: `https://a.example/${madeText(random)}`,
          lastmod: random.chance(0.5) ? `20${random.between(10, 99)}` : undefined,
        }))
        const text = urlset(...entries.map((entry) => written(entry, random)))
        expect(await read(text, random.between(1, 50))).toEqual(entries)
      }
    })
  })
})

function madeText(random: SeededRandom): string {
  return Array.from({ length: random.int(12) }, () =>
    random.pick([...'abc/?&<>"\'=#;]', 'é', '😀', ']]>', '&amp;']),
  ).join('')
}

function written({ url, lastmod }: { url: string; lastmod: string | undefined }, random: SeededRandom): string {
  const loc = `<loc>${random.chance(0.3) ? asCdata(url) : escaped(url, random)}</loc>`
  const date = lastmod === undefined ? '' : `<lastmod> ${lastmod}</lastmod>`
  const noise = random.pick([
    '',
    '<!-- <loc>no</loc> -->',
    '<priority>0.5</priority>',
    '<x:loc xmlns:x="y">no</x:loc>',
    '\n\t',
  ])
  return `<url>${random.shuffle([loc, date, noise]).join('')}</url>`
}

function asCdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}

function escaped(text: string, random: SeededRandom): string {
  const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
  return Array.from(text, (letter) => {
    if (!(letter in named)) return random.chance(0.1) ? `&#x${letter.codePointAt(0)?.toString(16)};` : letter
    return random.chance(0.3) ? `&#${letter.codePointAt(0)};` : named[letter]
  }).join('')
}
