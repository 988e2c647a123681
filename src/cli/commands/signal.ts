import { createReadStream, writeFileSync } from 'node:fs'
import { readOptions } from '../../base/checks.js'
import { describe } from '../../base/describe.js'
import { requireKey } from '../../base/keys.js'
import {
  FreshdexError,
  type Key,
  SIGNAL_KINDS,
  type SignalImportOptions,
  type SignalImportReport,
  type SignalImportSource,
  type SignalOptions,
} from '../../index.js'
import { isDated } from '../../ledger/signals.js'
import { command } from '../command.js'
import { withIndex } from '../index-access.js'
import { handOver, inputBytes, LineRefused, type ReadLine, readAll, STDIN, sourceName } from '../input/lines.js'
import { recordLines } from '../input/records.js'
import { isoTime, parseTime, TIME_RULE } from '../input/values.js'
import {
  argument,
  asUsage,
  choice,
  flag,
  INDEX_FOLDER,
  keyOf,
  NUMBER_KEY,
  type OptionValues,
  optional,
  time,
  timeOf,
  UsageError,
} from '../options.js'
import type { Outcome } from '../output/output.js'
import { withProgress } from '../output/progress.js'
import { count, oneLine, thousands } from '../output/wording.js'

const OPTIONS = {
  kind: choice('<kind>', 'how the news came', SIGNAL_KINDS),
  value: optional('<time>', 'when the document changed, as a sitemap, a feed or Last-Modified says', time),
  from: optional('<file>', 'JSON lines with key and kind, and optionally at and value; -: standard input'),
  sitemap: optional('<file>', 'a sitemap, as XML or .gz; -: standard input'),
  feed: optional('<file>', 'a feed, RSS or Atom; -: standard input'),
  headers: optional('<file>', 'JSON lines with url, and at, status, etag, lastModified or headers; -: standard input'),
  addToFrontier: flag('pages of the file that are no documents are added to the frontier'),
  etag: optional('<property>', 'with --headers: where documents have the ETag that their copy had'),
  outcomes: optional('<file>', 'with --headers: write which pages are gone or the same, for observe --from'),
  numberKey: NUMBER_KEY,
  at: timeOf('when it was heard, where a line does not say'),
}

type Options = OptionValues<typeof OPTIONS>

/** Files that sites publish, or logs of their answers. */
const IMPORTED = ['sitemap', 'feed', 'headers'] as const
type Imported = (typeof IMPORTED)[number]

type Signal = readonly [key: Key, options: SignalOptions]

export const signal = command({
  name: 'signal',
  summary: 'record news that documents may have changed',
  args: [
    INDEX_FOLDER,
    argument<string | undefined>('[key]', 'the key of the document; or one of the files below for many'),
  ],
  options: OPTIONS,
  examples: [
    'freshdex signal pages.idx /ferry --kind push',
    'freshdex signal pages.idx /inn --kind sitemap --value 2026-11-15T08:00Z',
    'freshdex signal pages.idx --sitemap sitemap.xml.gz --add-to-frontier',
    'curl -s https://island.example/feed.xml | freshdex signal pages.idx --feed - --json',
    'freshdex signal pages.idx --headers probes.jsonl --outcomes seen.tsv',
    `echo '{"key":"/ferry","kind":"feed","value":"2026-11-15"}' | freshdex signal pages.idx --from - --json`,
  ],
  async run([dir, text], options) {
    const { kind, value, from, numberKey, at = Date.now() } = options
    checkOptions(text, options)
    const imported = IMPORTED.find((name) => options[name] !== undefined)
    if (imported !== undefined) return importFile(dir, imported, at, options)
    const signalled =
      text !== undefined && kind !== undefined
        ? await signalOne(dir, keyOf(text, numberKey), { kind, at, ...(value === undefined ? {} : { value }) })
        : await signalLines(dir, await readSignals(from!, at))
    return { json: { signalled }, text: `${count(signalled, 'signal')} recorded` }
  },
})

function checkOptions(key: string | undefined, options: Options): void {
  const { kind, value, from, headers, addToFrontier, etag, outcomes, numberKey } = options
  const imported = IMPORTED.filter((name) => options[name] !== undefined).length
  const sources = imported + (from === undefined ? 0 : 1) + (key === undefined ? 0 : 1)
  if (sources !== 1) throw new UsageError('signal needs either a key or --from, --sitemap, --feed or --headers')
  if ((key === undefined) !== (kind === undefined)) throw new UsageError('a key and --kind go together')
  if (value !== undefined && !(kind !== undefined && isDated(kind))) {
    throw new UsageError(`--value goes with --kind ${SIGNAL_KINDS.filter(isDated).join(', ')}`)
  }
  if (addToFrontier && imported === 0) {
    throw new UsageError('--add-to-frontier goes with --sitemap, --feed or --headers')
  }
  if (etag !== undefined && headers === undefined) throw new UsageError('--etag goes with --headers')
  if (outcomes !== undefined && headers === undefined) throw new UsageError('--outcomes goes with --headers')
  if (numberKey && imported > 0) throw new UsageError('--number-key does not go with files of pages')
}

