/** The native core as the engine that the prioritizer works with. What the core throws comes out as FreshdexError. */
import { type Analyzer, analyzeText, type PresetVariant } from '../analysis/analyzer.js'
import type { Key } from '../base/keys.js'
import type { MeasuringEngine, QueryWords, SearchEngine, WritingCore } from '../engine.js'
import type { OpenSettings } from '../options/index-settings.js'
import { measurableTexts } from '../search/measurable-text.js'
import type { Query } from '../search/query.js'
import type { NativeIndex } from './addon-shape.js'
import { awaitNative, callNative, loadAddon } from './binding.js'
import type { Reader } from './reader.js'
import { batchMeasure, fittedCurves, preparedBatch, publishedBatch } from './write-results.js'

/** Where the newest state of an index can be read. */
export interface ReadableIndex {
  /** Of the present moment: asked for anew at each read. */
  readonly reader: Reader<object>
  /** Undefined where nothing can be written. */
  readonly measuring: MeasuringEngine | undefined
  readonly words: QueryWords
}

/** Reads a snapshot of the present moment, which stays open until the promise settles. */
export type ReadAside = <T>(read: (reader: Reader<object>) => Promise<T>) => Promise<T>

/** What queries of an index consist of. Several cores may follow one another: it is asked for anew each time. */
export function queryWords(
  native: () => Pick<NativeIndex, 'analyze'>,
  analyzer: PresetVariant | Analyzer,
  seed: bigint,
): QueryWords {
  // Finding the addon takes a look into folders each time.
  const addon = loadAddon()
  return {
    tokensOf: (text) =>
      typeof analyzer === 'string'
        ? decodeTokens(callNative(() => native().analyze(Buffer.from(text, 'utf8'))))
        : analyzeText(analyzer, text).tokens,
    hash: (word) => addon.xxh64(Buffer.from(word, 'utf8'), seed),
    hashBytes: (bytes) => addon.xxh64(bytes, seed),
  }
}

export function nativeEngine(index: ReadableIndex, settings: OpenSettings, readAside: ReadAside): SearchEngine {
  const { fieldNames, fieldBoosts, columns, scoring, links } = settings
  const fields = new Set(fieldNames)
  return {
    numberOf: (key) => index.reader.documents.numberOf(key),
    keyOf: (doc) => index.reader.documents.keyOf(doc),
    documentOf: (key: Key) => index.reader.documents.get(key) as Readonly<Record<string, unknown>> | undefined,
    fieldNames,
    weightName: scoring.weight,
    linksName: links?.property,
    sequence: () => index.reader.stats().sequence,
    matching: (query, filter) =>
      readAside((reader) =>
        reader.matches.matching(
          query ?? { all: true },
          filter === undefined ? undefined : reader.filterOf('filter', filter),
        ),
      ),
    best: (words, limit) => index.reader.matches.best(words, limit),
    measurableTexts: (query, operator = 'and') => measurableTexts(query as Query, { fields, operator, columns }),
    hasAnswer: (words) => index.reader.matches.hasAnswer(words),
    words: index.words,
    measuring: index.measuring,
    scoring: JSON.stringify([scoring, fieldBoosts, ...(links?.isWeight ? [links.property] : [])]),
    loadCurves: (workload, pieces, view, kept) => index.reader.loadCurves(workload, pieces, view, kept),
    curveOf: (query) => index.reader.curveOf(query),
    stakeParts: (doc, limit) => index.reader.stakeParts(doc, limit),
  }
}

export function writingCore(native: NativeIndex): WritingCore {
  return {
    prepare: async (bytes, links) => preparedBatch(await awaitNative(() => native.prepare(bytes, links))),
    measure: async () => batchMeasure(await awaitNative(() => native.measure())),
    publish: async () => publishedBatch(await awaitNative(() => native.publish())),
    discard: () => awaitNative(() => native.discard()),
  }
}

export function measuringEngine(native: NativeIndex): MeasuringEngine {
  return {
    renewEpoch: () => awaitNative(() => native.renewEpoch()),
    startExtension: (workload, scale) => awaitNative(() => native.startExtension(workload, scale)),
    resume: (workload, pieces, view, kept, stakes) =>
      awaitNative(() => native.resume(workload, pieces, view, kept, stakes)),
    churn: () => awaitNative(() => native.churn()),
    startFit: (workload, pieces, view) => awaitNative(() => native.startFit(workload, pieces, view)),
    runFit: () => awaitNative(() => native.runFit()),
    adoptFit: async () => fittedCurves(await awaitNative(() => native.adoptFit())),
    abandonFit: () => awaitNative(() => native.abandonFit()),
    stopMeasuring: () => awaitNative(() => native.stopMeasuring()),
    keepShifts: (keeps) => awaitNative(() => native.keepShifts(keeps)),
    measureShare: (share) => awaitNative(() => native.measureShare(share)),
    wordsOfHashes: async (hashes) => {
      if (hashes.length === 0) return new Map()
      const wanted = BigUint64Array.from(new Set(hashes))
      return decodeWords(await awaitNative(() => native.wordsOfHashes(wanted)))
    },
  }
}

/** { u16 bytes, u16 holes before, UTF-8 } … */
function decodeTokens(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tokens: string[] = []
  for (let at = 0; at < buffer.length; ) {
    const end = at + 4 + buffer.readUInt16LE(at)
    tokens.push(buffer.toString('utf8', at + 4, end))
    at = end
  }
  return tokens
}

/** { u64 hash, u8 bytes, UTF-8 } … */
function decodeWords(bytes: Uint8Array): ReadonlyMap<bigint, string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const words = new Map<bigint, string>()
  for (let at = 0; at < buffer.length; ) {
    const end = at + 9 + buffer.readUInt8(at + 8)
    words.set(buffer.readBigUInt64LE(at), buffer.toString('utf8', at + 9, end))
    at = end
  }
  return words
}
