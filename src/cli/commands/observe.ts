import { type Command, Option } from 'commander'
import { describe } from '../../base/describe.js'
import type { Key, ObservedOutcome } from '../../index.js'
import { addExamples, folder, UsageError, withReviewedIndex } from '../command.js'
import { type InputLine, LineRefused, requiredLines } from '../input/lines.js'
import { keyOf, NUMBER_KEY, parseTime, TIME_RULE, time } from '../input/values.js'
import { failureCode, print, printJson } from '../output/output.js'
import { count } from '../output/wording.js'

interface ObserveCommandOptions {
  readonly outcome?: ObservedOutcome
  readonly from?: string
  readonly numberKey: boolean
  readonly at?: number
  readonly json: boolean
}

export function addObserveCommand(program: Command): void {
  const command = program
    .command('observe')
    .description('record what looking for documents found, where nothing is to be written')
    .argument('<dir>', 'the folder of the index', folder)
    .argument('[key]', 'the key of the document; or --from for many')
    .addOption(new Option('--outcome <what>', 'what was found').choices(OBSERVED_OUTCOMES))
    .option('--from <file>', 'lines of key, tab, outcome, and optionally a tab and a time; -: standard input')
    .option(...NUMBER_KEY, false)
    .option('--at <time>', `when, where a line does not say: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document', false)
    .action(runObserveCommand)
  addExamples(
    command,
    'freshdex observe pages.idx /ferry --outcome same',
    'freshdex observe pages.idx /inn --outcome error --at 2026-11-16T09:00Z',
    `printf '/ferry\\tsame\\n/inn\\tgone\\t2026-11-16T09:00Z\\n' | freshdex observe pages.idx --from - --json`,
  )
}

async function runObserveCommand(dir: string, text: string | undefined, options: ObserveCommandOptions): Promise<void> {
  const { outcome, from, numberKey, at = Date.now(), json } = options
  if ((text === undefined) === (from === undefined)) throw new UsageError('observe needs either a key or --from')
  if ((text === undefined) !== (outcome === undefined)) throw new UsageError('a key and --outcome go together')
  const observed =
    from === undefined
      ? await observeOne(dir, text as string, { outcome: outcome as ObservedOutcome, at, numberKey })
      : await observeLines(dir, await readObservations(from, { numberKey, at }))
  if (json) printJson({ observed })
  else print(`${count(observed, 'observation')} recorded`)
}

async function observeOne(
  dir: string,
  text: string,
  { numberKey, ...options }: { outcome: ObservedOutcome; at: number; numberKey: boolean },
): Promise<number> {
  const key = keyOf(text, numberKey)
  await withReviewedIndex(dir, {}, (index) => index.refresh.observe(key, options))
  return 1
}

/** The input has been read by now: whoever writes it slowly keeps no other writer out. */
async function observeLines(dir: string, lines: readonly ObservationLine[]): Promise<number> {
  // The index reads observations one by one and refuses each when it reads it: the last one that it asked for is the
  // culprit.
  let reading: ObservationLine | undefined
  const observations = function* () {
    for (const line of lines) {
      reading = line
      yield [line.key, { outcome: line.outcome, at: line.at }] as const
    }
    reading = undefined
  }
  await withReviewedIndex(dir, {}, async (index) => {
    try {
      await index.refresh.observeAll(observations())
    } catch (error) {
      throw reading === undefined ? error : refusal(reading, error)
    }
  })
  return lines.length
}

function refusal({ source, line }: ObservationLine, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = failureCode(error)
  return new LineRefused({ source, line, message: error.message, ...(code === undefined ? {} : { code }) })
}

/**
 * What refreshes found, as text: `key<TAB>outcome`, and optionally a tab and the time. Blank lines are passed over. A
 * key with a tab in it cannot be said this way.
 */

const OBSERVED_OUTCOMES: readonly ObservedOutcome[] = ['same', 'changed', 'gone', 'error']

export interface ObservationLine {
  readonly source: string
  /** Counts from 1. */
  readonly line: number
  readonly key: Key
  readonly outcome: ObservedOutcome
  readonly at: number
}

/** All lines of a file; LineRefused for the first that says something else. `at` is for lines without a time. */
async function readObservations(
  file: string,
  { numberKey, at }: { readonly numberKey: boolean; readonly at: number },
): Promise<ObservationLine[]> {
  const observations: ObservationLine[] = []
  for await (const line of requiredLines(file)) {
    if (line.text.trim() !== '') observations.push({ at, ...parseLine(line, numberKey) })
  }
  return observations
}

function parseLine({ source, number: line, text }: InputLine & { readonly text: string }, isNumberKey: boolean) {
  const refuse = (message: string) => new LineRefused({ source, line, message })
  const [key = '', outcome, time, ...rest] = text.split('\t')
  if (outcome === undefined || rest.length > 0)
    throw refuse(`it must be a key, a tab, an outcome, and optionally a tab and a time, received ${describe(text)}`)
  if (!isOutcome(outcome))
    throw refuse(`the outcome must be one of ${OBSERVED_OUTCOMES.join(', ')}, received ${describe(outcome)}`)
  const at = time === undefined ? undefined : parseTime(time)
  if (time !== undefined && at === undefined) throw refuse(`the time must be ${TIME_RULE}, received ${describe(time)}`)
  try {
    return { source, line, key: keyOf(key, isNumberKey), outcome, ...(at === undefined ? {} : { at }) }
  } catch (error) {
    throw refuse((error as Error).message)
  }
}

function isOutcome(text: string): text is ObservedOutcome {
  return (OBSERVED_OUTCOMES as readonly string[]).includes(text)
}
