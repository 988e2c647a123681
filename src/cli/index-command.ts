import { performance } from 'node:perf_hooks'
import { type Command, Option } from 'commander'
import { DocumentFeed, type FeedOptions, type FeedTally } from './document-feed.js'
import { addExamples } from './examples.js'
import { addIndexOptions, type GivenIndexOptions, toOpenOptions } from './index-options.js'
import { inputBytes, inputLines, STDIN } from './input-lines.js'
import { withIndex } from './open-index.js'
import { folder, integer } from './option-values.js'
import { complain, complainOf, EXIT_INTERRUPTED, print, printJson } from './output.js'
import { showProgress } from './progress.js'
import { UsageError } from './usage-error.js'
import { count, duration, thousands } from './wording.js'

interface IndexCommandOptions extends GivenIndexOptions, FeedOptions {
  readonly json: boolean
}

interface Outcome {
  readonly tally: FeedTally
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
  const { tally, interrupted, elapsedMs, failure } = outcome
  if (options.json) printJson({ ...tally, interrupted, elapsedMs })
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
  return withIndex(dir, openOptions, async (index) => {
    const progress = showProgress(totalBytes)
    const done = { bytes: 0, documents: 0 }
    const onWritten = (lines: number) => {
      done.documents += lines
      progress.update(done)
    }
    const lines = inputLines(files, stop.signal, (bytes) => {
      done.bytes += bytes
    })
    const feed = new DocumentFeed((batch) => index.write(batch), { ...options, onWritten })
    const failure = await feed.run(lines, stop).then(
      () => undefined,
      (error: unknown) => error,
    )
    progress.stop()
    return { tally: feed.tally, interrupted, elapsedMs: performance.now() - start, failure }
  })
}

function tell({ tally, interrupted, elapsedMs }: Outcome, isRemoval: boolean): string {
  const { documents, added, replaced, unchanged, removed, missing, skipped } = tally
  const done = isRemoval
    ? `${count(removed, 'document')} removed, ${thousands(missing)} not there`
    : `${count(documents, 'document')} written: ${thousands(added)} added, ${thousands(replaced)} replaced, ${thousands(unchanged)} unchanged`
  const rest = skipped > 0 ? `; ${count(skipped, 'line')} skipped` : ''
  return `${interrupted ? 'interrupted; ' : ''}${done}${rest}; ${duration(elapsedMs)}`
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
