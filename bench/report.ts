/** Puts a result before people: as a table, as JSON, as a file under bench/results. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Bench, BenchRequest, Outcome } from './bench.js'
import { type Commit, describeCommit, describeMachine, describePrograms, type Machine, REPOSITORY } from './machine.js'
import type { Elapsed } from './stopwatch.js'

const WIDEST_CELL = 60

/** One measurement, with all that is needed to repeat it. */
export interface Run extends Commit {
  /** The data set by its name. */
  readonly run: string
  /** Who wrote commit and machine down: results from before they were recorded have them from the git history. */
  readonly recordedBy: string
  readonly machine: Machine & Readonly<Record<string, unknown>>
  readonly options: Readonly<Record<string, number | string>>
  readonly wallSeconds: number
  /** Of all threads of this process; a peer in a process of its own is not counted. */
  readonly cpuSeconds: number
  readonly result: object
}

/** All runs of one benchmark on one day: a file of bench/results. */
export interface Report {
  readonly bench: string
  readonly date: string
  readonly runs: readonly Run[]
}

export function toReport(bench: Bench, request: BenchRequest, outcome: Outcome, { wallUs, cpuUs }: Elapsed): Report {
  const options = Object.entries(request.values).filter(([name]) => bench.options[name]?.kind !== 'folder')
  const run = {
    run: request.dataset,
    ...describeCommit(),
    recordedBy: 'the benchmark',
    machine: { ...describeMachine(), ...describePrograms(), ...outcome.programs },
    options: Object.fromEntries(options),
    wallSeconds: rounded(wallUs / 1e6) as number,
    cpuSeconds: rounded(cpuUs / 1e6) as number,
    result: rounded(outcome.result) as object,
  }
  return { bench: bench.name, date: new Date().toISOString().slice(0, 10), runs: [run] }
}

/** Single values line by line, then what is the same for several things as a grid. */
export function toTable({ bench, date, runs }: Report): string {
  return runs.map(({ result, ...rest }) => tableOf({ bench, date, ...rest, ...result })).join('\n\n')
}

function tableOf(values: object): string {
  const parts = [...partsOf(values)]
  const lines = parts.flatMap(([name, part]) => (typeof part === 'string' ? [[name, part]] : []))
  const grids = parts.flatMap(([name, part]) => (typeof part === 'string' ? [] : [gridOf(name, part)]))
  return [aligned(lines), ...grids].join('\n\n')
}

/**
 * Writes the report into the file of its benchmark and day, in place of an earlier run on the same data, and the plot,
 * if there is one, beside it. Returns the path of the file within the repository.
 */
export function save(report: Report, plot: string | undefined): string {
  const name = path.join('bench', 'results', `${report.date}-${report.bench}`)
  const file = path.join(REPOSITORY, `${name}.json`)
  mkdirSync(path.dirname(file), { recursive: true })
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report).runs : []
  const names = report.runs.map(({ run }) => run)
  const runs = [...earlier.filter(({ run }) => !names.includes(run)), ...report.runs]
  writeFileSync(file, `${JSON.stringify({ ...report, runs }, null, 2)}\n`)
  if (plot !== undefined) writeFileSync(path.join(REPOSITORY, `${name}-${names.join('-')}.svg`), plot)
  return `${name}.json`
}

type Grid = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The columns of an object of two or more objects that have the same flat properties; otherwise undefined. */
function gridColumns(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const rows: unknown[] = Object.values(value)
  if (rows.length < 2 || !rows.every((row) => typeof row === 'object' && row !== null)) return undefined
  const columns = rows.map((row) => Object.keys(row as object).join())
  const isFlat = rows.every((row) => Object.values(row as object).every((cell) => typeof cell !== 'object'))
  return isFlat && new Set(columns).size === 1 ? Object.keys(rows[0] as object) : undefined
}

function gridOf(name: string, grid: Grid): string {
  const columns = gridColumns(grid)!
  const rows = Object.entries(grid).map(([row, cells]) => [row, ...columns.map((column) => shown(cells[column]))])
  return aligned([[name, ...columns], ...rows])
}

function aligned(rows: readonly (readonly string[])[]): string {
  // A cell that is a sentence stands out: it makes no column wide.
  const widthOf = (cell: string) => (cell.length > WIDEST_CELL ? 0 : cell.length)
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]!))))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ')
  return rows.map(line).join('\n')
}

/** Single values as text, and grids, each with the path of its name. */
function* partsOf(value: unknown, name = ''): Generator<[string, string | Grid]> {
  if (typeof value !== 'object' || value === null) yield [name, shown(value)]
  else if (gridColumns(value) !== undefined) yield [name, value as Grid]
  else for (const [part, inner] of Object.entries(value)) yield* partsOf(inner, name === '' ? part : `${name}.${part}`)
}

function shown(value: unknown): string {
  if (typeof value !== 'number') return String(value)
  return value.toLocaleString('en-US', Number.isInteger(value) ? {} : { maximumSignificantDigits: 6 })
}

/** More than six digits of a measurement are noise; counts stay whole. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(6))
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rounded(inner)]))
}
