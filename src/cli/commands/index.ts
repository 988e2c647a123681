import { performance } from 'node:perf_hooks'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { isPreset, PRESET_NAMES } from '../../analysis/analyzer.js'
import {
  type DocumentGain,
  type Durability,
  type FieldOptions,
  type Freshdex,
  LANGUAGE_NAMES,
  type LanguageName,
  loadLanguage,
  type OpenOptions,
  type Overhead,
  type ScoringModel,
  type WriteBatch,
  type WriteReport,
} from '../../index.js'
import { addExamples, type Document, folder, integer, nameList, UsageError, withReviewedIndex } from '../command.js'
import { DocumentFeed, type FeedOptions, type FeedTally } from '../input/document-feed.js'
import { inputBytes, inputLines, STDIN } from '../input/lines.js'
import { TIME_RULE, time } from '../input/values.js'
import { complain, complainOf, EXIT_INTERRUPTED, print, printJson } from '../output/output.js'
import { showProgress } from '../output/progress.js'
import { count, duration, oneLine, percent, significant, table, thousands } from '../output/wording.js'

interface IndexCommandOptions extends GivenIndexOptions, FeedOptions {
  readonly at?: number
  readonly json: boolean
}

interface Outcome {
  readonly tally: FeedTally
  /** What measuring took, all batches together. */
  readonly overhead: Overhead
  readonly gains: readonly DocumentGain[]
  readonly interrupted: boolean
  readonly elapsedMs: number
  /** Undefined when all lines were written or skipped. */
  readonly failure: unknown
}