async function signalOne(dir: string, key: Key, options: SignalOptions): Promise<number> {
  await withIndex(dir, {}, (index) => index.refresh.signal(key, options))
  return 1
}

/** The input has been read by now: one that comes slowly keeps no other writer out. */
async function signalLines(dir: string, lines: readonly ReadLine<Signal>[]): Promise<number> {
  await withIndex(dir, {}, (index) => handOver(lines, (values) => index.refresh.signalAll(values)))
  return lines.length
}

/**
 * Signals as records: `{"key": …, "kind": …}`, and optionally the times `"at"` and `"value"`. `at` is for lines without
 * one. LineRefused for the first line that is no signal.
 */
function readSignals(file: string, at: number): Promise<ReadLine<Signal>[]> {
  return readAll(recordLines(file, 'jsonl'), ({ record }) => {
    const { key, kind, ...times } = readOptions('signal', record, ['key', 'kind', 'at', 'value'])
    const value = timeIn('value', times.value)
    const options = { kind, at: timeIn('at', times.at) ?? at, ...(value === undefined ? {} : { value }) }
    return [requireKey(key), options as SignalOptions]
  })
}

function timeIn(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined
  const ms = typeof value === 'string' || typeof value === 'number' ? parseTime(String(value)) : undefined
  if (ms === undefined) throw new TypeError(`${name} must be ${TIME_RULE}, received ${describe(value)}`)
  return ms
}

async function importFile(dir: string, what: Imported, at: number, options: Options): Promise<Outcome> {
  const { addToFrontier, etag, outcomes } = options
  const given = { at, addToFrontier, ...(etag === undefined ? {} : { etag }) }
  const report = await importSignals(dir, what, options[what]!, given)
  if (outcomes !== undefined) writeOutcomes(outcomes, report)
  return { json: report, text: reportText(report) }
}

/** MALFORMED with the name of the file, and with the line where that is known. */
async function importSignals(
  dir: string,
  what: Imported,
  file: string,
  options: SignalImportOptions,
): Promise<SignalImportReport> {
  const totalBytes = inputBytes([file])
  // Standard input is read before the index is opened: one that comes slowly keeps no other writer out.
  const pieces: AsyncIterable<Buffer> | Buffer[] = file === STDIN ? await allOf(process.stdin) : createReadStream(file)
  try {
    return await withProgress(totalBytes, 'kB', (update) => {
      const counted = async function* () {
        let bytes = 0
        for await (const piece of pieces) {
          yield piece
          bytes += piece.length
          update({ part: bytes, things: Math.round(bytes / 1000) })
        }
      }
      const source = { [what]: counted() } as unknown as SignalImportSource
      return withIndex(dir, {}, (index) => asUsage(() => index.refresh.importSignals(source, options)))
    })
  } catch (error) {
    throw error instanceof FreshdexError && error.code === 'MALFORMED' ? refusal(file, error) : error
  }
}

async function allOf(pieces: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}

function refusal(file: string, { code, message, detail }: FreshdexError): Error {
  const [source, { line }] = [sourceName(file), detail]
  if (typeof line !== 'number') return new FreshdexError('MALFORMED', `${source}: ${message}`, { detail })
  return new LineRefused({ source, line, code, message: message.replace(`line ${line}: `, '') })
}

/** Writes the lines that `observe --from` takes. */
function writeOutcomes(file: string, { outcomes }: SignalImportReport): void {
  const lines = outcomes.map(([key, { outcome, at }]) => `${key}\t${outcome}\t${isoTime(at)}\n`)
  writeFileSync(file, lines.join(''))
}

function reportText(report: SignalImportReport): string {
  const { signals, repeated, unchanged, unknown, added, skipped, sitemaps, outcomes } = report
  const known = `${thousands(repeated)} known before, ${count(unchanged, 'document')} unchanged`
  const seen = (outcome: string) => thousands(outcomes.filter(([, each]) => each.outcome === outcome).length)
  return [
    `${count(signals, 'signal')} recorded, ${known}`,
    ...(unknown === 0 ? [] : [`${count(unknown, 'page')} unknown, ${thousands(added)} added to the frontier`]),
    ...(outcomes.length === 0 ? [] : [`to observe: ${seen('same')} the same, ${seen('gone')} gone`]),
    ...skipped.map(
      ({ reason, count, example }) => `skipped ${thousands(count)}: ${reason}, such as ${oneLine(example)}`,
    ),
    ...sitemaps.map(({ url }) => `further sitemap: ${oneLine(url)}`),
  ].join('\n')
}
