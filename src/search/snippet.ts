/** The option `snippet` of a search, and what a hit then carries: pieces of its text with the words that were found. */
import { nameListOption, numberOption, readOptions } from '../base/checks.js'
import { describe } from '../base/describe.js'
import type { FieldName } from '../base/documents.js'
import { FreshdexError } from '../base/errors.js'
import { chooseFragments, type Fragment, type TextMark } from './fragments.js'

export interface SnippetOptions<D extends object> {
  /**
   * The fields that a snippet may come from; of equally good ones the first. Default: all that are stored; of equally
   * good ones the one with the longest text.
   */
  readonly fields?: readonly FieldName<D>[]
  /** The most UTF-16 units of text, the `…` between pieces left out. 1 to 100,000, default 200. */
  readonly length?: number
  /** The most pieces. 1 to 20, default 2. */
  readonly fragments?: number
}

/** Pieces of a hit's text. Only with the option `snippet`. */
export interface Snippet {
  /** The field that the text is from. */
  readonly field: string
  /** Pieces of the stored text as they stand there, joined by `…`. */
  readonly text: string
  /** The words that the query asks for: where each begins and ends in `text`, in UTF-16 units, in order. */
  readonly marks: readonly (readonly [start: number, end: number])[]
  /** `text` as HTML: escaped, and every mark inside of <mark>. */
  readonly html: string
}

/** The option after validation. */
export interface SnippetSettings {
  /** In the order of preference where the user named them. */
  readonly fields: readonly string[]
  readonly prefersLongest: boolean
  readonly length: number
  readonly fragments: number
}

const MAX_LENGTH = 100_000
const MAX_FRAGMENTS = 20

const BETWEEN_PIECES = '…'

/** `stored`: the fields whose text can be read. Undefined when no snippet is wanted; NOT_SUPPORTED without any text. */
export function snippetOption(
  value: unknown,
  fieldNames: readonly string[],
  stored: readonly string[],
): SnippetSettings | undefined {
  if (value === undefined || value === false) return undefined
  if (value !== true && (typeof value !== 'object' || value === null))
    throw new TypeError(`snippet must be true, false or an object, received ${describe(value)}`)
  const given = readOptions('snippet', value === true ? undefined : value, ['fields', 'length', 'fragments'])
  const named = given.fields === undefined ? undefined : nameListOption('snippet.fields', given.fields)
  const unknown = named?.find((name) => !fieldNames.includes(name))
  if (unknown !== undefined || named?.length === 0) {
    const received = unknown === undefined ? 'none' : `"${unknown}"`
    throw new TypeError(`snippet.fields must name fields of the index, received ${received}; ${listed(fieldNames)}`)
  }
  const length = numberOption('snippet.length', given.length, 200, { min: 1, max: MAX_LENGTH, integer: true })
  const fragments = numberOption('snippet.fragments', given.fragments, 2, { min: 1, max: MAX_FRAGMENTS, integer: true })
  const missing = named?.find((name) => !stored.includes(name)) ?? (stored.length === 0 ? fieldNames[0] : undefined)
  if (missing !== undefined) {
    const message = `a snippet needs the stored text of "${missing}", and the index does not store it; ${REMEDY}`
    throw new FreshdexError('NOT_SUPPORTED', message, { detail: { field: missing } })
  }
  return { fields: named ?? stored, prefersLongest: named === undefined, length, fragments }
}

const REMEDY = 'write the documents to an index that is opened with store: true, or with the field in store'

function listed(fieldNames: readonly string[]): string {
  return `fields: ${fieldNames.join(', ')}`
}

/** A text of a document, and the marks of a query in it. */
export interface MarkedText {
  readonly field: string
  readonly text: string
  readonly marks: readonly TextMark[]
}

/**
 * The snippet of a document: from the text whose pieces have the most parts of the query, in the order of preference.
 * `texts` are those of settings.fields, in that order. Undefined when all are empty.
 */
export function makeSnippet(texts: readonly MarkedText[], settings: SnippetSettings): Snippet | undefined {
  const present = texts.filter(({ text }) => text.trim() !== '')
  const inOrder = settings.prefersLongest ? present.toSorted((a, b) => b.text.length - a.text.length) : present
  let best: { readonly text: MarkedText; readonly pieces: readonly Fragment[]; readonly parts: number } | undefined
  for (const text of inOrder) {
    // Without a mark the first text of all will do: its beginning is as good as any.
    if (best !== undefined && text.marks.length === 0) continue
    const { pieces, parts } = chooseFragments(text.text, text.marks, settings)
    if (best === undefined || parts > best.parts) best = { text, pieces, parts }
  }
  return best && snippetOf(best.text, best.pieces)
}

function snippetOf({ field, text, marks }: MarkedText, pieces: readonly Fragment[]): Snippet {
  let shown = ''
  let html = ''
  const shownMarks: [number, number][] = []
  for (const piece of pieces) {
    if (piece !== pieces[0]) {
      shown += BETWEEN_PIECES
      html += BETWEEN_PIECES
    }
    const offset = shown.length - piece.begin
    let at = piece.begin
    for (const [begin, end] of mergedMarks(marks, piece)) {
      html += `${escapeHtml(text.slice(at, begin))}<mark>${escapeHtml(text.slice(begin, end))}</mark>`
      shownMarks.push([begin + offset, end + offset])
      at = end
    }
    html += escapeHtml(text.slice(at, piece.end))
    shown += text.slice(piece.begin, piece.end)
  }
  return { field, text: shown, marks: shownMarks, html }
}

/** The marks that stand in a piece as a whole. Those that overlap, as pairs of CJK characters do, become one. */
function mergedMarks(marks: readonly TextMark[], piece: Fragment): [number, number][] {
  const merged: [number, number][] = []
  for (let at = firstFrom(marks, piece.begin); at < marks.length; at++) {
    const { begin, end } = marks[at] as TextMark
    if (begin >= piece.end) break
    if (end > piece.end) continue
    const last = merged.at(-1)
    if (last !== undefined && begin < last[1]) last[1] = Math.max(last[1], end)
    else merged.push([begin, end])
  }
  return merged
}

/** The first mark that begins at `begin` or later. */
function firstFrom(marks: readonly TextMark[], begin: number): number {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((marks[middle] as TextMark).begin < begin) low = middle + 1
    else high = middle
  }
  return low
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that means itself, as an element's content and as a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
}
