import { FreshdexError, type LoadReport, type Workload, type WorkloadQuery } from '../../index.js'
import { readQueryLines } from '../../workload/query-lines.js'
import { type CommandGroup, command } from '../command.js'
import { withIndex, withReader } from '../index-access.js'
import { requiredLines, sourceName } from '../input/lines.js'
import { argument, INDEX_FOLDER, integer, withDefault } from '../options.js'
import { withProgress } from '../output/progress.js'
import { count, oneLine, significant, table, thousands } from '../output/wording.js'

/** As many queries as an index can be told to keep. */
const MAX_SHOWN = 1_000_000

const importLog = command({
  name: 'import',
  summary: 'count the queries of a log, and measure by them from now on',
  args: [
    INDEX_FOLDER,
    argument('<file>', 'lines of a query and optionally a tab and how often it was asked; -: standard input'),
  ],
  examples: [
    'freshdex workload import pages.idx queries.tsv',
    `printf 'ferry\\t40\\nmarket day\\t5\\n' | freshdex workload import pages.idx - --json`,
  ],
  async run([dir, file]) {
    // All lines are read before the index is opened: a bad line leaves the workload as it was.
    const queries = await readQueries(file)
    const report = await withIndex(dir, {}, async (index) => {
      const report = await recordAll(index.workload, queries)
      // Priorities are to know the new queries at once, not from the next write on.
      await index.refresh.fit()
      return report
    })
    return { json: report, text: `${count(report.recorded, 'line')} recorded, ${thousands(report.skipped)} skipped` }
  },
})

const show = command({
  name: 'show',
  summary: 'the heaviest queries, with their weights as of now',
  args: [INDEX_FOLDER],
  options: { limit: withDefault('<n>', `most queries, 0 to ${MAX_SHOWN}`, 10, integer(0, MAX_SHOWN)) },
  examples: ['freshdex workload show pages.idx', 'freshdex workload show pages.idx --limit 100 --json'],
  async run([dir], { limit }) {
    const shown = await withReader(dir, (index) => ({
      total: index.stats().workload.queries,
      queries: index.workload.queries({ limit }),
    }))
    return { json: shown, text: queriesText(shown.queries, shown.total) }
  },
})

export const workload: CommandGroup = {
  name: 'workload',
  summary: 'the queries by which refreshes are measured',
  commands: [importLog, show],
}

type QueryCount = readonly [query: string, count: number]

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
  // The lightest come first: of more queries than are kept, the workload favours those that came last, and logs begin
  // with the heaviest.
  return queries.sort(([, a], [, b]) => a - b)
}

function recordAll(workload: Workload, queries: readonly QueryCount[]): Promise<LoadReport> {
  return withProgress(queries.length, 'queries', (update) => {
    const at = Date.now()
    let recorded = 0
    for (const [nth, [query, count]] of queries.entries()) {
      update({ part: nth, things: nth })
      if (isRecorded(workload, query, { count, at })) recorded++
    }
    return { recorded, skipped: queries.length - recorded }
  })
}

/** A query that no search would take counts as one that cannot be measured. */
function isRecorded(workload: Workload, query: string, options: { count: number; at: number }): boolean {
  try {
    return workload.record(query, options)
  } catch (error) {
    if (error instanceof FreshdexError && error.code === 'QUERY_TOO_COMPLEX') return false
    throw error
  }
}

function queriesText(queries: readonly WorkloadQuery[], total: number): string {
  const rows = queries.map(({ query, weight }) => [significant(weight), oneLine(query)])
  const summary = `${thousands(queries.length)} of ${count(total, 'query', 'queries')}`
  return rows.length === 0 ? summary : `${table(rows)}\n${summary}`
}
