import { performance } from 'node:perf_hooks'
import type { Command } from 'commander'
import { type SalvagedRefresh, type SalvageReport, salvage } from '../../index.js'
import { addExamples, folder } from '../command.js'
import { EXIT_FAILURE, print, printJson } from '../output/output.js'
import { showProgress } from '../output/progress.js'
import { count, duration, oneLine, thousands } from '../output/wording.js'

/** Lost documents that people are told one by one; JSON has all of them. */
const MAX_LISTED = 10

export function addSalvageCommand(program: Command): void {
  const command = program
    .command('salvage')
    .description('make a new index of what is intact of a damaged one; status 1 when something did not come back whole')
    .argument('<dir>', 'the folder of the damaged index, which is only read', folder)
    .argument('<out>', 'the folder to make', folder)
    .option('--json', 'print one JSON document', false)
    .action(async (dir: string, out: string, { json }: { json: boolean }) => {
      const start = performance.now()
      const report = await salvageWithProgress(dir, out)
      const elapsedMs = performance.now() - start
      if (json) printJson({ ...report, elapsedMs })
      else print(tell(report, out, elapsedMs))
      if (!isWhole(report)) process.exitCode = EXIT_FAILURE
    })
  addExamples(command, 'freshdex salvage pages.idx pages-salvaged.idx', 'freshdex salvage pages.idx new.idx --json')
}

async function salvageWithProgress(dir: string, out: string): Promise<SalvageReport> {
  const progress = showProgress(undefined, 'documents')
  try {
    return await salvage(dir, out, { onProgress: (documents) => progress.update({ part: 0, things: documents }) })
  } finally {
    progress.stop()
  }
}

function isWhole({ lost, outdated, withoutStored, refresh }: SalvageReport): boolean {
  return lost.length + outdated + withoutStored === 0 && Object.values(refresh).every((part) => part.lost === 0)
}

/** What the index knew besides its documents, one and many. */
const KNOWN: Readonly<Record<keyof SalvagedRefresh, readonly [one: string, many: string]>> = {
  histories: ['refresh history', 'refresh histories'],
  profiles: ['change profile', 'change profiles'],
  sites: ['site', 'sites'],
  clusters: ['cluster', 'clusters'],
  reviews: ['day of the review', 'days of the review'],
  queries: ['query', 'queries'],
  pages: ['page of the frontier', 'pages of the frontier'],
  lessons: ['set of lessons', 'sets of lessons'],
}

/** Empty for nothing. */
function tellKnown(label: string, refresh: SalvagedRefresh, which: 'kept' | 'lost'): string[] {
  const parts = (Object.keys(KNOWN) as (keyof SalvagedRefresh)[]).flatMap((name) => {
    const number = refresh[name][which]
    return number === 0 ? [] : [count(number, ...KNOWN[name])]
  })
  return parts.length === 0 ? [] : [`${label}: ${parts.join(', ')}`]
}

function tell(report: SalvageReport, out: string, elapsedMs: number): string {
  const { documents, fromStored, fromRecord, withoutStored, outdated, lost, problems, refresh } = report
  return [
    ...problems.map((problem) => `damaged: ${oneLine(problem)}`),
    ...lost.slice(0, MAX_LISTED).map(({ key, reason }) => `lost: ${oneLine(String(key))}, ${reason}`),
    ...(lost.length > MAX_LISTED ? [`lost: ${thousands(lost.length - MAX_LISTED)} more`] : []),
    `${count(documents, 'document')} brought back to ${out}; ${duration(elapsedMs)}`,
    `${thousands(fromStored)} from stored copies, ${thousands(fromRecord)} from records (${thousands(withoutStored)} without a stored copy, ${thousands(outdated)} outdated), ${thousands(lost.length)} lost`,
    ...tellKnown('with them', refresh, 'kept'),
    ...tellKnown('without', refresh, 'lost'),
  ].join('\n')
}
