/**
 * Runs all benchmarks, each in a process of its own, with every data set below a folder that it can take. Results are
 * saved as each benchmark saves its own, and a page about them is written beside them.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Bench, Misuse } from '../bench.js'
import { REPOSITORY } from '../machine.js'
import type { Report } from '../report.js'
import { resultPage, type Section } from './page.js'

export interface AllRequest {
  /** Of data sets, or a data set itself. */
  readonly folder: string
  /** Names of benchmarks; undefined: all. */
  readonly only: readonly string[] | undefined
  readonly progress: (text: string) => void
}

export interface AllReport {
  readonly date: string
  /** From the root of the repository. */
  readonly page: string
  readonly benches: readonly {
    readonly bench: string
    readonly data: string
    readonly isClaimKept: boolean
    readonly failure?: string
  }[]
}

const SNAPSHOTS = 'pages.ndjson.gz'
const COLLECTION = 'pages.ndjson.br'
const GENERATED = 'generated'
const RESULTS = path.join('bench', 'results')
const EXIT_CLAIM_FAILED = 1
const MOST_OUTPUT_BYTES = 2 ** 28

export function runAll(benches: readonly Bench[], { folder, only, progress }: AllRequest): AllReport {
  const unknown = only?.find((name) => !benches.some((bench) => bench.name === name))
  if (unknown !== undefined) throw new Misuse(`--only: no benchmark is called ${unknown}`)
  const sets = dataSetsBelow(folder)
  if (sets.length === 0) throw new Misuse(`--data: no folder below ${folder} has ${SNAPSHOTS} or ${COLLECTION}`)
  const wanted = benches.filter(({ name }) => only === undefined || only.includes(name))
  const sections = wanted.flatMap((bench) =>
    dataFor(bench, sets).map((data) => {
      progress(`${bench.name}, ${data === GENERATED ? data : path.basename(data)}`)
      return sectionOf(bench, data)
    }),
  )
  const date = new Date().toISOString().slice(0, 10)
  const { text, plots } = resultPage(date, sections)
  const results = path.join(REPOSITORY, RESULTS)
  mkdirSync(results, { recursive: true })
  for (const [name, plot] of Object.entries(plots)) writeFileSync(path.join(results, name), plot)
  writeFileSync(path.join(results, `${date}.md`), text)
  return {
    date,
    page: path.join(RESULTS, `${date}.md`),
    benches: sections.map(({ bench, data, isClaimKept, failure }) => ({
      ...{ bench, data, isClaimKept },
      ...(failure === undefined ? {} : { failure }),
    })),
  }
}

/** Small sets are made for trying things out; what is measured on them says nothing. */
function dataSetsBelow(folder: string): string[] {
  const isSet = (each: string) => [SNAPSHOTS, COLLECTION].some((name) => existsSync(path.join(each, name)))
  if (isSet(folder)) return [folder]
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith('-mini'))
    .map((entry) => path.join(folder, entry.name))
    .filter(isSet)
    .sort()
}

function dataFor(bench: Bench, sets: readonly string[]): string[] {
  if (bench.isGenerated) return [GENERATED]
  const files =
    bench.takesCollection === true ? [COLLECTION] : bench.takesCollection ? [COLLECTION, SNAPSHOTS] : [SNAPSHOTS]
  return sets.filter((set) => files.some((file) => existsSync(path.join(set, file))))
}

function sectionOf(bench: Bench, data: string): Section {
  const program = fileURLToPath(new URL('../run.js', import.meta.url))
  const ofData = data === GENERATED ? [] : ['--data', data]
  const args = [program, bench.name, ...ofData, '--json', '--save']
  const { status, stdout, stderr, error, signal } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT_BYTES,
  })
  const name = data === GENERATED ? data : path.basename(data)
  const facts = { bench: bench.name, question: bench.question, data: name, isClaimKept: status === 0 }
  if (error !== undefined) return { ...facts, run: undefined, failure: error.message }
  if (stdout === '' || (status !== 0 && status !== EXIT_CLAIM_FAILED)) {
    const said = (stderr.trim().split('\n').at(-1) ?? '').replace(/^bench: /, '')
    return { ...facts, run: undefined, failure: said === '' ? `it ended with ${signal ?? `status ${status}`}` : said }
  }
  const report = JSON.parse(stdout) as Report
  const file = `${report.date}-${bench.name}.json`
  const plot = `${report.date}-${bench.name}-${name}.svg`
  const hasPlot = existsSync(path.join(REPOSITORY, RESULTS, plot))
  return { ...facts, run: report.runs[0], file, ...(hasPlot ? { plot } : {}) }
}