export function addIndexCommand(program: Command): void {
  const command = program
    .command('index')
    .description('write documents, one line of JSON each, into an index; make the index if there is none')
    .argument('<dir>', 'the folder of the index', folder)
    .argument('[files...]', 'files of JSON lines; - or nothing: standard input')
    .option('--remove', 'each line is the key of a document to remove: a JSON string or number', false)
    .option('--batch <n>', 'most documents of a batch, 1 to 100000', integer(1, 100_000), 500)
    .addOption(
      new Option('--on-error <what>', 'what a line that cannot be written does')
        .choices(['stop', 'skip'])
        .default('stop'),
    )
    .option('--at <time>', `when the documents were fetched: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document', false)
  addIndexOptions(command).action(runIndexCommand)
  addExamples(
    command,
    'freshdex index pages.idx pages.jsonl --key url --field title:2 --field body --analyzer english',
    'gunzip -c pages.jsonl.gz | freshdex index pages.idx',
    'freshdex index pages.idx gone.jsonl --remove --on-error skip --json',
  )
}

async function runIndexCommand(dir: string, given: readonly string[], options: IndexCommandOptions): Promise<void> {
  const files = given.length === 0 ? [STDIN] : given
  if (files.indexOf(STDIN) !== files.lastIndexOf(STDIN)) throw new UsageError('standard input can be read only once')
  if ((options.key === undefined) !== (options.field === undefined))
    throw new UsageError('--key and --field go together')
  const outcome = await feedIndex(dir, files, options)
  const { tally, overhead, gains, interrupted, elapsedMs, failure } = outcome
  if (options.json) printJson({ ...tally, overhead, gains, interrupted, elapsedMs })
  else if (failure === undefined) print(tell(outcome, options.remove))
  if (tally.skipped > 0) tellSkipped(tally)
  if (failure !== undefined) complainOf(withProgressMade(failure, tally, options.remove))
  else if (interrupted) process.exitCode = EXIT_INTERRUPTED
}

/**
 * A failure before the first line is thrown; a later one is part of the outcome, with what had been written by then.
 */
async function feedIndex(dir: string, files: readonly string[], options: IndexCommandOptions): Promise<Outcome> {
  const start = performance.now()
  const totalBytes = inputBytes(files)
  const openOptions = await toOpenOptions(options)
  const stop = new AbortController()
  let interrupted = false
  // Once: who insists ends the process at once, which the index survives.
  process.once('SIGINT', () => {
    interrupted = true
    stop.abort()
  })
  return withReviewedIndex(dir, openOptions, async (index) => {
    const progress = showProgress(totalBytes, 'documents')
    const done = { part: 0, things: 0 }
    const onWritten = (lines: number) => {
      done.things += lines
      progress.update(done)
    }
    const lines = inputLines(files, stop.signal, (bytes) => {
      done.part += bytes
    })
    const gains = new LargestGains()
    const feed = new DocumentFeed(writing(index, options.at, gains), { ...options, onWritten })
    const failure = await feed.run(lines, stop).then(
      () => undefined,
      (error: unknown) => error,
    )
    progress.stop()
    const { indexMs, measureMs, ratio } = index.stats().measurement
    return {
      tally: feed.tally,
      overhead: { indexMs, measureMs, ratio },
      gains: gains.list,
      interrupted,
      elapsedMs: performance.now() - start,
      failure,
    }
  })
}

/** Writes batches as of one time, and keeps what they gained. */
function writing(index: Freshdex<Document>, at: number | undefined, gains: LargestGains) {
  return async (batch: WriteBatch<Document>): Promise<WriteReport> => {
    const report = await index.write(batch, at === undefined ? {} : { at })
    gains.add(report.gains)
    return report
  }
}

function tell({ tally, overhead, gains, interrupted, elapsedMs }: Outcome, isRemoval: boolean): string {
  const { documents, added, replaced, unchanged, removed, missing, skipped } = tally
  const done = isRemoval
    ? `${count(removed, 'document')} removed, ${thousands(missing)} not there`
    : `${count(documents, 'document')} written: ${thousands(added)} added, ${thousands(replaced)} replaced, ${thousands(unchanged)} unchanged`
  const rest = skipped > 0 ? `; ${count(skipped, 'line')} skipped` : ''
  return [
    `${interrupted ? 'interrupted; ' : ''}${done}${rest}; ${duration(elapsedMs)}`,
    ...(overhead.measureMs === 0 ? [] : [tellOverhead(overhead)]),
    ...(gains.length === 0 ? [] : ['largest gains', table(gains.map(gainRow))]),
  ].join('\n')
}

function tellOverhead({ indexMs, measureMs, ratio }: Overhead): string {
  return `measuring took ${significant(measureMs)} ms beside ${significant(indexMs)} ms of indexing, ${percent(ratio)}`
}

function gainRow({ key, deltaQuality }: DocumentGain): string[] {
  return [`  ${significant(deltaQuality)}`, oneLine(String(key))]
}

function tellSkipped({ errors, skipped }: FeedTally): void {
  for (const { source, line, message, code } of errors) {
    complain(`skipped line ${line} of ${source}: ${message}${code === undefined ? '' : ` (${code})`}`)
  }
  if (skipped > errors.length) complain(`skipped ${count(skipped - errors.length, 'more line')}`)
}

/** Batches before the one that failed are in the index, and whoever starts again should know. */
function withProgressMade(failure: unknown, { documents, removed }: FeedTally, isRemoval: boolean): unknown {
  if (!(failure instanceof Error)) return failure
  const number = isRemoval ? removed : documents
  failure.message += `; ${count(number, 'document')} of earlier batches ${number === 1 ? 'was' : 'were'} ${isRemoval ? 'removed' : 'written'}`
  return failure
}

/** What an index is, as the command line says it. */

export interface GivenIndexOptions {
  readonly key?: string
  readonly field?: Readonly<Record<string, FieldOptions>>
  readonly analyzer?: string
  readonly scoring?: ScoringModel
  readonly weight?: string
  readonly store?: boolean | readonly string[]
  readonly durability?: Durability
}

function addIndexOptions(command: Command): Command {
  return command
    .optionsGroup('Of a new index (one that exists knows):')
    .option('--key <name>', 'the property that identifies a document')
    .option('--field <name[:boost]>', 'a property to search; once for each', addField)
    .addOption(new Option('--analyzer <name>', 'how text becomes words').choices([...PRESET_NAMES, ...LANGUAGE_NAMES]))
    .addOption(new Option('--scoring <model>', 'how hits are scored').choices(['bm25', 'tfidf']))
    .option('--weight <name>', 'a numeric property that is added to the score')
    .option('--store <what>', 'what can be given back: all, none, or names with commas between them', storeValue)
    .optionsGroup('Options:')
    .addOption(new Option('--durability <what>', 'what a written batch survives').choices(['process', 'power']))
}

async function toOpenOptions(given: GivenIndexOptions): Promise<OpenOptions<Document>> {
  const { key, field: fields, scoring: model, weight, store, durability } = given
  const analyzer = given.analyzer === undefined ? undefined : await analyzerNamed(given.analyzer)
  const scoring = weight === undefined ? model : { ...(model && { model }), weight }
  const options = { key, fields, analyzer, scoring, store, durability }
  // What was not given must be absent: an index that exists fills it in.
  const said = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said) as unknown as OpenOptions<Document>
}

async function analyzerNamed(name: string): Promise<OpenOptions<Document>['analyzer'] & {}> {
  return isPreset(name) ? name : loadLanguage(name as LanguageName)
}

/** The last colon stands before the boost, so that a name with a colon needs one: `dc:title:1`. */
function addField(text: string, sofar: Readonly<Record<string, FieldOptions>> = {}) {
  const colon = text.lastIndexOf(':')
  const name = colon === -1 ? text : text.slice(0, colon)
  const boost = colon === -1 ? undefined : text.slice(colon + 1)
  if (name === '') throw new InvalidArgumentError('It must have a name.')
  if (Object.hasOwn(sofar, name)) throw new InvalidArgumentError(`The field "${name}" was given before.`)
  if (boost === undefined) return { ...sofar, [name]: {} }
  if (!/^\d+(?:\.\d+)?$/.test(boost)) {
    throw new InvalidArgumentError('Behind the last colon there must be a boost, a number such as 2 or 0.5.')
  }
  return { ...sofar, [name]: { boost: Number(boost) } }
}

function storeValue(text: string): boolean | readonly string[] {
  return text === 'all' ? true : text === 'none' ? false : nameList(text)
}

/** Gains that are told one by one. */
const MAX_TOLD = 10

/** The largest gains of many writes. A document that was refreshed several times may be there as often. */
export class LargestGains {
  #list: readonly DocumentGain[] = []

  /** Largest first. */
  get list(): readonly DocumentGain[] {
    return this.#list
  }

  /** REQUIRES: largest first, as a write reports them. */
  add(gains: readonly DocumentGain[]): void {
    if (gains.length === 0) return
    this.#list = [...this.#list, ...gains.slice(0, MAX_TOLD)]
      .sort((a, b) => b.deltaQuality - a.deltaQuality)
      .slice(0, MAX_TOLD)
  }
}
