/** What links make of documents, as the addon reads it beside a batch: see native/index/batch.h. */
import { type Analyzer, analyzeText, ownAnalyzer } from '../analysis/analyzer.js'
import { ByteWriter } from '../base/bytes.js'
import { writeKey } from '../base/keys.js'
import type { LinkedDocument } from '../links/link-moves.js'
import type { OpenSettings } from '../options/index-settings.js'
import { batchTooLarge, FORM_TEXT, FORM_TOKENS, MAX_BATCH_BYTES, writeToken } from './batch.js'

const INITIAL_BYTES = 4 * 1024

/** REQUIRES: the index reads links; no document is named twice. */
export function encodeLinked(
  documents: readonly LinkedDocument[],
  { links, fieldNames, fieldAnalyzers }: OpenSettings,
): Uint8Array {
  const own = links?.field === undefined ? undefined : fieldAnalyzers[fieldNames.indexOf(links.field)]
  const analyzer = own && ownAnalyzer(own)
  const writer = new ByteWriter(INITIAL_BYTES, MAX_BATCH_BYTES, batchTooLarge)
  writer.u32(documents.length)
  for (const { key, text, links: count } of documents) {
    writeKey(writer, key)
    writer.f64(links?.isWeight ? count : Number.NaN)
    if (links?.field !== undefined) writeText(writer, text, analyzer)
  }
  return writer.view()
}

/** Without an analyzer the core analyses the text. */
function writeText(writer: ByteWriter, text: string, analyzer: Analyzer | undefined): void {
  if (analyzer === undefined) {
    writer.u8(FORM_TEXT)
    writer.sizedUtf8(text)
  } else writeTokens(writer, text, analyzer)
}

function writeTokens(writer: ByteWriter, text: string, analyzer: Analyzer): void {
  writer.u8(FORM_TOKENS)
  const sizeAt = writer.length
  writer.u32(0)
  for (const token of analyzeText(analyzer, text).tokens) writeToken(writer, token)
  writer.patchU32(sizeAt, writer.length - sizeAt - 4)
}
