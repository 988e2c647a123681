/** A report as one HTML file: no script, nothing to load, the same bytes for the same content. */
import type { CaptionedPlot, Report, Section } from './report.js'
import type { Table } from './table.js'

const STYLE = `
:root { color-scheme: light dark; --text: #222; --muted: #666; --page: #fff; --rule: #ddd; --accent: #1f4e9c;
  --plot-page: #fff; --plot-text: #222; --plot-rule: #e2e2e2; }
@media (prefers-color-scheme: dark) { :root { --text: #ddd; --muted: #999; --page: #16181c; --rule: #3a3d44;
  --accent: #8ab4f8; --plot-page: #16181c; --plot-text: #ccc; --plot-rule: #33363d; --series-1: #6ea8fe;
  --series-2: #ff9f5a; --series-3: #63c787; --series-4: #c98be0; --series-5: #ff7d92; --series-6: #b5b5b5;
  --series-7: #4cc4d4; --series-8: #dcc04a; } }
body { font: 15px/1.5 sans-serif; color: var(--text); background: var(--page); max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; }
.verdict { font-size: 1.2rem; line-height: 1.45; border-left: .25rem solid var(--accent); padding-left: 1rem;
  margin: 1.5rem 0; }
summary { cursor: pointer; padding: .4rem 0; border-top: 1px solid var(--rule); }
summary h2 { display: inline; font-size: 1.05rem; }
figcaption { color: var(--muted); font-size: .9rem; }
tr.strong td { font-weight: bold; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; border-bottom: 1px solid var(--rule); vertical-align: top; }
td.number, th.number { text-align: right; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 1rem 0; } svg { width: 100%; height: auto; }
.wide { overflow-x: auto; }
@media print { body { margin: 0; max-width: none; } figure, table { break-inside: avoid; } }
`

export function htmlReport({ title, verdict, settings, notes = [], sections }: Report): string {
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
    ...(verdict === undefined ? [] : [`<p class="verdict">${escaped(verdict)}</p>`]),
    ...(verdict === undefined ? settingsOf(settings) : folded('What was run', settingsOf(settings))),
    ...notes.map(paragraph),
    ...sections.flatMap(sectionOf),
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function settingsOf(settings: Report['settings']): string[] {
  return ['<dl>', ...settings.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`), '</dl>']
}

function folded(heading: string, content: readonly string[]): string[] {
  return ['<details>', `<summary><h2>${escaped(heading)}</h2></summary>`, ...content, '</details>']
}

function sectionOf({ heading, notes = [], plots = [], table, isFolded }: Section): string[] {
  const content = [...notes.map(paragraph), ...plots.map(figure), ...(table === undefined ? [] : tableOf(table))]
  if (isFolded === true) return folded(heading, content)
  return ['<section>', `<h2>${escaped(heading)}</h2>`, ...content, '</section>']
}

function figure(plot: string | CaptionedPlot): string {
  if (typeof plot === 'string') return `<figure>\n${plot}</figure>`
  return `<figure>\n${plot.svg}<figcaption>${escaped(plot.caption)}</figcaption>\n</figure>`
}

function paragraph(note: string): string {
  return `<p>${escaped(note)}</p>`
}

function tableOf({ columns, rows, strong = [] }: Table): string[] {
  const cell = (tag: 'td' | 'th', column: number, content: string) => {
    const look = columns[column]?.isNumber === true ? ' class="number"' : ''
    return `<${tag}${look}>${escaped(content)}</${tag}>`
  }
  const row = (cells: string[], isStrong = false) => `<tr${isStrong ? ' class="strong"' : ''}>${cells.join('')}</tr>`
  return [
    '<div class="wide"><table>',
    `<thead>${row(columns.map(({ name }, at) => cell('th', at, name)))}</thead>`,
    '<tbody>',
    ...rows.map((cells, nth) =>
      row(
        cells.map((content, at) => cell('td', at, content)),
        strong.includes(nth),
      ),
    ),
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
