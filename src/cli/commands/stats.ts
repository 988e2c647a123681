import type { SiteSignalStats, Stats } from '../../index.js'
import { command } from '../command.js'
import { withReader } from '../index-access.js'
import { flag, INDEX_FOLDER } from '../options.js'
import { changesText } from '../output/explanation-text.js'
import { byteSize, count, oneLine, percent, thousands } from '../output/wording.js'

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

function statsText(stats: Stats): string {
  const groups = {
    Documents: documentRows(stats),
    'What people search for': workloadRows(stats),
    'What is known of refreshes': refreshRows(stats),
    'On disk': diskRows(stats),
  }
  const widest = Math.max(...Object.values(groups).flatMap((rows) => rows.map(([label = '']) => label.length)))
  return Object.entries(groups)
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) =>
      [title, ...rows.map(([label = '', text]) => `  ${label.padEnd(widest)}  ${text}`)].join('\n'),
    )
    .join('\n\n')
}

function documentRows({
  documents,
  fields,
  columns,
  expires,
  key,
  analyzer,
  fieldAnalyzers = {},
  scoring,
  terms,
  sequence,
}: Stats): string[][] {
  return [
    ['documents', thousands(documents)],
    ['key', oneLine(key)],
    ...Object.entries(fields).map(([name, { documents: number, tokens }]) => [
      `field ${oneLine(name)}`,
      `${count(tokens, 'word')} in ${count(number, 'document')}`,
    ]),
    ...Object.entries(columns).map(([name, kind]) => [
      `column ${oneLine(name)}`,
      name === expires ? `${kind}, until when documents are found` : kind,
    ]),
    ['analyzer', analyzerText(analyzer)],
    ...Object.entries(fieldAnalyzers).map(([name, own]) => [`analyzer of ${oneLine(name)}`, analyzerText(own)]),
    ['scoring', oneLine(scoringText(scoring))],
    ['different words', thousands(terms)],
    ['writes', thousands(sequence)],
  ]
}

function analyzerText({ name, version, foldAccents }: Stats['analyzer']): string {
  return oneLine(`${name}, version ${version}${foldAccents === false ? ', accents kept' : ''}`)
}

function scoringText({ model, k1, b, boosts, weight }: Stats['scoring']): string {
  const text = k1 === undefined ? model : `${model} (k1 ${k1}, b ${b})`
  const whole = weight === undefined ? text : `${weight.alpha} · ${text} + ${weight.beta} · ${weight.property}`
  return `${whole}; boosts: ${Object.entries(boosts)
    .map(([name, boost]) => `${name} ${boost}`)
    .join(', ')}`
}

function workloadRows({ workload }: Stats): string[][] {
  const learning = { on: 'searches are learnt', off: 'searches are not learnt', unavailable: UNAVAILABLE }
  return [
    ['queries', `${thousands(workload.queries)} of at most ${thousands(workload.maxQueries)}`],
    ['learning', learning[workload.learning]],
    ...(workload.waiting === 0
      ? []
      : [['not taken over', `${count(workload.waiting, 'query', 'queries')} of other processes, by the next writer`]]),
    ...(workload.clicks === 0 ? [] : [['clicks', thousands(workload.clicks)]]),
    ...(workload.lost === 0 ? [] : [['lost', `${count(workload.lost, 'search', 'searches')} of other processes`]]),
  ]
}

const UNAVAILABLE = 'searches are not learnt: this process may not write into the folder'

function refreshRows({ ledger, signals, frontier, measurement }: Stats): string[][] {
  return [
    ['histories', `of ${count(ledger.documents, 'document')}, ${byteSize(ledger.bytesPerDocument)} each`],
    ...(measurement.curves === 0 ? [] : [['measured by', count(measurement.curves, 'curve')]]),
    ...(frontier.pages === 0 ? [] : [['frontier', `${count(frontier.pages, 'page')} to fetch`]]),
    ...signals.slice(0, MAX_SITES).map(signalRow),
    ...(signals.length <= MAX_SITES ? [] : [['signals', `of ${count(signals.length - MAX_SITES, 'more site')}`]]),
    ...(ledger.damagedRows === 0
      ? []
      : [['damaged', `${count(ledger.damagedRows, 'history', 'histories')} could not be read and began anew`]]),
  ]
}

function diskRows({ disk, pendingPostings, sequence }: Stats): string[][] {
  if (disk === undefined) return []
  const waiting = sequence - disk.flushedSequence
  return [
    ['folder', oneLine(disk.path)],
    ['segments', `${count(disk.segments, 'file')} of ${byteSize(disk.segmentBytes)}`],
    ['in the log', waiting === 0 ? 'nothing' : count(waiting, 'write')],
    ['to be folded', count(pendingPostings, 'change')],
  ]
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
