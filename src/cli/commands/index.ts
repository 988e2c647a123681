import { performance } from 'node:perf_hooks'
import { isPreset, PRESET_NAMES } from '../../analysis/analyzer.js'
import { describe } from '../../base/describe.js'
import {
  type DocumentGain,
  type Freshdex,
  LANGUAGE_NAMES,
  type LanguageName,
  loadLanguage,
  type OpenOptions,
  type Overhead,
  type WriteBatch,
  type WriteReport,
} from '../../index.js'
import { command } from '../command.js'
import { type Document, withIndex, withReviewedIndex } from '../index-access.js'
import { addColumn } from '../input/column-options.js'
import { DocumentFeed, type FeedTally, namesText } from '../input/document-feed.js'
import { addField } from '../input/field-option.js'
import { inputBytes, inputLines, STDIN } from '../input/lines.js'
import { newFolderAt } from '../new-folder.js'
import {
  argument,
  choice,
  flag,
  grouped,
  INDEX_FOLDER,
  integer,
  nameList,
  type OptionValues,
  onUnlessNegated,
  optional,
  timeOf,
  UsageError,
  withDefault,
} from '../options.js'
import { EXIT_INTERRUPTED, type Outcome } from '../output/output.js'
import { showProgress } from '../output/progress.js'
import { count, duration, oneLine, percent, percentCell, table, thousands } from '../output/wording.js'

const OPTIONS = {
  remove: flag('each line is the key of a document to remove: a JSON string or number'),
  batch: withDefault('<n>', 'most documents of a batch, 1 to 100000', 500, integer(1, 100_000)),
  onError: choice('<what>', 'what a line that cannot be written does', ['stop', 'skip'], 'stop'),
  at: timeOf('when the documents were fetched'),
  json: flag('print one JSON document'),
  ...grouped('Of a new index (one that exists knows):', {
    key: optional('<name>', 'the property that identifies a document'),
    field: optional('<name[:boost]>', 'a property to search; once for each', addField),
    column: optional(
      '<name:kind>',
      'a property to filter by: keyword, number, date, boolean; once for each',
      addColumn,
    ),
    expires: optional('<name>', 'the date column that says until when a document is found'),
    analyzer: choice('<name>', 'how text becomes words', [...PRESET_NAMES, ...LANGUAGE_NAMES]),
    scoring: choice('<model>', 'how hits are scored', ['bm25', 'tfidf']),
    weight: optional('<name>', 'a numeric property that is added to the score'),
    store: optional('<what>', 'what can be given back: all, none, or names with commas between them', storeValue),
  }),
  durability: choice('<what>', 'what a written batch survives', ['process', 'power']),
  prioritizer: onUnlessNegated('measure nothing, and keep no history of refreshes'),
}

type Options = OptionValues<typeof OPTIONS>

/** What became of the lines. */
interface Fed extends Report {
  /** Undefined if all lines were written or skipped. */
  readonly failure: unknown
  /** The index was not there before this command. */
  readonly isNew: boolean
  /** Names of properties that the documents had. */
  readonly properties: readonly string[]
  /** Fields of the index in which no document has a word. */
  readonly emptyFields: readonly string[]
  readonly fields: readonly string[]
}

interface Report {
  readonly tally: FeedTally
  /** What measuring took, all batches together. */
  readonly overhead: Overhead
  readonly gains: readonly DocumentGain[]
  /** Of all documents. */
  readonly totalGain: number
  readonly interrupted: boolean
  readonly elapsedMs: number
}

export const index = command({
  name: 'index',
  summary: 'write documents, one line of JSON each, into an index; make the index if there is none',
  args: [INDEX_FOLDER, argument<readonly string[]>('[files...]', 'files of JSON lines; - or nothing: standard input')],
  options: OPTIONS,
  examples: [
    'freshdex index pages.idx pages.jsonl --key url --field title:2 --field body --analyzer english',
    'gunzip -c pages.jsonl.gz | freshdex index pages.idx',
    'freshdex index pages.idx gone.jsonl --remove --on-error skip --json',
  ],
  async run([dir, given], options) {
    const files = given.length === 0 ? [STDIN] : given
    if (files.indexOf(STDIN) !== files.lastIndexOf(STDIN)) throw new UsageError('standard input can be read only once')
    if ((options.key === undefined) !== (options.field === undefined)) {
      throw new UsageError('--key and --field go together')
    }
    const remove = newFolderAt(dir)
    const fed = await feedIndex(dir, files, options)
    if (fed.isNew && cameToNothing(fed)) {
      remove()
      return nothingMade(fed)
    }
    const { tally, interrupted, failure } = fed
    const warnings = [...skippedLines(tally), ...fieldsWithoutWords(fed)]
    const json = reportJson(fed)
    if (failure !== undefined) {
      return { json, warnings, failure: withProgressMade(failure, tally, options.remove) }
    }
    const status = interrupted ? { status: EXIT_INTERRUPTED } : {}
    return { json, text: fedText(fed, options.remove), warnings, ...status }
  },
})

