/** Which words of texts a query asks for: the texts as the core takes them, and its answer. */
import { type Analyzer, analyzeText } from '../analysis/analyzer.js'
import { ByteWriter } from '../base/bytes.js'
import { FreshdexError } from '../base/errors.js'
import type { Deadline } from '../search/deadline.js'
import type { TextMark } from '../search/fragments.js'
import type { FieldTerm } from './query-wire.js'

export interface FieldText {
  /** The number of the field. */
  readonly field: number
  readonly text: string
}

const FORM_TEXT = 0
const FORM_TOKENS = 1

const NO_PART = 2 ** 32 - 1

const INITIAL_BYTES = 64 * 1024
/** What fits into a buffer of Node. */
const MAX_BYTES = 2 ** 31 - 1

/** The words of a text for an analyzer that cannot say where its tokens stand. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’.·_-][\p{L}\p{M}\p{N}]+)*/gu

/**
 * Lays texts out as `mark` of the core takes them (native/node/marking.h). `analyzers` by field: where they are not the
 * core's. Once the time is over no text is analysed any more: the core marks nothing then.
 */
export function encodeTexts(
  texts: readonly FieldText[],
  analyzers: readonly (Analyzer | undefined)[],
  deadline: Deadline,
): Uint8Array {
  const writer = new ByteWriter(INITIAL_BYTES, MAX_BYTES, tooMuchText)
  for (const { field, text } of texts) {
    writer.u32(field)
    const analyzer = analyzers[field]
    if (analyzer === undefined) {
      writer.u8(FORM_TEXT)
      writer.sizedUtf8(text)
      continue
    }
    writer.u8(FORM_TOKENS)
    const sizeAt = writer.length
    writer.u32(0)
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (deadline.isOver) break
      for (const token of analyzeText(analyzer, word).tokens) {
        writer.u32(index)
        writer.u32(index + word.length)
        const lengthAt = writer.length
        writer.u16(0)
        writer.patchU16(lengthAt, writer.utf8(token))
      }
    }
    writer.patchU32(sizeAt, writer.length - sizeAt - 4)
  }
  return writer.view()
}

function tooMuchText(limit: number): FreshdexError {
  return new FreshdexError('DOCUMENT_TOO_LARGE', `the texts of the hits have more than ${limit} bytes; ask for fewer`)
}

/** The marks of each text, in the order of the texts. */
export function decodeMarks(buffer: ArrayBuffer): TextMark[][] {
  const values = new Uint32Array(buffer)
  const texts: TextMark[][] = []
  for (let at = 0; at < values.length; ) {
    const count = values[at++] as number
    const marks: TextMark[] = new Array(count)
    for (let row = 0; row < count; row++, at += 4) {
      const part = values[at + 2] as number
      marks[row] = {
        begin: values[at] as number,
        end: values[at + 1] as number,
        part: part === NO_PART ? undefined : part,
        wholeEnd: values[at + 3] as number,
      }
    }
    texts.push(marks)
  }
  return texts
}

const TERM_HEAD_BYTES = 18

/** The terms of a document, as `termsOf` of the core gives them. */
export function decodeTerms(bytes: Uint8Array): FieldTerm[] {
  const terms: FieldTerm[] = []
  for (let at = 0; at < bytes.length; ) {
    const [field, length] = [bytes[at] as number, bytes[at + 1] as number]
    const begin = at + TERM_HEAD_BYTES
    at = begin + length
    terms.push({ field, term: bytes.subarray(begin, at) })
  }
  return terms
}
