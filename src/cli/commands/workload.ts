import { describe } from '../../base/describe.js'
import type { LoadReport, UnansweredQuery, Workload, WorkloadQuery } from '../../index.js'
import { readQueryLines } from '../../workload/query-lines.js'
import { type CommandGroup, command } from '../command.js'
import { withIndex, withLearnt } from '../index-access.js'
import { requiredLines, sourceName } from '../input/lines.js'
import { isoTime, SPAN_RULE } from '../input/values.js'
import { argument, asUsage, INDEX_FOLDER, integer, optional, span, timeOf, withDefault } from '../options.js'
import { withProgress } from '../output/progress.js'
import { count, oneLine, significant, table, thousands, timeSpan } from '../output/wording.js'

/** As many queries as an index can be told to keep. */
const MAX_SHOWN = 1_000_000

const importLog = command({
  name: 'import',
  summary: 'count the queries of a log, and measure by them from now on',
  args: [
    INDEX_FOLDER,
    argument('<file>', 'lines of a query and optionally a tab and how often it was asked; -: standard input'),
  ],
  options: {
    at: timeOf('when the queries were asked'),
    max: optional(
      '<n>',
      'most queries to keep, from now on (default: as before, 10,000 at first)',
      integer(1, MAX_SHOWN),
    ),
    halfLife: optional(
      '<time>',
      `time after which a query counts half, from now on: ${SPAN_RULE}, or never (default: as before, 30d at first)`,
      halfLife,
    ),
  },
  examples: [
    'freshdex workload import pages.idx queries.tsv',
    'freshdex workload import pages.idx queries.tsv --at 2026-11-01 --max 50000 --half-life 90d',
    `printf 'ferry\\t40\\nmarket day\\t5\\n' | freshdex workload import pages.idx - --json`,
  ],
  async run([dir, file], { at, max, halfLife }) {
    // All lines are read before the index is opened: a bad line leaves the workload as it was.
    const queries = await readQueries(file)
    const workload = {
      ...(max === undefined ? {} : { maxQueries: max }),
      ...(halfLife === undefined ? {} : { halfLifeMs: halfLife }),
    }
    const { report, kept } = await withIndex(dir, { workload }, async (index) => {
      const report = await recordAll(index.workload, queries, at ?? Date.now())
      // Priorities are to know the new queries at once, not from the next write on.
      await index.refresh.fit()
      return { report, kept: index.stats().workload.maxQueries }
    })
    return { json: { ...report, maxQueries: kept }, text: reportText(report, kept) }
  },
})

const exportLog = command({
  name: 'export',
  summary: 'the queries as a log that import and the lab read: heaviest first, a tab, and the weight as of now',
  args: [INDEX_FOLDER],
  options: { limit: withDefault('<n>', `most queries, 0 to ${MAX_SHOWN}`, MAX_SHOWN, integer(0, MAX_SHOWN)) },
  examples: ['freshdex workload export pages.idx > queries.tsv', 'freshdex workload export pages.idx --limit 1000'],
  async run([dir], { limit }) {
    const { queries, isHashed } = await withLearnt(dir, (index) => ({
      queries: index.workload.queries({ limit }),
      isHashed: index.workload.privacy === 'hash',
    }))
    if (isHashed)
      return { json: null, failure: 'the index keeps only hashes of queries, which no other index can read' }
    return { json: { queries }, text: queries.map(({ query, weight }) => `${query}\t${weightText(weight)}`).join('\n') }
  },
})

const show = command({
  name: 'show',
  summary: 'the heaviest queries, with their weights as of now',
  args: [INDEX_FOLDER],
  options: { limit: withDefault('<n>', `most queries, 0 to ${MAX_SHOWN}`, 10, integer(0, MAX_SHOWN)) },
  examples: ['freshdex workload show pages.idx', 'freshdex workload show pages.idx --limit 100 --json'],
  async run([dir], { limit }) {
    const shown = await withLearnt(dir, (index) => ({
      total: index.stats().workload.queries,
      queries: index.workload.queries({ limit }),
    }))
    return { json: shown, text: queriesText(shown.queries, shown.total) }
  },
})

const unanswered = command({
  name: 'unanswered',
  summary: 'the heaviest queries that no document answers',
  args: [INDEX_FOLDER],
  options: { limit: withDefault('<n>', `most queries, 0 to ${MAX_SHOWN}`, 10, integer(0, MAX_SHOWN)) },
  examples: ['freshdex workload unanswered pages.idx', 'freshdex workload unanswered pages.idx --limit 100 --json'],
  async run([dir], { limit }) {
    const queries = await withLearnt(dir, (index) => index.workload.unanswered({ limit }))
    const json = queries.map(({ lastAt, ...query }) => ({ ...query, lastAt: isoTime(lastAt) }))
    return { json, text: unansweredText(queries) }
  },
})

const forget = command({
  name: 'forget',
  summary: 'remove a query for good',
  args: [INDEX_FOLDER, argument<readonly string[]>('<query...>', 'the query, as workload show has it')],
  examples: ['freshdex workload forget pages.idx market day'],
  async run([dir, words]) {
    const query = words.join(' ')
    const forgotten = await withIndex(dir, {}, (index) => asUsage(() => index.workload.forget(query)))
    if (!forgotten) return { json: { forgotten }, failure: `the workload does not have the query ${describe(query)}` }
    return { json: { forgotten }, text: `forgotten: ${oneLine(query)}` }
  },
})

export const workload: CommandGroup = {
  name: 'workload',
  summary: 'the queries by which refreshes are measured',
  commands: [importLog, exportLog, show, unanswered, forget],
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

function recordAll(workload: Workload, queries: readonly QueryCount[], at: number): Promise<LoadReport> {
  return withProgress(queries.length, 'queries', (update) => {
    const told = function* () {
      for (const [nth, query] of queries.entries()) {
        update({ part: nth, things: nth })
        yield query
      }
    }
    return workload.load(told(), { at })
  })
}

function reportText({ recorded, skipped, dropped }: LoadReport, kept: number): string {
  const lines = `${count(recorded, 'line')} recorded, ${thousands(skipped)} skipped`
  if (dropped === 0) return lines
  const what = `${count(dropped, 'query', 'queries')} dropped, the lightest: the workload keeps ${thousands(kept)}`
  return `${lines}\n${what}; --max raises that, up to ${thousands(MAX_SHOWN)}`
}

/** To four digits: a query that was asked once, a minute ago, has weight 1. */
function weightText(weight: number): string {
  return String(Number(weight.toPrecision(4)))
}

function halfLife(text: string): number {
  return text === 'never' ? Number.POSITIVE_INFINITY : span(text)
}

function unansweredText(queries: readonly UnansweredQuery[]): string {
  if (queries.length === 0) return 'every query of the workload has an answer'
  const nowMs = Date.now()
  const rows = queries.map(({ query, weight, lastAt }) => [
    significant(weight),
    oneLine(query),
    `${timeSpan(Math.max(0, nowMs - lastAt))} ago`,
  ])
  return table([['asked', 'query', 'last'], ...rows])
}

function queriesText(queries: readonly WorkloadQuery[], total: number): string {
  const rows = queries.map(({ query, weight }) => [significant(weight), oneLine(query)])
  const summary = `${thousands(queries.length)} of ${count(total, 'query', 'queries')}`
  return rows.length === 0 ? summary : `${table(rows)}\n${summary}`
}
