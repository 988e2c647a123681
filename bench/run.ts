/**
 * The menu of the benchmarks: npm run bench -- NAME [--data DIR] [--json] [--save] [options]
 *
 * Without a name, `freshdex bench` is run on invented pages; `all` runs every benchmark and writes a page about it.
 *
 * stdout holds the result only, as a table or as one JSON document; progress goes to stderr.
 * Exit codes: 0 measured, 1 a claim does not hold or the run broke, 2 misuse.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Bench, BenchRequest, Misuse, type OptionSpec, type Outcome } from './bench.js'
import { columns } from './columns.js'
import { deadlines } from './deadlines.js'
import { delta } from './delta.js'
import { estimate } from './estimate.js'
import { runAll } from './everything/all.js'
import { frontier } from './frontier.js'
import { growth } from './growth.js'
import { holds } from './holds.js'
import { load } from './load.js'
import { loop } from './loop.js'
import { luceneParity } from './lucene-parity.js'
import { REPOSITORY } from './machine.js'
import { memory } from './memory-and-bytes.js'
import { million } from './million.js'
import { next } from './next.js'
import { open } from './open.js'
import { overhead } from './overhead.js'
import { overheadSizes } from './overhead-sizes.js'
import { peers } from './peers.js'
import { policies } from './policies.js'
import { queries } from './queries.js'
import { replace } from './replace.js'
import { replay } from './replay.js'
import { save, toReport, toTable } from './report.js'
import { runningTime } from './running-time.js'
import { schedule } from './schedule.js'
import { signals } from './signals.js'
import { snippets } from './snippets.js'
import { elapsed } from './stopwatch.js'

const BENCHES: readonly Bench[] = [
  luceneParity,
  replay,
  replace,
  delta,
  load,
  queries,
  peers,
  growth,
  memory,
  loop,
  open,
  next,
  million,
  deadlines,
  holds,
  policies,
  estimate,
  overhead,
  overheadSizes,
  runningTime,
  schedule,
  frontier,
  signals,
  snippets,
  columns,
]

/** Stands for the data set of a benchmark that has none. */
const GENERATED = 'generated'
const EXIT_CLAIM_FAILED = 1
const EXIT_MISUSE = 2

function menu(): string {
  const lines = [
    'npm run bench                                  freshdex beside FTS5 and FlexSearch, on invented pages',
    'npm run bench -- NAME [--data DIR] [--json] [--save] [options]',
    'npm run bench -- all --data DIR [--only NAMES] [--json]',
    '                                               all of them on every data set below DIR; writes a page about it',
    '',
  ]
  for (const bench of BENCHES) {
    lines.push(`  ${bench.name.padEnd(14)} ${bench.question}`)
    for (const [name, spec] of Object.entries(bench.options)) {
      lines.push(`${' '.repeat(17)}--${name} ${placeholder(spec)}  ${spec.help} (${spec.default})`)
    }
  }
  const collections = BENCHES.filter(({ takesCollection }) => takesCollection === true).map(({ name }) => `\`${name}\``)
  const generated = BENCHES.filter(({ isGenerated }) => isGenerated).map(({ name }) => `\`${name}\``)
  lines.push(
    '',
    '  --data DIR  a folder with pages.ndjson.gz and queries.tsv, or of',
    `              ${collections.join(', ')} one with pages.ndjson.br and queries-by-class.tsv;`,
    `              ${generated.join(', ')} need none`,
    '  --json      one JSON document on stdout instead of a table',
    '  --save      also write the run into bench/results/<date>-<bench>.json, and a plot beside it where there is one',
    '  --help      this',
  )
  return lines.join('\n')
}

function placeholder(spec: OptionSpec): string {
  if (spec.kind === 'choice') return spec.choices.join('|')
  if (spec.kind === 'names') return spec.choices.join(',')
  return spec.kind === 'count' ? 'N' : 'DIR'
}