/** A failure before the first line is thrown; a later one is part of the result, with what had been written by then. */
async function feedIndex(dir: string, files: readonly string[], options: Options): Promise<Fed> {
  const start = performance.now()
  const totalBytes = inputBytes(files)
  const openOptions = await toOpenOptions(options)
  const stop = new AbortController()
  let interrupted = false
  // Once: a second interruption ends the process at once, which the index survives.
  process.once('SIGINT', () => {
    interrupted = true
    stop.abort()
  })
  const opened = options.prioritizer ? withReviewedIndex : withIndex
  return opened(dir, openOptions, async (index) => {
    const { key, sequence } = index.stats()
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
    const feed = new DocumentFeed(writing(index, options.at, gains), { ...options, key, onWritten })
    const failure = await feed.run(lines, stop).then(
      () => undefined,
      (error: unknown) => error,
    )
    progress.stop()
    if (failure === undefined && !interrupted) await index.reindexing
    const { measurement, fields } = index.stats()
    const { indexUs, measureUs, fitUs, ledgerUs, ratio, skippedWeight } = measurement
    return {
      tally: feed.tally,
      overhead: { indexUs, measureUs, fitUs, ledgerUs, ratio, skippedWeight },
      gains: gains.list,
      totalGain: gains.total,
      interrupted,
      elapsedMs: performance.now() - start,
      failure,
      isNew: sequence === 0,
      properties: feed.properties,
      fields: Object.keys(fields),
      emptyFields: Object.keys(fields).filter((name) => fields[name]!.documents === 0),
    }
  })
}

function reportJson({ tally, overhead, gains, interrupted, elapsedMs }: Report) {
  return { ...tally, overhead, gains, interrupted, elapsedMs }
}

/**
 * The first command of an index has made none: it failed before the first document, or its options do not fit the
 * documents. An input without any line makes an empty index, as it was asked to.
 */
function cameToNothing({ tally, failure, interrupted, fields, properties }: Fed): boolean {
  const isWhole = failure === undefined && !interrupted
  if (tally.documents > 0) return isWhole && fields.every((name) => !properties.includes(name))
  return !isWhole || tally.skipped > 0
}

function nothingMade(fed: Fed): Outcome {
  const { tally, failure, interrupted, fields, properties } = fed
  const warnings = skippedLines(tally)
  if (tally.documents > 0) {
    const asked = `--field ${fields.join(', ')}`
    const has = `they have ${namesText(properties)}`
    return { failure: new UsageError(`no document has a property that ${asked} names: ${has}; no index was made`) }
  }
  const json = reportJson(fed)
  if (interrupted) {
    return { json, status: EXIT_INTERRUPTED, warnings: ['interrupted before the first document; no index was made'] }
  }
  if (failure === undefined) return { json, warnings, failure: 'no line could be written; no index was made' }
  if (failure instanceof Error) failure.message += '; no index was made'
  return { json, warnings, failure }
}

/** Nothing is said of fields unless all documents were seen. */
function fieldsWithoutWords({ tally, failure, interrupted, emptyFields, properties }: Fed): string[] {
  if (tally.documents === 0 || failure !== undefined || interrupted) return []
  return emptyFields.map((name) => {
    if (properties.includes(name)) return `the field ${describe(name)} has no words in any document`
    return `no document has the field ${describe(name)}; they have ${namesText(properties)}`
  })
}

/** Writes batches as of one time, and keeps their largest gains. */
function writing(index: Freshdex<Document>, at: number | undefined, gains: LargestGains) {
  return async (batch: WriteBatch<Document>): Promise<WriteReport> => {
    const report = await index.write(batch, at === undefined ? {} : { at })
    gains.add(report.gains)
    return report
  }
}

