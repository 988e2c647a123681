import { performance } from 'node:perf_hooks'
import { type Command, Option } from 'commander'
import type { WriteBatch } from '../engine/slab.js'
import type { DocumentGain, WriteReport } from '../engine/write-report.js'
import type { Freshdex } from '../freshdex.js'
import type { Overhead } from '../refresh/overhead.js'
import { DocumentFeed, type FeedOptions, type FeedTally } from './document-feed.js'
import { addExamples } from './examples.js'
import { addIndexOptions, type GivenIndexOptions, toOpenOptions } from './index-options.js'
import { inputBytes, inputLines, STDIN } from './input-lines.js'
import { LargestGains } from './largest-gains.js'
import { type Document, withReviewedIndex } from './open-index.js'
import { folder, integer } from './option-values.js'
import { complain, complainOf, EXIT_INTERRUPTED, print, printJson } from './output.js'
import { showProgress } from './progress.js'
import { TIME_RULE, time } from './time-text.js'
import { UsageError } from './usage-error.js'
import { count, duration, oneLine, percent, significant, table, thousands } from './wording.js'

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

/** A failure before the first line is thrown; a later one is part of the outcome, with what had been written by then. */
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
