import type { Command } from 'commander'
import type { WorkloadQuery } from '../workload/workload.js'
import { addExamples } from './examples.js'
import { withReader } from './open-index.js'
import { folder, integer } from './option-values.js'
import { print, printJson } from './output.js'
import { count, oneLine, significant, table, thousands } from './wording.js'

/** As many as an index can be told to keep. */
const MAX_SHOWN = 1_000_000

export function addWorkloadShowCommand(workload: Command): void {
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