function fedText({ tally, overhead, gains, totalGain, interrupted, elapsedMs }: Report, isRemoval: boolean): string {
  const { documents, added, replaced, unchanged, removed, missing, skipped } = tally
  const kinds = `${thousands(added)} added, ${thousands(replaced)} replaced, ${thousands(unchanged)} unchanged`
  const done = isRemoval
    ? `${count(removed, 'document')} removed, ${thousands(missing)} not there`
    : `${count(documents, 'document')} written: ${kinds}`
  const rest = skipped > 0 ? `; ${count(skipped, 'line')} skipped` : ''
  return [
    `${interrupted ? 'interrupted; ' : ''}${done}${rest}; ${duration(elapsedMs)}`,
    ...(overhead.measureUs === 0 ? [] : [overheadText(overhead)]),
    ...(gains.length === 0
      ? []
      : ['the largest gains, as shares of what all documents gained', gainsText(gains, totalGain)]),
  ].join('\n')
}

function overheadText({ indexUs, measureUs, fitUs, ledgerUs, ratio }: Overhead): string {
  const spent = duration((measureUs + fitUs + ledgerUs) / 1000)
  return `measuring took ${spent} beside ${duration(indexUs / 1000)} of indexing, ${percent(ratio)}`
}

function gainsText(gains: readonly DocumentGain[], totalGain: number): string {
  return table(
    gains.map(({ key, deltaQuality }) => [`  ${percentCell(deltaQuality / totalGain)}`, oneLine(String(key))]),
  )
}

function skippedLines({ errors, skipped }: FeedTally): string[] {
  // A line at which the command stopped is among the errors, but was not skipped.
  if (skipped === 0) return []
  return [
    ...errors.map(({ source, line, message, code }) => {
      return `skipped line ${line} of ${source}: ${message}${code === undefined ? '' : ` (${code})`}`
    }),
    ...(skipped > errors.length ? [`skipped ${count(skipped - errors.length, 'more line')}`] : []),
  ]
}

/** The failure, with how much is in the index: batches before the one that failed were written. */
function withProgressMade(failure: unknown, { documents, removed }: FeedTally, isRemoval: boolean): unknown {
  if (!(failure instanceof Error)) return failure
  const number = isRemoval ? removed : documents
  const done = `${number === 1 ? 'was' : 'were'} ${isRemoval ? 'removed' : 'written'}`
  failure.message += `; ${count(number, 'document')} of earlier batches ${done}`
  return failure
}

async function toOpenOptions(given: Options): Promise<OpenOptions<Document>> {
  const { key, field: fields, column: columns, expires, scoring: model, weight, store, durability } = given
  const analyzer = given.analyzer === undefined ? undefined : await analyzerNamed(given.analyzer)
  const scoring = weight === undefined ? model : { ...(model && { model }), weight }
  const prioritizer = given.prioritizer ? undefined : false
  const options = { key, fields, columns, expires, analyzer, scoring, store, durability, prioritizer }
  // What was not given must be absent: an index that exists knows it.
  const said = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said) as unknown as OpenOptions<Document>
}

async function analyzerNamed(name: string): Promise<OpenOptions<Document>['analyzer'] & {}> {
  return isPreset(name) ? name : loadLanguage(name as LanguageName)
}

function storeValue(text: string): boolean | readonly string[] {
  return text === 'all' ? true : text === 'none' ? false : nameList(text)
}

/** How many gains are listed. */
const MAX_GAINS = 10

/** The largest gains of many writes. A document that was refreshed several times may be listed as often. */
export class LargestGains {
  #list: readonly DocumentGain[] = []
  #total = 0

  /** What all of them came to. */
  get total(): number {
    return this.#total
  }

  /** The largest gain first. */
  get list(): readonly DocumentGain[] {
    return this.#list
  }

  /** Takes the gains of a write. REQUIRES: the largest comes first, as a write reports them. */
  add(gains: readonly DocumentGain[]): void {
    if (gains.length === 0) return
    for (const { deltaQuality } of gains) this.#total += deltaQuality
    this.#list = [...this.#list, ...gains.slice(0, MAX_GAINS)]
      .sort((a, b) => b.deltaQuality - a.deltaQuality)
      .slice(0, MAX_GAINS)
  }
}
