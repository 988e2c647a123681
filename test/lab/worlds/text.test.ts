import { describe, expect, it } from 'vitest'
import { decodeEntities, htmlText } from '../../../src/lab/worlds/text/html-text.js'
import { markdownText, pageTextOf } from '../../../src/lab/worlds/text/markdown-text.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

describe('the text of HTML', () => {
  it('is what a reader sees, block by block', () => {
    const html = `<!DOCTYPE html><html><head><meta charset=utf-8><title>Ferry
      &amp; pier</title><style>p { color: red }</style></head>
      <body class="a>b"><!-- not <p>this</p> --><h1>Time<em>table</em></h1><p>Leaves at <b>dawn</b>,
      comes&nbsp;back at dusk.<br/>Every day<script>if (a < b) alert("</p>")</script>.</p>
      <ul><li>1 &lt; 2<li>caf&#233; &#x2014; &unknown; AT&T</ul><textarea><b>raw</b></textarea>a < b</body></html>`
    expect(htmlText(html)).toEqual({
      title: 'Ferry & pier',
      text:
        'Timetable\nLeaves at dawn, comes back at dusk.\nEvery day\n.\n' +
        '1 < 2\ncafé — &unknown; AT&T\n<b>raw</b>\na < b',
    })
  })

  it('has the first heading for a title where there is no other', () => {
    expect(htmlText('<p>x</p><h1>One <i>two</i></h1><h1>Three</h1>').title).toBe('One two')
    expect(htmlText('<title> </title><h1>One</h1>').title).toBe('One')
    expect(htmlText('plain').title).toBe('')
  })

  it('ends with the page, whatever is left open', () => {
    for (const open of ['<', '<p', '<p a="', '<!--', '<!', '<?', '<script>x', '<title>t', '</', '<h1>']) {
      expect(htmlText(`seen${open}`).text.startsWith('seen')).toBe(true)
    }
  })

  it('holds no tag of any page put together by chance', () => {
    withSeed('random html', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 300; round++) {
        let html = ''
        let expected = ''
        for (let part = random.between(1, 12); part > 0; part--) {
          const word = `w${random.int(1000)}`
          const tag = random.pick(['p', 'div', 'li', 'section', 'H2'])
          const hidden = random.pick(['', '<script>x<p></script>', '<!-- a > b -->', '<style>i{}</style >'])
          html += `<${tag} title='a > "b"'>${hidden}${word}</${tag}>`
          expected += `${word}\n`
        }
        expect(htmlText(html).text).toBe(expected.trim())
      }
    })
  })
})

describe('character references', () => {
  it('become characters that text may have', () => {
    expect(decodeEntities('&lt;&#65;&#x42;&eacute;&hellip;')).toBe('<AB\u00e9\u2026')
    expect(decodeEntities('&#0;&#xD800;&#9999999;')).toBe('\ufffd\ufffd\ufffd')
    expect(decodeEntities('&toString; &amp')).toBe('&toString; &amp')
  })
})

describe('the text of Markdown', () => {
  it('is what a reader sees, line by line', () => {
    const markdown = [
      '---',
      'layout: page',
      'title: "The \\"ferry\\""',
      '---',
      '# Timetable {#times}',
      '',
      'See [the *pier*](http://x.org/a_(b) "t"), ![a map](m.png) or [prices][p] and <https://y.org/z>.',
      '> - **Bold** and _soft_, snake_case, 2 * 3, `a*b <i>` and ``x ` y``  ',
      '<!-- hidden',
      'still hidden --> shown <b class="x">tag</b> &amp; \\*star\\*',
      '1. [x] done {{< note >}} {% include a %}',
      '```js',
      'const a = *b*  // # no heading',
      '```',
      '| a | b |',
      '|---|:-:|',
      '| 1 | 2 |',
      '***',
      '[p]: http://z.org "definition"',
      '[^1]: a footnote',
      '<script>',
      'alert(1)',
      '</script>',
      '~~old~~ [![badge](b.svg)](c)',
    ].join('\n')
    expect(markdownText(markdown)).toEqual({
      title: 'The "ferry"',
      text: [
        'Timetable',
        'See the pier, a map or prices and https://y.org/z.',
        'Bold and soft, snake_case, 2 * 3, a*b <i> and x ` y',
        'shown tag & *star*',
        'done',
        'const a = *b*  // # no heading',
        'a b',
        '1 2',
        '[^1]: a footnote',
        'old badge',
      ].join('\n'),
    })
  })

  it('has the first heading of the first level for a title where there is no other', () => {
    expect(markdownText('## Second\n\n# First\n').title).toBe('First')
    expect(markdownText('## Second\ntext').title).toBe('Second')
    expect(markdownText('Under\n=====\n# Later').title).toBe('Under')
    expect(markdownText('no heading').title).toBe('')
    expect(markdownText('+++\ntitle = "Toml"\n+++\n# Other').title).toBe('Toml')
    expect(markdownText("---\ntitle: 'It''s'\n---\n").title).toBe("It's")
  })

  it('takes a rule that ends no front matter for a rule', () => {
    expect(markdownText('---\ntitle: x\n\ntext').text).toBe('title: x\ntext')
    expect(markdownText('text\n\n---\n\nmore').text).toBe('text\nmore')
  })

  it('ends code where it ends, and at the end of the page', () => {
    expect(markdownText('~~~\n```\n# a\n~~~~\nb *c*').text).toBe('```\n# a\nb c')
    expect(markdownText('```\nopen *code*').text).toBe('open *code*')
  })

  it('takes a line that is all marks in no more than a moment', () => {
    for (const marks of [
      '[',
      '](',
      '`',
      '*_',
      '<a',
      '{{<',
      '<!--',
      '<!---->',
      '<style></style>',
      '| ',
      '[a](',
      '# ',
      '> ',
      '\\',
    ]) {
      expect(markdownText(marks.repeat(20_000)).text.length).toBeLessThan(200_000)
    }
  })
})

describe('the text of a file', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)

  it('follows from its name', () => {
    expect(pageTextOf('a.MD', bytes('# *T*'))).toEqual({ title: 'T', text: 'T' })
    expect(pageTextOf('a/b.html', bytes('---\ntitle: T\n---\n<p>x'))).toEqual({ title: 'T', text: 'x' })
    expect(pageTextOf('notes.txt', bytes(' *x* \n'))).toEqual({ title: '', text: '*x*' })
  })

  it('is none where the bytes are none', () => {
    expect(pageTextOf('a.md', Uint8Array.of(0x61, 0xff))).toBeUndefined()
    expect(pageTextOf('a.md', Uint8Array.of(0x61, 0))).toBeUndefined()
  })
})
