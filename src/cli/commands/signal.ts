import { createReadStream, writeFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
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
  type SignalKind,
  type SignalOptions,
} from '../../index.js'
import { isDated } from '../../ledger/signals.js'
import { addExamples, asUsage, folder, UsageError, withIndex } from '../command.js'
import { inputBytes, LineRefused, STDIN, sourceName } from '../input/lines.js'
import { recordLines } from '../input/records.js'
import { isoTime, keyOf, NUMBER_KEY, parseTime, TIME_RULE, time } from '../input/values.js'
import { failureCode, print, printJson } from '../output/output.js'
import { showProgress } from '../output/progress.js'
import { count, oneLine, thousands } from '../output/wording.js'

interface SignalCommandOptions {
  readonly kind?: SignalKind
  readonly value?: number
  readonly from?: string
  readonly sitemap?: string
  readonly feed?: string
  readonly headers?: string
  readonly addToFrontier: boolean
  readonly etag?: string
  readonly outcomes?: string
  readonly numberKey: boolean
  readonly at?: number
  readonly json: boolean
}

export function addSignalCommand(program: Command): void {
  const command = program
    .command('signal')
    .description('record news that documents may have changed')
    .argument('<dir>', 'the folder of the index', folder)
    .argument('[key]', 'the key of the document; or one of the files below for many')
    .addOption(new Option('--kind <kind>', 'how the news came').choices(SIGNAL_KINDS))
    .option('--value <time>', 'when the document changed, as a sitemap, a feed or Last-Modified says', time)
    .option('--from <file>', 'JSON lines with key and kind, and optionally at and value; -: standard input')
    .option('--sitemap <file>', 'a sitemap, as XML or .gz; -: standard input')
    .option('--feed <file>', 'a feed, RSS or Atom; -: standard input')
    .option('--headers <file>', 'JSON lines with url, and at, status, etag, lastModified or headers; -: standard input')
    .option('--add-to-frontier', 'pages of the file that are no documents are added to the frontier', false)
    .option('--etag <property>', 'with --headers: where documents have the ETag that their copy had')
    .option('--outcomes <file>', 'with --headers: write which pages are gone or the same, for observe --from')
    .option(...NUMBER_KEY, false)
    .option('--at <time>', `when it was heard, where a line does not say: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document', false)
    .action(runSignalCommand)
  addExamples(
    command,
    'freshdex signal pages.idx /ferry --kind push',
    'freshdex signal pages.idx /inn --kind sitemap --value 2026-11-15T08:00Z',
    'freshdex signal pages.idx --sitemap sitemap.xml.gz --add-to-frontier',
    'curl -s https://island.example/feed.xml | freshdex signal pages.idx --feed - --json',
    'freshdex signal pages.idx --headers probes.jsonl --outcomes seen.tsv',
    `echo '{"key":"/ferry","kind":"feed","value":"2026-11-15"}' | freshdex signal pages.idx --from - --json`,
  )
}

async function runSignalCommand(dir: string, text: string | undefined, options: SignalCommandOptions): Promise<void> {
  const { kind, value, from, numberKey, at = Date.now(), json } = options
  const files = [...IMPORTED, 'from' as const].filter((name) => options[name] !== undefined)
  if (files.length + (text === undefined ? 0 : 1) !== 1)
    throw new UsageError('signal needs either a key or --from, --sitemap, --feed or --headers')
  if ((text === undefined) !== (kind === undefined)) throw new UsageError('a key and --kind go together')
  if (value !== undefined && !(kind !== undefined && isDated(kind)))
    throw new UsageError(`--value goes with --kind ${SIGNAL_KINDS.filter(isDated).join(', ')}`)
  checkImportOptions(options)
  const imported = IMPORTED.find((name) => options[name] !== undefined)
  if (imported !== undefined) return importOne(dir, imported, at, options)
  const signalled =
    from === undefined
      ? await signalOne(dir, text as string, numberKey, {
          ...{ kind: kind as SignalKind, at },
          ...(value === undefined ? {} : { value }),
        })
      : await signalLines(dir, await readSignals(from, at))
  if (json) printJson({ signalled })
  else print(`${count(signalled, 'signal')} recorded`)
}

function checkImportOptions({
  sitemap,
  feed,
  headers,
  addToFrontier,
  etag,
  outcomes,
  numberKey,
}: SignalCommandOptions) {
  const isImport = [sitemap, feed, headers].some((file) => file !== undefined)
  if (addToFrontier && !isImport) throw new UsageError('--add-to-frontier goes with --sitemap, --feed or --headers')
  if (etag !== undefined && headers === undefined) throw new UsageError('--etag goes with --headers')
  if (outcomes !== undefined && headers === undefined) throw new UsageError('--outcomes goes with --headers')
  if (numberKey && isImport) throw new UsageError('--number-key does not go with files of pages')
}

async function importOne(dir: string, what: Imported, at: number, options: SignalCommandOptions): Promise<void> {
  const { addToFrontier, etag, outcomes, json } = options
  const given = { at, addToFrontier, ...(etag === undefined ? {} : { etag }) }
  const report = await importFile(dir, what, options[what] as string, given)
  if (outcomes !== undefined) writeOutcomes(outcomes, report)
  if (json) printJson(report)
  else print(tellImport(report))
}

async function signalOne(dir: string, text: string, isNumberKey: boolean, options: SignalOptions): Promise<number> {
  const key = keyOf(text, isNumberKey)
  await withIndex(dir, {}, (index) => index.refresh.signal(key, options))
  return 1
}

/** The input has been read by now: whoever writes it slowly keeps no other writer out. */
async function signalLines(dir: string, lines: readonly SignalLine[]): Promise<number> {
  // The index reads signals one by one and refuses each when it reads it: the last one that it asked for is the
  // culprit.
  let reading: SignalLine | undefined
  const signals = function* () {
    for (const line of lines) {
      reading = line
      yield [line.key, line.options] as const
    }
    reading = undefined
  }
  await withIndex(dir, {}, async (index) => {
    try {
      await index.refresh.signalAll(signals())
    } catch (error) {
      throw reading === undefined || !(error instanceof Error)
        ? error
        : reading.refuse(error.message, failureCode(error))
    }
  })
  return lines.length
}

/**
 * Signals from files that sites publish: `freshdex signal DIR --sitemap FILE`, and the same for feeds and logs of
 * headers.
 */

const IMPORTED = ['sitemap', 'feed', 'headers'] as const
export type Imported = (typeof IMPORTED)[number]

/** MALFORMED with the name of the file, and the line where that is known. */
async function importFile(
  dir: string,
  what: Imported,
  file: string,
  options: SignalImportOptions,
): Promise<SignalImportReport> {
  const totalBytes = inputBytes([file])
  // Read before the index is opened: whoever writes it slowly keeps no other writer out.
  const pieces = file === STDIN ? await allOf(process.stdin) : createReadStream(file)
  const progress = showProgress(totalBytes, 'kB')
  const counted = async function* () {
    let bytes = 0
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      yield piece
      bytes += piece.length
      progress.update({ part: bytes, things: Math.round(bytes / 1000) })
    }
  }
  try {
    const source = { [what]: counted() } as unknown as SignalImportSource
    return await withIndex(dir, {}, (index) => asUsage(() => index.refresh.importSignals(source, options)))
  } catch (error) {
    throw error instanceof FreshdexError && error.code === 'MALFORMED' ? refusal(file, error) : error
  } finally {
    progress.stop()
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

/** Lines that `observe --from` takes. */
function writeOutcomes(file: string, { outcomes }: SignalImportReport): void {
  const lines = outcomes.map(([key, { outcome, at }]) => `${key}\t${outcome}\t${isoTime(at)}\n`)
  writeFileSync(file, lines.join(''))
}

function tellImport(report: SignalImportReport): string {
  const { signals, repeated, unchanged, unknown, added, skipped, sitemaps, outcomes } = report
  const seen = (outcome: string) => thousands(outcomes.filter(([, each]) => each.outcome === outcome).length)
  return [
    `${count(signals, 'signal')} recorded, ${thousands(repeated)} known before, ${count(unchanged, 'document')} unchanged`,
    ...(unknown === 0 ? [] : [`${count(unknown, 'page')} unknown, ${thousands(added)} added to the frontier`]),
    ...(outcomes.length === 0 ? [] : [`to observe: ${seen('same')} the same, ${seen('gone')} gone`]),
    ...skipped.map(
      ({ reason, count, example }) => `skipped ${thousands(count)}: ${reason}, such as ${oneLine(example)}`,
    ),
    ...sitemaps.map(({ url }) => `further sitemap: ${oneLine(url)}`),
  ].join('\n')
}

/** Signals as records, one a line: {"key": …, "kind": …}, and optionally "at" and "value", times. */

export interface SignalLine {
  readonly key: Key
  readonly options: SignalOptions
  /** A fault of the line, naming it. */
  readonly refuse: (message: string, code?: string) => LineRefused
}

/** All lines of a file; LineRefused for the first that says something else. `at` is for lines without a time. */
async function readSignals(file: string, at: number): Promise<SignalLine[]> {
  const signals: SignalLine[] = []
  for await (const { record, refuse } of recordLines(file, 'jsonl')) {
    try {
      const { key, kind, ...times } = readOptions('signal', record, ['key', 'kind', 'at', 'value'])
      const value = timeOf('value', times.value)
      const options = { kind, at: timeOf('at', times.at) ?? at, ...(value === undefined ? {} : { value }) }
      signals.push({ key: requireKey(key), options: options as SignalOptions, refuse })
    } catch (error) {
      throw refuse((error as Error).message, failureCode(error))
    }
  }
  return signals
}

function timeOf(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined
  const ms = typeof value === 'string' || typeof value === 'number' ? parseTime(String(value)) : undefined
  if (ms === undefined) throw new TypeError(`${name} must be ${TIME_RULE}, received ${describe(value)}`)
  return ms
}
