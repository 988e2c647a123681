import { type Command, Option } from 'commander'
import { isDated, SIGNAL_KINDS, type SignalKind } from '../refresh/signals/signal-kinds.js'
import type { SignalOptions } from '../refresh/signals/signal-options.js'
import { addExamples } from './examples.js'
import { keyOf, NUMBER_KEY } from './key-text.js'
import { withIndex } from './open-index.js'
import { folder } from './option-values.js'
import { failureCode, print, printJson } from './output.js'
import { readSignals, type SignalLine } from './signal-lines.js'
import { TIME_RULE, time } from './time-text.js'
import { UsageError } from './usage-error.js'
import { count } from './wording.js'

interface SignalCommandOptions {
  readonly kind?: SignalKind
  readonly value?: number
  readonly from?: string
  readonly numberKey: boolean
  readonly at?: number
  readonly json: boolean
}

export function addSignalCommand(program: Command): void {
  const command = program
    .command('signal')
    .description('record news that documents may have changed')
    .argument('<dir>', 'the folder of the index', folder)
    .argument('[key]', 'the key of the document; or --from for many')
    .addOption(new Option('--kind <kind>', 'how the news came').choices(SIGNAL_KINDS))
    .option('--value <time>', 'when the document changed, as a sitemap, a feed or Last-Modified says', time)
    .option('--from <file>', 'JSON lines with key and kind, and optionally at and value; -: standard input')
    .option(...NUMBER_KEY, false)
    .option('--at <time>', `when it was heard, where a line does not say: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document', false)
    .action(runSignalCommand)
  addExamples(
    command,
    'freshdex signal pages.idx /ferry --kind push',
    'freshdex signal pages.idx /inn --kind sitemap --value 2026-11-15T08:00Z',
    `echo '{"key":"/ferry","kind":"feed","value":"2026-11-15"}' | freshdex signal pages.idx --from - --json`,
  )
}

async function runSignalCommand(dir: string, text: string | undefined, options: SignalCommandOptions): Promise<void> {
  const { kind, value, from, numberKey, at = Date.now(), json } = options
  if ((text === undefined) === (from === undefined)) throw new UsageError('signal needs either a key or --from')
  if ((text === undefined) !== (kind === undefined)) throw new UsageError('a key and --kind go together')
  if (value !== undefined && !(kind !== undefined && isDated(kind)))
    throw new UsageError(`--value goes with --kind ${SIGNAL_KINDS.filter(isDated).join(', ')}`)
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

async function signalOne(dir: string, text: string, isNumberKey: boolean, options: SignalOptions): Promise<number> {
  const key = keyOf(text, isNumberKey)
  await withIndex(dir, {}, (index) => index.refresh.signal(key, options))
  return 1
}

/** The input has been read by now: whoever writes it slowly keeps no other writer out. */
async function signalLines(dir: string, lines: readonly SignalLine[]): Promise<number> {
  // The index reads signals one by one and refuses each when it reads it: the last one that it asked for is the culprit.
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
