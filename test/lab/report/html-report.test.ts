import { describe, expect, it } from 'vitest'
import { htmlReport } from '../../../src/lab/report/html.js'
import { drawPlot } from '../../../src/lab/report/plot.js'
import { type Report, reportText } from '../../../src/lab/report/report.js'
import { decimals, shareText, tableText } from '../../../src/lab/report/table.js'

const evil = '<img src="x" onerror="alert(1)">'
const report: Report = {
  title: `Quality ${evil}`,
  summary: 'one page',
  settings: [['data', evil]],
  sections: [
    {
      heading: evil,
      notes: [evil],
      plots: [drawPlot({ title: evil, xLabel: 'x', yLabel: 'y', series: [{ name: evil, points: [{ x: 1, y: 1 }] }] })],
      table: { columns: [{ name: evil }, { name: 'Q', isNumber: true }], rows: [[evil, '0.5']] },
    },
  ],
}

describe('a report', () => {
  it('is one file that loads nothing, whatever its content', () => {
    const html = htmlReport(report)
    expect(html).not.toContain('<img')
    expect(html).not.toMatch(/<script|<link|@import|url\(|<[^>]*\s(?:src|href)=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
    expect(html).toContain("default-src 'none'")
    // Title twice, name and note and so on: all of them are there, as text.
    expect(html.match(/&lt;img src=&quot;x&quot; onerror=&quot;alert\(1\)&quot;&gt;/g)).toHaveLength(10)
  })

  it('is printed without the sections and plots that are for the page only', () => {
    const table = { columns: [{ name: 'policy' }, { name: 'Q', isNumber: true }], rows: [['oracle', '0.5']] }
    const sections = [
      { heading: 'First', table },
      { heading: 'Second', printed: 'Qualities', notes: ['a note of the page'], table },
    ]
    const told = { ...report, notes: ['Nothing is lost.'], sections }
    expect(reportText(told)).toBe('one page\n\nNothing is lost.\n\nQualities\npolicy    Q\noracle  0.5')
    expect(htmlReport(told)).toContain('<p>Nothing is lost.</p>')
  })

  it('has what it was given, and is the same for the same content', () => {
    const html = htmlReport(report)
    expect(html).toContain('<td class="number">0.5</td>')
    expect(html).toContain('<figure>\n<svg xmlns=')
    expect(htmlReport(structuredClone(report))).toBe(html)
  })
})

describe('a table', () => {
  it('is aligned on a terminal, numbers to the right', () => {
    const columns = [{ name: 'policy' }, { name: 'Q', isNumber: true }, { name: 'note' }]
    const rows = [
      ['uniform', '0.5', ''],
      ['ours', '10.25', 'best'],
    ]
    expect(tableText({ columns, rows })).toBe('policy       Q  note\nuniform    0.5\nours     10.25  best')
    expect(tableText({ columns, rows: [] })).toBe('policy  Q  note')
  })

  it('has a sign for what cannot be said', () => {
    expect([decimals(0.123456, 3), decimals(null, 3), decimals(Number.NaN, 1)]).toEqual(['0.123', '–', '–'])
    expect([0.001, 0.0025, 1, 0.12345, undefined].map(shareText)).toEqual(['0.1%', '0.25%', '100%', '12.3%', '–'])
  })
})
