/** The page about a run of all benchmarks, in Markdown: bench/results/<date>.md. */
import type { Run } from '../report.js'
import { drawBars } from './bars.js'
import { anomaliesOf, digestOf } from './digests.js'

export interface Section {
  readonly bench: string
  readonly question: string
  readonly data: string
  /** Undefined: it could not be run, for `failure`. */
  readonly run: Run | undefined
  readonly isClaimKept: boolean
  readonly failure?: string
  /** The file with all numbers, and that of the benchmark's own plot. */
  readonly file?: string
  readonly plot?: string
}

export interface ResultPage {
  readonly text: string
  /** SVGs by file name. */
  readonly plots: Readonly<Record<string, string>>
}

export function resultPage(date: string, sections: readonly Section[]): ResultPage {
  const plots: Record<string, string> = {}
  const anomalies: string[] = []
  const body = sections.flatMap((section) => {
    const { bench, question, data, run, isClaimKept, failure, file, plot } = section
    const heading = [`## ${bench}, ${data}`, '', question, '']
    if (run === undefined) {
      anomalies.push(`**${bench}, ${data}** was not measured: ${failure}`)
      return [...heading, `Not measured: ${failure}`, '']
    }
    const digest = digestOf(bench, run.result)
    const lines = [...heading]
    if (digest !== undefined) lines.push(...markdownTable(digest.header, digest.rows), '')
    if (digest?.chart !== undefined) {
      const name = `${date}-${bench}-${data}-bars.svg`
      plots[name] = drawBars(digest.chart)
      lines.push(`![${digest.chart.title}](${name})`, '')
    }
    if (plot !== undefined) lines.push(`![${question}](${plot})`, '')
    for (const found of anomaliesOf(bench, run.result, isClaimKept)) anomalies.push(`**${bench}, ${data}.** ${found}`)
    const { loadAverage } = run.machine
    const took = `${Math.round(run.wallSeconds)} s`
    lines.push(`Took ${took}; load average ${loadAverage} at its end. All numbers: [${file}](${file}).`, '')
    return lines
  })
  const text = [
    `# Benchmarks of ${date}`,
    '',
    ...machineLines(sections),
    '',
    ...(anomalies.length === 0 ? [] : ['## What stands out', '', ...anomalies.map((line) => `- ${line}`), '']),
    ...body,
  ].join('\n')
  return { text: `${text.trimEnd()}\n`, plots }
}

function machineLines(sections: readonly Section[]): string[] {
  const run = sections.find((section) => section.run !== undefined)?.run
  if (run === undefined) return ['Nothing could be measured.']
  const { cpu, cores, memoryGiB, platform, loadAverage: _, ...programs } = run.machine
  const versions = new Map<string, unknown>()
  for (const section of sections) {
    const { cpu: _cpu, cores: _c, memoryGiB: _m, platform: _p, loadAverage: _l, ...own } = section.run?.machine ?? {}
    for (const [name, version] of Object.entries({ ...programs, ...own })) versions.set(name, version)
  }
  const dirty = sections.some((section) => section.run?.isDirty)
  return [
    `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${platform}.`,
    `Commit ${run.commit}${dirty ? ', with changes that were not committed' : ''}.`,
    `Versions: ${[...versions].map(([name, version]) => `${name} ${version}`).join(', ')}.`,
    'Ratios within one run travel between machines; microseconds do not.',
  ]
}

function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(header), line(header.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)]
}