async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === 'help' || args.includes('--help')) {
    process.stdout.write(`${menu()}\n`)
    return 0
  }
  if (name === undefined || name.startsWith('-')) return comparison(args)
  if (name === 'all') return everything(rest)
  const bench = BENCHES.find((candidate) => candidate.name === name)
  if (bench === undefined) {
    const names = BENCHES.map((candidate) => candidate.name).join(', ')
    throw new Misuse(`no benchmark is called ${name}; there are ${names}`)
  }
  const { request, isJson, isSaved } = readRequest(bench, rest)
  let outcome: Outcome | undefined
  const times = await elapsed(async () => {
    outcome = await bench.run(request)
  })
  if (outcome === undefined) throw new Error(`${bench.name} ended without an outcome`)
  const report = toReport(bench, request, outcome, times)
  process.stdout.write(`${isJson ? JSON.stringify(report) : toTable(report)}\n`)
  if (isSaved) request.progress(`saved ${save(report, outcome.plot)}`)
  if (!outcome.isClaimKept) request.progress(`${bench.name}: the claim does not hold, see the result`)
  return outcome.isClaimKept ? 0 : EXIT_CLAIM_FAILED
}

/** What `freshdex bench` does, which users have, too. */
function comparison(args: readonly string[]): number {
  const program = path.join(REPOSITORY, 'dist/cli/freshdex.js')
  const { status, error } = spawnSync(process.execPath, [program, 'bench', ...args], { stdio: 'inherit' })
  if (error !== undefined) throw error
  return status ?? EXIT_CLAIM_FAILED
}

function everything(args: string[]): number {
  const given = parsedArgs(args, { data: { type: 'string' }, only: { type: 'string' }, json: { type: 'boolean' } })
  const { data, only, json } = given
  if (typeof data !== 'string') throw new Misuse('all needs --data DIR, a folder of data sets')
  if (!existsSync(data)) throw new Misuse(`--data: there is no folder ${data}`)
  const report = runAll(BENCHES, {
    folder: path.resolve(data),
    only: typeof only === 'string' ? only.split(',') : undefined,
    progress: (text) => process.stderr.write(`bench: ${text}\n`),
  })
  const rows = report.benches.map(({ bench, data, isClaimKept, failure }) => {
    const ending = failure === undefined ? (isClaimKept ? 'measured' : 'a claim does not hold') : `failed: ${failure}`
    return `${bench}, ${data}: ${ending}`
  })
  const text = [...rows, `The page: ${report.page}`].join('\n')
  process.stdout.write(`${json ? JSON.stringify(report) : text}\n`)
  return report.benches.every(({ isClaimKept }) => isClaimKept) ? 0 : EXIT_CLAIM_FAILED
}

function readRequest(bench: Bench, args: string[]) {
  const flags = { data: { type: 'string' }, json: { type: 'boolean' }, save: { type: 'boolean' } } as const
  const own = Object.keys(bench.options).map((name) => [name, { type: 'string' }] as const)
  const given = parsedArgs(args, { ...flags, ...Object.fromEntries(own) })
  const data = bench.isGenerated ? GENERATED : given.data
  if (typeof data !== 'string') throw new Misuse(`${bench.name} needs --data DIR, the folder of a data set`)
  if (!bench.isGenerated && !existsSync(data)) throw new Misuse(`--data: there is no folder ${data}`)
  const values = new Map<string, number | string>()
  for (const [name, spec] of Object.entries(bench.options)) values.set(name, readOption(name, spec, given[name]))
  return {
    request: new BenchRequest(path.resolve(data), values),
    isJson: given.json === true,
    isSaved: given.save === true,
  }
}

function parsedArgs(args: string[], options: Record<string, { readonly type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args, options }).values as Record<string, string | boolean | undefined>
  } catch (error) {
    throw new Misuse((error as Error).message)
  }
}

function readOption(name: string, spec: OptionSpec, given: string | boolean | undefined): number | string {
  if (typeof given !== 'string') return spec.default
  if (spec.kind === 'count') {
    if (!/^[1-9][0-9]{0,8}$/.test(given)) throw new Misuse(`--${name} must be a count of at least 1, received ${given}`)
    return Number(given)
  }
  if (spec.kind === 'choice' && !spec.choices.includes(given)) {
    throw new Misuse(`--${name} must be one of ${spec.choices.join(', ')}, received ${given}`)
  }
  if (spec.kind === 'names' && !given.split(',').every((one) => spec.choices.includes(one))) {
    throw new Misuse(`--${name} must be some of ${spec.choices.join(',')}, received ${given}`)
  }
  return given
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Misuse)) throw error
  process.stderr.write(`bench: ${error.message}\n`)
  process.exitCode = EXIT_MISUSE
}
