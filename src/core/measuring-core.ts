import { type Analyzer, analyzeText, type PresetName } from '../analysis/analyzer.js'
import type { MeasuringCore } from '../engine.js'
import { awaitNative, callNative, loadAddon } from './binding.js'
import type { NativeIndex } from './native.js'

/** The measuring verbs of a core; what it throws comes out as FreshdexError. */
export function measuringCore(native: NativeIndex, analyzer: PresetName | Analyzer, seed: bigint): MeasuringCore {
  // The addon is looked up once, as finding it reads folders.
  const addon = loadAddon()
  return {
    tokensOf: (text) =>
      typeof analyzer === 'string'
        ? decodeTokens(callNative(() => native.analyze(Buffer.from(text, 'utf8'))))
        : analyzeText(analyzer, text).tokens,
    hash: (word) => addon.xxh64(Buffer.from(word, 'utf8'), seed),
    startFit: (workload, pieces, view) => awaitNative(() => native.startFit(workload, pieces, view)),
    runFit: () => awaitNative(() => native.runFit()),
    adoptFit: () => awaitNative(() => native.adoptFit()),
    abandonFit: () => awaitNative(() => native.abandonFit()),
    stopMeasuring: () => awaitNative(() => native.stopMeasuring()),
    keepShifts: (keeps) => awaitNative(() => native.keepShifts(keeps)),
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
