import { performance } from 'node:perf_hooks'
import { type SalvagedRefresh, type SalvageReport, salvage } from '../../index.js'
import { command } from '../command.js'
import { folder } from '../options.js'
import { EXIT_FAILURE } from '../output/output.js'
import { withProgress } from '../output/progress.js'
import { count, duration, oneLine, thousands } from '../output/wording.js'

/** How many lost documents the text lists; the JSON has all of them. */
const MAX_LISTED = 10

export const salvageIndex = command({
  name: 'salvage',
  summary: 'make a new index of what is intact of a damaged one; status 1 when something did not come back whole',
  args: [
    { name: '<dir>', text: 'the folder of the damaged index, which is only read', read: folder },
    { name: '<out>', text: 'the folder to make', read: folder },
  ],
  examples: ['freshdex salvage pages.idx pages-salvaged.idx', 'freshdex salvage pages.idx new.idx --json'],
  async run([dir, out]) {
    const start = performance.now()
    const report = await withProgress(undefined, 'documents', (update) =>
      salvage(dir, out, { onProgress: (documents) => update({ part: 0, things: documents }) }),
    )
    const elapsedMs = performance.now() - start
    return {
      json: { ...report, elapsedMs },
      text: reportText(report, out, elapsedMs),
      ...(isWhole(report) ? {} : { status: EXIT_FAILURE }),
    }
  },
})

function isWhole({ lost, outdated, withoutStored, refresh }: SalvageReport): boolean {
  return lost.length + outdated + withoutStored === 0 && Object.values(refresh).every((part) => part.lost === 0)
}

function reportText(report: SalvageReport, out: string, elapsedMs: number): string {
  const { documents, fromStored, fromRecord, withoutStored, outdated, lost, problems, refresh } = report
  const records = `${thousands(withoutStored)} without a stored copy, ${thousands(outdated)} outdated`
  return [
    ...problems.map((problem) => `damaged: ${oneLine(problem)}`),
    ...lost.slice(0, MAX_LISTED).map(({ key, reason }) => `lost: ${oneLine(String(key))}, ${reason}`),
    ...(lost.length > MAX_LISTED ? [`lost: ${thousands(lost.length - MAX_LISTED)} more`] : []),
    `${count(documents, 'document')} brought back to ${out}; ${duration(elapsedMs)}`,
    `${thousands(fromStored)} from stored copies, ${thousands(fromRecord)} from records (${records}), ` +
      `${thousands(lost.length)} lost`,
    ...knowledgeText('with them', refresh, 'kept'),
    ...knowledgeText('without', refresh, 'lost'),
  ].join('\n')
}

/** What the index knew besides its documents: the words for one and for many. */
const KNOWLEDGE: Readonly<Record<keyof SalvagedRefresh, readonly [one: string, many: string]>> = {
  histories: ['refresh history', 'refresh histories'],
  profiles: ['change profile', 'change profiles'],
  sites: ['site', 'sites'],
  clusters: ['cluster', 'clusters'],
  reviews: ['day of the review', 'days of the review'],
  queries: ['query', 'queries'],
  pages: ['page of the frontier', 'pages of the frontier'],
  lessons: ['set of lessons', 'sets of lessons'],
}

/** One line, or none if there is nothing to say. */
function knowledgeText(label: string, refresh: SalvagedRefresh, which: 'kept' | 'lost'): string[] {
  const parts = (Object.keys(KNOWLEDGE) as (keyof SalvagedRefresh)[]).flatMap((name) => {
    const number = refresh[name][which]
    return number === 0 ? [] : [count(number, ...KNOWLEDGE[name])]
  })
  return parts.length === 0 ? [] : [`${label}: ${parts.join(', ')}`]
}
