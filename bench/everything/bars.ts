/** Bars beside each other on a logarithmic scale, as an SVG: what several engines take for the same things. */

export interface BarGroup {
  readonly name: string
  /** By the name of the series; a series that is not there has no bar. */
  readonly values: Readonly<Record<string, number>>
}

export interface BarChart {
  readonly title: string
  /** What the values are, such as 'µs'. */
  readonly unit: string
  /** In the order of the bars of a group. */
  readonly series: readonly string[]
  readonly groups: readonly BarGroup[]
}

/** Told apart by people who do not see red and green apart, on white and on black. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8c8c8c', '#b8a100']
const WIDTH = 860
const NAME_WIDTH = 190
const VALUE_WIDTH = 70
const BAR = 13
const GROUP_GAP = 10
const TOP = 62

/** REQUIRES: at least one value above zero. */
export function drawBars({ title, unit, series, groups }: BarChart): string {
  const values = groups.flatMap((group) => Object.values(group.values)).filter((value) => value > 0)
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)))
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values) * 1.0001))
  const room = WIDTH - NAME_WIDTH - VALUE_WIDTH
  const xOf = (value: number) => NAME_WIDTH + (room * Math.log(value / low)) / Math.log(high / low)
  const parts: string[] = []
  let y = TOP
  for (const { name, values: own } of groups) {
    const shown = series.filter((one) => (own[one] ?? 0) > 0)
    const middle = y + (shown.length * BAR) / 2 + 4
    parts.push(`<text x="${NAME_WIDTH - 10}" y="${middle}" text-anchor="end">${escaped(name)}</text>`)
    for (const one of shown) {
      const value = own[one]!
      const end = Math.max(NAME_WIDTH + 1, xOf(value))
      const colour = COLOURS[series.indexOf(one) % COLOURS.length]
      parts.push(
        `<rect x="${NAME_WIDTH}" y="${y}" width="${rounded(end - NAME_WIDTH)}" height="${BAR - 2}" fill="${colour}">` +
          `<title>${escaped(`${name}, ${one}: ${shownValue(value)} ${unit}`)}</title></rect>`,
        `<text class="value" x="${rounded(end + 4)}" y="${y + BAR - 4}">${shownValue(value)}</text>`,
      )
      y += BAR
    }
    y += GROUP_GAP
  }
  const lines: string[] = []
  for (let tick = low; tick <= high * 1.001; tick *= 10) {
    const x = rounded(xOf(tick))
    lines.push(`<line x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${y - GROUP_GAP}"/>`)
    lines.push(`<text x="${x}" y="${TOP - 10}" text-anchor="middle">${shownValue(tick)}</text>`)
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img">`,
    `<title>${escaped(title)}</title>`,
    '<style>text{font:12px system-ui,sans-serif;fill:#222}.value{font-size:10px}line{stroke:#8886}',
    'rect.ground{fill:#fff}@media(prefers-color-scheme:dark){text{fill:#ddd}rect.ground{fill:#161616}}</style>',
    `<rect class="ground" width="${WIDTH}" height="${y}"/>`,
    `<text x="10" y="18" style="font-weight:600">${escaped(`${title} (${unit}, logarithmic, less is better)`)}</text>`,
    ...legend(series),
    ...lines,
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}

function legend(series: readonly string[]): string[] {
  let x = 10
  return series.flatMap((name, at) => {
    const place = x
    x += 26 + 7 * name.length
    return [
      `<rect x="${place}" y="27" width="10" height="10" fill="${COLOURS[at % COLOURS.length]}"/>`,
      `<text x="${place + 14}" y="36">${escaped(name)}</text>`,
    ]
  })
}

function shownValue(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
