import { describe, expect, it } from 'vitest'
import { drawBars } from '../../bench/everything/bars.js'
import { anomaliesOf, digestOf } from '../../bench/everything/digests.js'
import { resultPage, type Section } from '../../bench/everything/page.js'

const quartiles = (median: number) => ({ median, p25: median - 1, p75: median + 1 })
const overhead = {
  usPerPage: { on: quartiles(250), off: quartiles(190), bare: quartiles(163), fts5: quartiles(377) },
  addedUsPerPage: { onBeyondBare: quartiles(90) },
  shareOfFts5: 0.24,
  busyness: { isTooBusy: true, because: ['the load average was high'] },
  account: { ofWhatIsAdded: { agrees: false, ratio: 0.82 } },
}
const machine = {
  cpu: 'a processor',
  cores: 2,
  memoryGiB: 24,
  platform: 'linux-x64',
  loadAverage: 0.5,
  node: '20.19.0',
}

function section(bench: string, result: object, more: Partial<Section> = {}): Section {
  const run = {
    ...{ run: 'pages', commit: 'abc', isDirty: false, recordedBy: 'the benchmark', machine, options: {} },
    ...{ wallSeconds: 61.4, cpuSeconds: 60, result },
  }
  return { bench, question: 'How fast?', data: 'pages', run, isClaimKept: true, file: `${bench}.json`, ...more }
}

describe('the page about all benchmarks', () => {
  it('has a table, bars and the file of a benchmark that it knows', () => {
    const { text, plots } = resultPage('2026-01-02', [section('overhead', overhead, { isClaimKept: false })])
    expect(text).toContain('| everything on | 250 | 249 to 251 |')
    expect(text).toContain('| the prioritizer adds | 90 | 24% |')
    expect(text).toContain('![CPU time of a refreshed page](2026-01-02-overhead-pages-bars.svg)')
    expect(text).toContain('Took 61 s; load average 0.5 at its end. All numbers: [overhead.json](overhead.json).')
    expect(text).toContain('Versions: node 20.19.0.')
    expect(Object.keys(plots)).toEqual(['2026-01-02-overhead-pages-bars.svg'])
  })

  it('names first what a reader would stumble over', () => {
    const { text } = resultPage('2026-01-02', [
      section('overhead', overhead, { isClaimKept: false }),
      section('replay', {}, { run: undefined, isClaimKept: false, failure: 'there is no JDK' }),
    ])
    const standsOut = text.slice(text.indexOf('## What stands out'), text.indexOf('## overhead'))
    expect(standsOut.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      expect.stringMatching(/^- \*\*overhead, pages\.\*\* The claim does not hold\. Most of what/),
      '- **overhead, pages.** The machine was too busy to tell: the load average was high.',
      '- **overhead, pages.** The account of reports tells 82% of what is added.',
      '- **replay, pages** was not measured: there is no JDK',
    ])
  })

  it('has what loading and single writes cost beside other engines', () => {
    const built = { cpuSeconds: quartiles(9), wallSeconds: quartiles(12) }
    const load = { documents: 100, cores: 2, oneCore: { freshdex: built, fts5: built } }
    const { text, plots } = resultPage('2026-01-02', [section('load', load)])
    expect(text).toContain('| one core, CPU s | 9 | 9 |')
    expect(text).not.toContain('2 cores, CPU s')
    expect(Object.keys(plots)).toEqual(['2026-01-02-load-pages-bars.svg'])
    const written = { cpuUsPerPage: quartiles(40), writeP50Us: quartiles(70) }
    const replace = { sections: { weekly: { freshdex: written }, 'one page a write': { freshdex: written } } }
    expect(digestOf('replace', replace)?.rows).toEqual([
      ['weekly', '40'],
      ['one page a write', '40'],
      ['one page a write: on the wall, p50', '70'],
    ])
  })

  it('does without a digest where a result is not as it was', () => {
    expect(digestOf('overhead', { usPerPage: {} })).toBeUndefined()
    expect(digestOf('signals', { anything: 1 })).toBeUndefined()
    expect(resultPage('2026-01-02', [section('overhead', {})]).text).toContain('All numbers: [overhead.json]')
  })

  it('tells where others are ahead, what is missing, and what grows faster than the pages', () => {
    const result = {
      absent: { lucene: 'no JDK' },
      behind: { 'exact, term, p50': { peer: 'tantivy', freshdexUs: 8.04, peerUs: 7 } },
      growth: { given: { or: { 'p50 exponent to 1000000': 1.2 }, and: { 'p50 exponent to 1000000': 0.9 } } },
    }
    expect(anomaliesOf('growth', result, true)).toEqual([
      'Without lucene: no JDK.',
      'Behind tantivy in exact, term, p50: 8.04 µs against 7 µs.',
      'given, or: the median grows with an exponent of 1.2.',
    ])
  })
})

describe('bars', () => {
  const chart = {
    title: 'Times <of> "all"',
    unit: 'µs',
    series: ['a', 'b'],
    groups: [
      { name: 'first', values: { a: 10, b: 1000 } },
      { name: 'second', values: { b: 3 } },
    ],
  }

  it('are as long as the logarithm of their values', () => {
    const widths = [...drawBars(chart).matchAll(/x="190" y="\d+" width="([\d.]+)"/g)].map(([, width]) => Number(width))
    // From 1 to 1,000 on 600 units of width; the scale ends at the next power of ten.
    expect(widths).toHaveLength(3)
    expect(widths[1]! / widths[0]!).toBeCloseTo(3, 1)
    expect(widths[2]! / widths[0]!).toBeCloseTo(Math.log10(3), 1)
  })

  it('escape what they are called', () => {
    expect(drawBars(chart)).toContain('<title>Times &lt;of&gt; &quot;all&quot;</title>')
  })
})
