import { basename } from 'node:path'
import { CONTENDER_TITLES, CONTENDERS, type ContenderName } from '../bench/contender.js'
import { inventedPages, type PageSet, pagesOf } from '../bench/pages.js'
import { KINDS, type Kind } from '../bench/questions.js'
import { type BenchReport, type ContenderSummary, runBench } from '../bench/run.js'
import { command } from '../command.js'
import { argument, choice, flag, integer, oneOrMore, optional, seed, withDefault } from '../options.js'
import { withProgress } from '../output/progress.js'
import { byteSize, count, percent, significant, table, thousands, wrapped } from '../output/wording.js'

export const bench = command({
  name: 'bench',
  summary: 'measure indexing, replacing and searching beside FTS5 and FlexSearch, with your documents or invented ones',
  args: [argument<string | undefined>('[file]', 'a file of JSON lines, one document each; nothing: invented pages')],
  options: {
    json: flag('print one JSON document'),
    key: optional('<name>', 'the property that identifies a document (default: url, id, key, path or slug)'),
    field: optional('<name>', 'a property to search; once for each (default: all texts)', addName),
    analyzer: choice('<name>', 'how text becomes words', ['english', 'standard'], 'english'),
    pages: withDefault('<n>', 'most pages to take, 10 to 1000000', 12_000, integer(10, 1_000_000)),
    rounds: withDefault('<n>', 'how often each engine has its turn, 1 to 99', 3, integer(1, 99)),
    engines: withDefault('<names>', `some of ${CONTENDERS.join(', ')}`, CONTENDERS, oneOrMore(CONTENDERS)),
    seed: withDefault('<n>', 'of pages, revisions and questions, 0 to 4294967295', 1, seed),
  },
  examples: [
    'freshdex bench',
    'freshdex bench pages.jsonl',
    'freshdex bench pages.jsonl --key url --field title --field body --rounds 5 --json',
  ],
  sections: {
    'What is measured': [
      'Each engine has a process of its own and takes its turn in each round; numbers are medians over the rounds.',
      'A quarter of the pages is written anew, changed as pages of real sites are, 100 in a write.',
      '`freshdex` measures what each change did to the answers, `search only` is freshdex without that.',
    ].join('\n'),
  },
  async run([file], { key, field: fields, analyzer, pages, rounds, engines, seed }) {
    const set = await pageSet(file, { key, fields, pages, seed })
    const report = await withProgress(rounds * engines.length, 'turns', (update) =>
      runBench({
        ...{ set, rounds, seed, only: engines, isEnglish: analyzer === 'english' },
        onPart: (done) => update({ part: done, things: done }),
      }),
    )
    return { json: report, text: benchText(report), warnings: warningsOf(report) }
  },
})

function addName(name: string, sofar: readonly string[] = []): readonly string[] {
  return [...sofar, name]
}

interface Wanted {
  readonly key: string | undefined
  readonly fields: readonly string[] | undefined
  readonly pages: number
  readonly seed: number
}

function pageSet(file: string | undefined, { key, fields, pages, seed }: Wanted): PageSet | Promise<PageSet> {
  if (file === undefined) return inventedPages(pages, seed)
  return pagesOf({ file, name: basename(file), key, fields, most: pages })
}

type Cell = (summary: ContenderSummary) => string

const KIND_TITLES: Readonly<Record<Kind, string>> = {
  word: 'a word',
  all: 'two words',
  any: 'any of three words',
  phrase: 'a phrase of two words',
}

const ROWS: readonly (readonly [title: string, cell: Cell])[] = [
  ['index, MB in a second of CPU time', ({ indexMegabytesPerCpuSecond }) => significant(indexMegabytesPerCpuSecond)],
  ['replace a page, µs of CPU time', ({ replaceCpuUsPerPage }) => significant(replaceCpuUsPerPage)],
  ['… lowest and highest round', ({ replaceCpuUsRange }) => replaceCpuUsRange.map(significant).join(' – ')],
  ['write a single page, µs (p50)', ({ singleWriteP50WallUs }) => significant(singleWriteP50WallUs)],
  ...KINDS.map((kind): [string, Cell] => [
    `find ${KIND_TITLES[kind]}, µs: p50 (p99)`,
    ({ search }) => {
      const latency = search[kind]
      return latency === undefined ? '–' : `${significant(latency.p50Us)} (${significant(latency.p99Us)})`
    },
  ]),
  ['on disk, merged, pages stored', ({ diskBytes }) => (diskBytes === null ? 'nothing' : byteSize(diskBytes))],
  ['memory after loading', ({ loadedBytes }) => byteSize(Math.max(0, loadedBytes))],
]

const COLUMNS = 100

export function benchText(report: BenchReport): string {
  const { pages, rounds, machine, contenders, absent } = report
  const names = CONTENDERS.filter((name) => contenders[name] !== undefined)
  const header = ['', ...names.map((name) => `${CONTENDER_TITLES[name]}${versionOf(name, contenders[name]!)}`)]
  const rows = ROWS.map(([title, cell]) => [title, ...names.map((name) => cell(contenders[name]!))])
  const [before, after] = machine.loadAverage
  const isInvented = pages.name === 'invented'
  const ofPages = `${count(pages.count, isInvented ? 'invented page' : 'page')}, ${byteSize(pages.textBytes)} of text`
  const source = isInvented ? '' : ` (${pages.name}: ${pages.fields.join(', ')})`
  const ofMachine = `${machine.cpu}, ${count(machine.cores, 'core')}, Node ${machine.node}`
  return [
    `${ofPages}${source}, ${thousands(pages.revisions)} of them written anew; ${count(rounds, 'round')}`,
    `${ofMachine}, load average ${before} before, ${after} after`,
    '',
    table([header, ...rows]),
    '',
    ...wrapped(conclusion(contenders), COLUMNS),
    ...Object.entries(absent).map(([name, why]) => `Without ${CONTENDER_TITLES[name as ContenderName]}: ${why}.`),
  ].join('\n')
}

function versionOf(name: ContenderName, { version }: ContenderSummary): string {
  return name === 'plain' ? '' : ` ${version}`
}

/** What the table comes to, where both sides took part. */
function conclusion({ freshdex, plain, fts5 }: BenchReport['contenders']): string {
  const parts: string[] = []
  if (plain !== undefined && fts5 !== undefined) {
    const times = fts5.replaceCpuUsPerPage / plain.replaceCpuUsPerPage
    const ofText = times >= 1 ? `${significant(times)} times less` : `${significant(1 / times)} times more`
    parts.push(`Without measuring, freshdex replaces a page in ${ofText} CPU time than FTS5.`)
  }
  if (plain !== undefined && freshdex !== undefined) {
    const addedUs = freshdex.replaceCpuUsPerPage - plain.replaceCpuUsPerPage
    const ofFts5 = fts5 === undefined ? '' : `, ${percent(addedUs / fts5.replaceCpuUsPerPage)} of what FTS5 takes`
    const us = significant(Math.abs(addedUs))
    parts.push(`Measuring what each change did to the answers ${addedUs < 0 ? 'takes off' : 'adds'} ${us} µs${ofFts5}.`)
  }
  return parts.join(' ')
}

/** Times mean little where others are at work. */
function warningsOf({ machine }: BenchReport): string[] {
  const [before, after] = machine.loadAverage
  const most = Math.max(before, after - 2)
  if (most <= machine.cores / 2) return []
  return [`the machine was busy with other things (load average ${before} before, ${after} after): measure again`]
}
