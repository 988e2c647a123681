/** A report as one HTML file: no script, nothing to load, the same bytes for the same content. */
import type { Report, Section } from './report.js'
import type { Table } from './table.js'

const STYLE = `
body { font: 15px/1.5 sans-serif; color: #222; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; border-bottom: 1px solid #ddd; vertical-align: top; }
td.number, th.number { text-align: right; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dt { color: #666; } dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 1rem 0; } svg { width: 100%; height: auto; }
.wide { overflow-x: auto; }
@media print { body { margin: 0; max-width: none; } figure, table { break-inside: avoid; } }
`

export function htmlReport({ title, settings, notes = [], sections }: Report): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${escaped(title)}</h1>`,
    '<dl>',
    ...settings.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`),
    '</dl>',
    ...notes.map(paragraph),
    ...sections.flatMap(sectionOf),
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function sectionOf({ heading, notes = [], plots = [], table }: Section): string[] {
  return [
    '<section>',
    `<h2>${escaped(heading)}</h2>`,
    ...notes.map(paragraph),
    ...plots.map((plot) => `<figure>\n${plot}</figure>`),
    ...(table === undefined ? [] : tableOf(table)),
    '</section>',
  ]
}

function paragraph(note: string): string {
  return `<p>${escaped(note)}</p>`
}

function tableOf({ columns, rows }: Table): string[] {
  const cell = (tag: 'td' | 'th', column: number, content: string) => {
    const look = columns[column]?.isNumber === true ? ' class="number"' : ''
    return `<${tag}${look}>${escaped(content)}</${tag}>`
  }
  const row = (cells: string[]) => `<tr>${cells.join('')}</tr>`
  return [
    '<div class="wide"><table>',
    `<thead>${row(columns.map(({ name }, at) => cell('th', at, name)))}</thead>`,
    '<tbody>',
    ...rows.map((cells) => row(cells.map((content, at) => cell('td', at, content)))),
    '</tbody>',
    '</table></div>',
  ]
}

/** Text from outside as markup: HTML and XML alike, in elements and in quoted attributes. */
export function escaped(text: string): string {
  return (
    text
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;')
      .replace(/'/g, '&#39;')
      // Control characters and halves of a pair, which the two cannot hold.
      .replace(/(?![\t\n])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd')
  )
}
