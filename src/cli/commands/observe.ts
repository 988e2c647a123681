import { describe } from '../../base/describe.js'
import type { Key, ObservedOutcome } from '../../index.js'
import { command } from '../command.js'
import { withReviewedIndex } from '../index-access.js'
import { filledLines, handOver, type ReadLine, readAll } from '../input/lines.js'
import { parseTime, TIME_RULE } from '../input/values.js'
import { argument, choice, INDEX_FOLDER, keyOf, NUMBER_KEY, optional, timeOf, UsageError } from '../options.js'
import { count } from '../output/wording.js'

const OBSERVED_OUTCOMES: readonly ObservedOutcome[] = ['same', 'changed', 'gone', 'error']

type Observation = readonly [key: Key, { readonly outcome: ObservedOutcome; readonly at: number }]

export const observe = command({
  name: 'observe',
  summary: 'record what looking for documents found, where nothing is to be written',
  args: [INDEX_FOLDER, argument<string | undefined>('[key]', 'the key of the document; or --from for many')],
  options: {
    outcome: choice('<what>', 'what was found', OBSERVED_OUTCOMES),
    from: optional('<file>', 'lines of key, tab, outcome, and optionally a tab and a time; -: standard input'),
    numberKey: NUMBER_KEY,
    at: timeOf('when, where a line does not say'),
  },
  examples: [
    'freshdex observe pages.idx /ferry --outcome same',
    'freshdex observe pages.idx /inn --outcome error --at 2026-11-16T09:00Z',
    `printf '/ferry\\tsame\\n/inn\\tgone\\t2026-11-16T09:00Z\\n' | freshdex observe pages.idx --from - --json`,
  ],
  async run([dir, key], { outcome, from, numberKey, at = Date.now() }) {
    if ((key === undefined) === (from === undefined)) throw new UsageError('observe needs either a key or --from')
    if ((key === undefined) !== (outcome === undefined)) throw new UsageError('a key and --outcome go together')
    const observed =
      key !== undefined && outcome !== undefined
        ? await observeOne(dir, [keyOf(key, numberKey), { outcome, at }])
        : await observeLines(dir, await readObservations(from!, numberKey, at))
    return { json: { observed }, text: `${count(observed, 'observation')} recorded` }
  },
})

async function observeOne(dir: string, observation: Observation): Promise<number> {
  await withReviewedIndex(dir, {}, (index) => index.refresh.observe(...observation))
  return 1
}

/** The input has been read by now: one that comes slowly keeps no other writer out. */
async function observeLines(dir: string, lines: readonly ReadLine<Observation>[]): Promise<number> {
  await withReviewedIndex(dir, {}, (index) => handOver(lines, (values) => index.refresh.observeAll(values)))
  return lines.length
}

/**
 * Observations as text: `key<TAB>outcome`, and optionally a tab and a time; `at` is for lines without one. A key with a
 * tab in it cannot be given this way. LineRefused for the first line that is no observation.
 */
function readObservations(file: string, isNumberKey: boolean, at: number): Promise<ReadLine<Observation>[]> {
  return readAll(filledLines(file), ({ text }) => {
    const [key = '', outcome, time, ...rest] = text.split('\t')
    if (outcome === undefined || rest.length > 0) {
      const form = 'it must be a key, a tab, an outcome, and optionally a tab and a time'
      throw new Error(`${form}, received ${describe(text)}`)
    }
    if (!isOutcome(outcome)) {
      throw new Error(`the outcome must be one of ${OBSERVED_OUTCOMES.join(', ')}, received ${describe(outcome)}`)
    }
    const atMs = time === undefined ? at : parseTime(time)
    if (atMs === undefined) throw new Error(`the time must be ${TIME_RULE}, received ${describe(time)}`)
    return [keyOf(key, isNumberKey), { outcome, at: atMs }]
  })
}

function isOutcome(text: string): text is ObservedOutcome {
  return (OBSERVED_OUTCOMES as readonly string[]).includes(text)
}
