import type { Command } from 'commander'
import type { SiteSignalStats, Stats } from '../../index.js'
import { addExamples, folder, withReader } from '../command.js'
import { print, printJson } from '../output/output.js'
import { byteSize, count, oneLine, percent, table, tellChanges, thousands } from '../output/wording.js'

export function addStatsCommand(program: Command): void {
  const command = program
    .command('stats')
    .description('what is in an index, in numbers')
    .argument('<dir>', 'the folder of the index', folder)
    .option('--change', 'also how the documents change, and how long what they say stays', false)
    .option('--json', 'print one JSON document', false)
    .action(async (dir: string, { change, json }: { change: boolean; json: boolean }) => {
      const { stats, changes } = await withReader(dir, async (index) => {
        // The ledger is read when it is first asked for.
        index.refresh.next({ budget: 0 })
        return { stats: index.stats(), changes: change ? await index.refresh.changes() : undefined }
      })
      if (json) printJson(changes === undefined ? stats : { ...stats, change: changes })
      else print(changes === undefined ? tell(stats) : `${tell(stats)}\n\n${tellChanges(changes)}`)
    })
  addExamples(
    command,
    'freshdex stats pages.idx',
    'freshdex stats pages.idx --change',
    'freshdex stats pages.idx --json',
  )
}

/** Sites shown; the rest is in the JSON. */
const MOST_SITES = 10

function tell({ fields, analyzer, disk, workload, ledger, signals, frontier, ...counts }: Stats): string {
  return table([
    ['documents', thousands(counts.documents)],
    ...Object.entries(fields).map(([name, { documents, tokens }]) => [
      `field ${oneLine(name)}`,
      `${thousands(tokens)} tokens in ${thousands(documents)} documents`,
    ]),
    ['analyzer', oneLine(`${analyzer.name} ${analyzer.version}`)],
    ['terms', thousands(counts.terms)],
    ['postings', `${thousands(counts.postings)}, ${byteSize(counts.postingBytes)}`],
    ['pending changes', `${thousands(counts.pendingPostings)} in ${thousands(counts.runs)} runs`],
    ['partitions', thousands(counts.partitions)],
    ['forward records', byteSize(counts.forwardBytes)],
    ['batches', thousands(counts.sequence)],
    ...(disk === undefined
      ? []
      : [
          ['segments', `${thousands(disk.segments)}, ${byteSize(disk.segmentBytes)}`],
          ['in segments', `batches up to ${thousands(disk.flushedSequence)}`],
        ]),
    ['workload', `${count(workload.queries, 'query', 'queries')}, ${count(workload.clicks, 'click')}`],
    ['ledger', `${count(ledger.documents, 'document')}, ${byteSize(ledger.bytesPerDocument)} each`],
    ...(frontier.pages === 0 ? [] : [['frontier', `${count(frontier.pages, 'page')} to fetch`]]),
    ...signals.slice(0, MOST_SITES).map(signalRow),
    ...(signals.length <= MOST_SITES ? [] : [['signals', `of ${count(signals.length - MOST_SITES, 'more site')}`]]),
    ...(ledger.damagedRows === 0 ? [] : [['damaged rows', `${thousands(ledger.damagedRows)} of the ledger`]]),
  ])
}

function signalRow({ site, kinds }: SiteSignalStats): string[] {
  const shares = Object.entries(kinds).flatMap(([kind, { precision, recall }]) =>
    kind === 'any' ? [] : [`${kind} precision ${share(precision)}, recall ${share(recall)}`],
  )
  return ['signals', `${site === '' ? 'keys without a host' : oneLine(site)}: ${shares.join('; ')}`]
}

function share(part: number | undefined): string {
  return part === undefined ? 'not known' : percent(part)
}
