import type { SiteSignalStats, Stats } from '../../index.js'
import { command } from '../command.js'
import { withReader } from '../index-access.js'
import { flag, INDEX_FOLDER } from '../options.js'
import { changesText } from '../output/explanation-text.js'
import { byteSize, count, oneLine, percent, table, thousands } from '../output/wording.js'

export const stats = command({
  name: 'stats',
  summary: 'what is in an index, in numbers',
  args: [INDEX_FOLDER],
  options: { change: flag('also how the documents change, and how long what they say stays') },
  examples: ['freshdex stats pages.idx', 'freshdex stats pages.idx --change', 'freshdex stats pages.idx --json'],
  async run([dir], options) {
    const { stats, change } = await withReader(dir, async (index) => {
      // The ledger is read when it is first asked for.
      await index.refresh.next({ budget: 0, waitMs: 0 })
      return { stats: index.stats(), change: options.change ? await index.refresh.changes() : undefined }
    })
    if (change === undefined) return { json: stats, text: statsText(stats) }
    return { json: { ...stats, change }, text: `${statsText(stats)}\n\n${changesText(change)}` }
  },
})

/** How many sites the text lists; the JSON has all of them. */
const MAX_SITES = 10

function statsText({ fields, analyzer, disk, workload, ledger, signals, frontier, ...counts }: Stats): string {
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
    ...(workload.waiting === 0 ? [] : [['inbox', `${count(workload.waiting, 'query', 'queries')} of other processes`]]),
    ['ledger', `${count(ledger.documents, 'document')}, ${byteSize(ledger.bytesPerDocument)} each`],
    ...(frontier.pages === 0 ? [] : [['frontier', `${count(frontier.pages, 'page')} to fetch`]]),
    ...signals.slice(0, MAX_SITES).map(signalRow),
    ...(signals.length <= MAX_SITES ? [] : [['signals', `of ${count(signals.length - MAX_SITES, 'more site')}`]]),
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
