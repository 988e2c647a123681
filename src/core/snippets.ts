/** Snippets of hits: the core marks the words of the query in their texts, and the pieces are chosen here. */
import { ownAnalyzer } from '../analysis/analyzer.js'
import { readText } from '../base/documents.js'
import type { Deadline } from '../search/deadline.js'
import { makeSnippet, type Snippet, type SnippetSettings } from '../search/snippet.js'
import { callNative } from './binding.js'
import { decodeMarks, encodeTexts, type FieldText } from './marks.js'
import type { ReadState } from './read-state.js'
import type { KeyedDocument } from './shown-rows.js'

/** Documents whose snippets are made at a time. */
const PORTION = 64

/** Those of the first documents, where the time ends before the others. */
export function makeSnippets(
  state: ReadState,
  documents: readonly KeyedDocument[],
  wire: Uint8Array,
  settings: SnippetSettings,
  deadline: Deadline,
): readonly (Snippet | undefined)[] {
  const snippets: (Snippet | undefined)[] = []
  // Portion by portion: if all were read first, the time might be over before anything is made of them.
  for (let from = 0; from < documents.length && snippets.length === from; from += PORTION)
    snippets.push(...snippetsOf(state, documents.slice(from, from + PORTION), wire, settings, deadline))
  return snippets
}

function snippetsOf(
  { native, settings: { fieldNames, fieldAnalyzers } }: ReadState,
  documents: readonly KeyedDocument[],
  wire: Uint8Array,
  settings: SnippetSettings,
  deadline: Deadline,
): readonly (Snippet | undefined)[] {
  const texts: FieldText[] = []
  for (const { key, document } of documents) {
    if (deadline.isOver) break
    const stored = document()
    for (const name of settings.fields)
      texts.push({ field: fieldNames.indexOf(name), text: readText(stored, name, key) })
  }
  const slab = encodeTexts(texts, fieldAnalyzers.map(ownAnalyzer), deadline)
  const marks = decodeMarks(callNative(() => native.mark(wire, slab, deadline.leftMs())))
  const perDocument = settings.fields.length
  const snippets: (Snippet | undefined)[] = []
  for (let at = 0; (at + 1) * perDocument <= marks.length; at++) {
    if (deadline.isOver) break
    const marked = settings.fields.map((field, place) => ({
      field,
      text: texts[at * perDocument + place]?.text ?? '',
      marks: marks[at * perDocument + place] ?? [],
    }))
    snippets.push(makeSnippet(marked, settings))
  }
  return snippets
}
