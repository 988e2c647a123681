/**
 * What does replacing a page cost beside other engines? Each peer is a program of its own (peers/), which gets the same
 * first pages and then the same writes: a section of writes is timed until all is merged or folded that goes on behind
 * it, and counted in CPU time of the whole process. Nothing of a page is stored but its key.
 *
 * With the snapshots of a site the writes are its real weeks, in order and then back, and so on. With one large
 * collection they are made up: some pages get lines of other pages. Both end with writes of a single page, and with
 * pages that come again as they are. An index is prepared once; every run begins with a copy of it, runs take turns,
 * and ratios are those of one run.
 *
 * freshdex comes twice: `freshdex` is an index without a prioritizer, and `freshdex, measuring` has everything on.
 *
 * Claim: none.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { type Bench, type BenchRequest, Misuse } from './bench.js'
import { readClassQueries } from './class-queries.js'
import { quartilesOf } from './experiment-parts.js'
import { isCollection } from './large-collection.js'
import { writePageRecords } from './page-records.js'
import type { WriteReport } from './peer-contract.js'
import { runPeer } from './peer-process.js'
import { type Command, FRESHDEX, PEERS, preparedPeers } from './peer-programs.js'
import { planOfCollection, planOfHistory, WARMING_UP, type WritePlan } from './replacing/write-plans.js'
import { writeSections } from './replacing/write-sections.js'
import { readCountedQueries, readHistory } from './snapshot-data.js'

const RIVALS = ['fts5', 'lucene', 'tantivy']
const MEASURING = 'freshdex, measuring'
const SHARES = [0.01, 0.1, 0.5]

export const replace: Bench = {
  name: 'replace',
  question: 'What does replacing a page cost beside other engines?',
  takesCollection: 'too',
  options: {
    peers: { kind: 'names', choices: RIVALS, default: RIVALS.join(','), help: 'engines beside freshdex' },
    runs: { kind: 'count', default: 5, help: 'runs, the peers taking turns' },
    rounds: { kind: 'count', default: 2, help: 'sections of each kind in a run, after a first that warms up' },
    queries: { kind: 'count', default: 3000, help: 'by which refreshes are measured' },
    pages: { kind: 'count', default: 100_000, help: 'most pages of a collection' },
    replaced: { kind: 'count', default: 5000, help: 'pages of a collection that are replaced' },
    batch: { kind: 'count', default: 500, help: 'pages of a write to a collection' },
  },

  async run(request) {
    const absent: Record<string, string> = {}
    const rivals = preparedPeers(
      PEERS.filter(({ name }) => request.names('peers').includes(name)),
      request,
      absent,
    )
    const own = FRESHDEX.prepare()
    const commands = new Map<string, Command>([
      [FRESHDEX.name, own],
      [MEASURING, own],
      ...rivals.map(({ peer, command }) => [peer.name, command] as const),
    ])
    const loadBefore = loadavg()[0]!
    const work = mkdtempSync(path.join(tmpdir(), 'freshdex-replace-'))
    try {
      const plan = await planFor(request)
      const contest = new Contest(request, work, commands, await queriesFor(request))
      await contest.prepare(plan)
      const runs = Array.from({ length: request.count('runs') }, (_, run) => contest.run(run))
      return {
        result: {
          pages: plan.first.length,
          replaced: plan.replaced,
          absent,
          load: { before: loadBefore, after: loadavg()[0]! },
          ...summaryOf(plan, runs),
        },
        isClaimKept: true,
        programs: Object.fromEntries([...runs[0]!].map(([name, { version }]) => [name, version])),
      }
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  },
}

async function planFor(request: BenchRequest): Promise<WritePlan> {
  const rounds = request.count('rounds')
  if (!isCollection(request.folder)) return planOfHistory(await readHistory(request.folder), rounds)
  const [pages, replaced, batch] = [request.count('pages'), request.count('replaced'), request.count('batch')]
  return planOfCollection(request.folder, { pages, replaced, batch, rounds }, SHARES)
}

async function queriesFor(request: BenchRequest): Promise<string[]> {
  const given = isCollection(request.folder)
    ? (await readClassQueries(request.folder)).map(({ words }) => words)
    : (await readCountedQueries(request.folder)).map(({ query }) => query)
  const queries = [...new Set(given)].slice(0, request.count('queries'))
  if (queries.length === 0) throw new Misuse('there are no queries')
  return queries
}

type Run = ReadonlyMap<string, WriteReport>

class Contest {
  readonly #request: BenchRequest
  readonly #work: string
  readonly #commands: ReadonlyMap<string, Command>
  readonly #queries: readonly string[]

  constructor(request: BenchRequest, work: string, commands: ReadonlyMap<string, Command>, queries: readonly string[]) {
    this.#request = request
    this.#work = work
    this.#commands = commands
    this.#queries = queries
  }

  async prepare({ first, sections }: WritePlan): Promise<void> {
    const pages = path.join(this.#work, 'pages')
    const queries = path.join(this.#work, 'queries')
    await writePageRecords(pages, first)
    writeSections(path.join(this.#work, 'sections'), sections)
    writeFileSync(queries, this.#queries.join('\n'))
    for (const [name, command] of this.#commands) {
      this.#request.progress(`${name} builds its index`)
      const index = this.#folderOf(name)
      mkdirSync(index)
      runPeer(command, { step: 'prepare', pages, index, queries: name === MEASURING ? queries : '' })
    }
  }

  run(run: number): Run {
    const reports = new Map<string, WriteReport>()
    const names = [...this.#commands.keys()]
    for (const at of names.keys()) {
      const name = names[(at + run) % names.length]!
      this.#request.progress(
        `run ${run + 1} of ${this.#request.count('runs')}: ${name}, load average ${loadavg()[0]!.toFixed(2)}`,
      )
      const index = path.join(this.#work, 'copy')
      cpSync(this.#folderOf(name), index, { recursive: true })
      const sections = path.join(this.#work, 'sections')
      reports.set(name, runPeer(this.#commands.get(name)!, { step: 'write', index, sections }))
      rmSync(index, { recursive: true })
    }
    return reports
  }

  #folderOf(name: string): string {
    return path.join(this.#work, `index of ${name}`)
  }
}

/** By kind of section and contender; a ratio is the contender's CPU time by that of freshdex in the same run. */
function summaryOf({ sections, replaced }: WritePlan, runs: readonly Run[]) {
  const kinds = [...new Set(sections.map(({ name }) => name))].filter((name) => name !== WARMING_UP)
  const names = [...runs[0]!.keys()]
  const costOf = (run: Run, contender: string, kind: string, value: 'cpuUs' | 'wallUs' | 'p50Us') => {
    const found = run.get(contender)!.sections.filter(({ name }) => name === kind)
    return found.reduce((sum, section) => sum + section[value], 0) / found.length
  }
  const rowsOf = (kind: string) => (contender: string) => {
    const perPage = (run: Run, of: string) => costOf(run, of, kind, 'cpuUs') / replaced[kind]!
    const row = {
      cpuUsPerPage: quartilesOf(runs.map((run) => perPage(run, contender))),
      wallUsPerPage: quartilesOf(runs.map((run) => costOf(run, contender, kind, 'wallUs') / replaced[kind]!)),
      writeP50Us: quartilesOf(runs.map((run) => costOf(run, contender, kind, 'p50Us'))),
    }
    if (contender === FRESHDEX.name) return [contender, row] as const
    const ratio = quartilesOf(runs.map((run) => perPage(run, contender) / perPage(run, FRESHDEX.name)))
    const toMeasuring = quartilesOf(runs.map((run) => perPage(run, contender) / perPage(run, MEASURING)))
    return [contender, { ...row, ratio, ...(contender === MEASURING ? {} : { toMeasuring }) }] as const
  }
  return {
    sections: Object.fromEntries(kinds.map((kind) => [kind, Object.fromEntries(names.map(rowsOf(kind)))])),
    closeCpuMs: Object.fromEntries(
      names.map((name) => [name, quartilesOf(runs.map((run) => run.get(name)!.closeCpuUs / 1000))]),
    ),
  }
}
