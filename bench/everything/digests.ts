/** The few numbers of a result that a reader wants first, and what in it asks for an explanation. */
import type { BarChart } from './bars.js'

export interface Digest {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly chart?: BarChart
}

// What a benchmark answers is known to it alone; these readers take what they find and leave out what is not there.
// biome-ignore lint/suspicious/noExplicitAny: results are JSON of any shape
type Result = any

type Reader = (result: Result) => Digest

const DIGESTS: Readonly<Record<string, Reader>> = {
  replace: (result) => {
    const names = Object.keys(Object.values<Result>(result.sections)[0])
    return {
      header: ['CPU time of a replaced page, µs', ...names],
      rows: Object.entries<Result>(result.sections).flatMap(([kind, of]) => [
        [kind, ...names.map((name) => number(of[name].cpuUsPerPage.median))],
        ...(kind.includes('one page a write')
          ? [[`${kind}: on the wall, p50`, ...names.map((name) => number(of[name].writeP50Us.median))]]
          : []),
      ]),
    }
  },

  delta: (result) => ({
    header: ['CPU time of a page, µs', 'changed text only', 'remove and add', 'ratio'],
    rows: [
      [
        'one write a week',
        number(result.usPerPage.cpuMean),
        number(result.removeAndAdd.cpuMean),
        number(result.ratioOfCpu),
      ],
      [
        'one write a page',
        number(result.usPerPage.singleMean),
        number(result.removeAndAdd.singleMean),
        number(result.ratioOfSinglePages),
      ],
      ['the same page again', number(result.identicalUsPerPage?.mean ?? result.identicalUsPerPage), '', ''],
    ],
  }),

  load: (result) => (result.queryUs === undefined ? loadedBesidePeers(result) : loadedAlone(result)),

  peers: (result) => {
    const { us, building } = result.collections.large
    const names = Object.keys(building)
    const classes = Object.entries<Result>(us.limited).filter(([name]) => !/ [hml]+\d*$| \d+$/.test(name))
    const p50Of = (of: Result) => (of === undefined ? '–' : `${number(of.p50)} (${number(of.p99)})`)
    return {
      header: ['µs: p50 (p99), counting up to 1,000', ...names],
      rows: [
        ...classes.map(([name, of]) => [name, ...names.map((peer) => p50Of(of[peer]))]),
        ['building, CPU s', ...names.map((peer) => number(building[peer].cpuSeconds))],
        ['on disk, MB', ...names.map((peer) => number(building[peer].diskMB))],
      ],
      chart: {
        title: 'The ten best pages, median',
        unit: 'µs',
        series: names,
        groups: classes.map(([name, of]) => ({
          name,
          values: Object.fromEntries(names.flatMap((peer) => (of[peer] ? [[peer, of[peer].p50 as number]] : []))),
        })),
      },
    }
  },

  overhead: (result) => {
    const { on, off, bare, fts5 } = result.usPerPage
    const rows = { 'everything on': on, 'a ledger alone': off, 'no prioritizer': bare, FTS5: fts5 }
    const named = Object.entries<Result>(rows).filter(([, quartiles]) => quartiles !== undefined)
    return {
      header: ['CPU time of a refreshed page, µs', 'median', 'quartiles'],
      rows: [
        ...named.map(([name, of]) => [name, number(of.median), `${number(of.p25)} to ${number(of.p75)}`]),
        ['the prioritizer adds', number(result.addedUsPerPage.onBeyondBare.median), shareOf(result.shareOfFts5)],
      ],
      chart: {
        title: 'CPU time of a refreshed page',
        unit: 'µs',
        series: ['median'],
        groups: named.map(([name, { median }]) => ({ name, values: { median } })),
      },
    }
  },

  growth: (result) => {
    const rows = Object.entries<Result>(result.growth['freshdex, given queries, limited'] ?? {})
    const columns = Object.keys(rows[0]?.[1] ?? {}).filter((name) => name.startsWith('p50'))
    return {
      header: ['µs', ...columns],
      rows: rows.map(([name, of]) => [name, ...columns.map((column) => number(of[column]))]),
    }
  },
}

