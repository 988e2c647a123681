import type { Command } from 'commander'
import { FreshdexError, type LoadReport, type Workload, type WorkloadQuery } from '../../index.js'
import { readQueryLines } from '../../workload/query-lines.js'
import { addExamples, folder, integer, withIndex, withReader } from '../command.js'
import { requiredLines, sourceName } from '../input/lines.js'
import { print, printJson } from '../output/output.js'
import { showProgress } from '../output/progress.js'
import { count, oneLine, significant, table, thousands } from '../output/wording.js'

export function addWorkloadCommand(program: Command): void {
  const command = program.command('workload').description('the queries by which refreshes are measured')
  addWorkloadImportCommand(command)
  addWorkloadShowCommand(command)
}

type QueryCount = readonly [query: string, count: number]

function addWorkloadImportCommand(workload: Command): void {
  const command = workload
    .command('import')
    .description('count the queries of a log, and measure by them from now on')
    .argument('<dir>', 'the folder of the index', folder)
    .argument('<file>', 'lines of a query and optionally a tab and how often it was asked; -: standard input')
    .option('--json', 'print one JSON document', false)
    .action(async (dir: string, file: string, { json }: { json: boolean }) => {
      // All lines are understood before the index is opened: a bad one leaves the workload as it was.
      const queries = await readQueries(file)
      const report = await withIndex(dir, {}, async (index) => {
        const report = recordAll(index.workload, queries)
        // Priorities are to know the new queries at once, not from the next write on.
        await index.refresh.fit()
        return report
      })
      if (json) printJson(report)
      else print(`${count(report.recorded, 'line')} recorded, ${thousands(report.skipped)} skipped`)
    })
  addExamples(
    command,
    'freshdex workload import pages.idx queries.tsv',
    `printf 'ferry\\t40\\nmarket day\\t5\\n' | freshdex workload import pages.idx - --json`,
  )
}

async function readQueries(file: string): Promise<QueryCount[]> {
  const texts = async function* () {
    for await (const { text } of requiredLines(file)) yield text
  }
  const queries: QueryCount[] = []
  try {
    for await (const { text, count } of readQueryLines(texts())) queries.push([text, count])
  } catch (error) {
    if (error instanceof RangeError) throw new Error(`${sourceName(file)}, ${error.message}`, { cause: error })
    throw error
  }
  // Lightest first: of more queries than are kept, the workload favours those that came last, and logs begin with the
  // heaviest.
  return queries.sort(([, a], [, b]) => a - b)
}

function recordAll(workload: Workload, queries: readonly QueryCount[]): LoadReport {
  const progress = showProgress(queries.length, 'queries')
  const at = Date.now()
  let recorded = 0
  for (const [nth, [query, count]] of queries.entries()) {
    progress.update({ part: nth, things: nth })
    if (isRecorded(workload, query, { count, at })) recorded++
  }
  progress.stop()
  return { recorded, skipped: queries.length - recorded }
}

/** A query that no search would take is one more that cannot be measured. */
function isRecorded(workload: Workload, query: string, options: { count: number; at: number }): boolean {
  try {
    return workload.record(query, options)
  } catch (error) {
    if (error instanceof FreshdexError && error.code === 'QUERY_TOO_COMPLEX') return false
    throw error
  }
}

/** As many as an index can be told to keep. */
const MAX_SHOWN = 1_000_000

function addWorkloadShowCommand(workload: Command): void {
  const command = workload
    .command('show')
    .description('the heaviest queries, with their weights as of now')
    .argument('<dir>', 'the folder of the index', folder)
    .option('--limit <n>', `most queries, 0 to ${MAX_SHOWN}`, integer(0, MAX_SHOWN), 10)
    .option('--json', 'print one JSON document', false)
    .action(async (dir: string, { limit, json }: { limit: number; json: boolean }) => {
      const shown = await withReader(dir, (index) => ({
        total: index.stats().workload.queries,
        queries: index.workload.queries({ limit }),
      }))
      if (json) printJson(shown)
      else print(tell(shown.queries, shown.total))
    })
  addExamples(command, 'freshdex workload show pages.idx', 'freshdex workload show pages.idx --limit 100 --json')
}

function tell(queries: readonly WorkloadQuery[], total: number): string {
  const rows = queries.map(({ query, weight }) => [significant(weight), oneLine(query)])
  const summary = `${thousands(queries.length)} of ${count(total, 'query', 'queries')}`
  return rows.length === 0 ? summary : `${table(rows)}\n${summary}`
}