/** Undefined where the table of the benchmark says it best, or the result is not as it was when this was written. */
export function digestOf(bench: string, result: object): Digest | undefined {
  try {
    return DIGESTS[bench]?.(result)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/**
 * What a reader would stumble over, with the reason where it is known: claims that do not hold, busy machines, peers
 * that are missing, classes in which somebody else is ahead, growth faster than the pages.
 */
export function anomaliesOf(bench: string, result: Result, isClaimKept: boolean): string[] {
  const found: string[] = []
  const reason = KNOWN_REASONS[bench]
  if (!isClaimKept) found.push(['The claim does not hold.', reason].filter((part) => part !== undefined).join(' '))
  const { busyness } = result
  if (busyness?.isTooBusy) found.push(`The machine was too busy to tell: ${busyness.because.join('; ')}.`)
  for (const [peer, why] of Object.entries<string>(result.absent ?? {})) found.push(`Without ${peer}: ${why}.`)
  for (const [group, { peer, freshdexUs, peerUs }] of Object.entries<Result>(result.behind ?? {})) {
    found.push(`Behind ${peer} in ${group}: ${number(freshdexUs)} µs against ${number(peerUs)} µs.`)
  }
  if (result.account?.ofWhatIsAdded?.agrees === false) {
    found.push(`The account of reports tells ${shareOf(result.account.ofWhatIsAdded.ratio)} of what is added.`)
  }
  for (const [name, classes] of Object.entries<Result>(result.growth ?? {})) {
    for (const [group, row] of Object.entries<Result>(classes)) {
      const exponent = row['p50 exponent to 1000000']
      if (exponent > 1.05) found.push(`${name}, ${group}: the median grows with an exponent of ${number(exponent)}.`)
    }
  }
  return found
}

/** Why claims are known not to hold. */
const KNOWN_REASONS: Readonly<Record<string, string>> = {
  peers: [
    'Phrases with a hole have no lists of their own: the records of all pages that have the words are searched, where',
    'others read positions. Engines without ranking give the first pages of a word, and not the best.',
  ].join(' '),
  overhead: [
    'Most of what the prioritizer adds is its ledger: rows of histories are made in JavaScript and written by SQLite,',
    'and a write of a few dozen pages is too small to spread what a transaction costs.',
  ].join(' '),
}

function loadedAlone(result: Result): Digest {
  return {
    header: ['', ''],
    rows: [
      ['MB a second of CPU time', number(result.megabytesPerSecond.cpu)],
      ['MB a second on the wall', number(result.megabytesPerSecond.wall)],
      ...Object.entries<Result>(result.queryUs).map(([kind, us]) => [
        `${kind}, µs: p50 (p99)`,
        `${number(us.p50)} (${number(us.p99)})`,
      ]),
    ],
  }
}

function loadedBesidePeers(result: Result): Digest {
  const places = { 'one core': result.oneCore, [`${result.cores} cores`]: result.allCores }
  const measured = Object.entries<Result>(places).filter(([, of]) => of !== undefined)
  const names = Object.keys(measured[0]![1])
  return {
    header: [`${result.documents} pages`, ...names],
    rows: measured.flatMap(([place, of]) => [
      [`${place}, CPU s`, ...names.map((name) => number(of[name].cpuSeconds.median))],
      [`${place}, s on the wall`, ...names.map((name) => number(of[name].wallSeconds.median))],
    ]),
    chart: {
      title: 'CPU time of building an index',
      unit: 's',
      series: names,
      groups: measured.map(([place, of]) => ({
        name: place,
        values: Object.fromEntries(names.map((name) => [name, of[name].cpuSeconds.median as number])),
      })),
    },
  }
}

function number(value: unknown): string {
  if (typeof value !== 'number') return '–'
  return value >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}

function shareOf(share: unknown): string {
  return typeof share === 'number' ? `${number(100 * share)}%` : '–'
}
