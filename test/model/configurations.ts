/** The kinds of index the model test runs: for each the options given to the engine, and the same said to the twin. */
import type { Analyzer, OpenOptions } from 'freshdex'
import { MIXED, STEMLESS, type TextShape, Vocabulary } from '../support/corpus.js'
import type { SeededRandom } from '../support/seed.js'
import type { NaiveConfig, NaiveDocument } from './naive-index.js'
import type { ScoringModel } from './naive-scoring.js'

export interface Configuration {
  readonly name: string
  readonly options: OpenOptions<NaiveDocument>
  readonly twin: NaiveConfig
  readonly shape: TextShape
  /** Most lines of text per field, in the order of the fields. */
  readonly lines: readonly number[]
  /** Property that holds the page weight, where there is one. */
  readonly weight?: string
  /** What get() must give for a document that was put. */
  stored(document: NaiveDocument): NaiveDocument
}

const KEY = 'id'
const BM25: ScoringModel = { model: 'bm25', k1: 1.2, b: 0.75 }
const TFIDF: ScoringModel = { model: 'tfidf', k1: 1.2, b: 0.75 }

const BODY = [{ name: 'body', boost: 1 }]
const THREE_FIELDS = [
  { name: 'title', boost: 2.5 },
  { name: 'body', boost: 1 },
  { name: 'tags', boost: 0.4 },
]

export function standardTokens(text: string): string[] {
  return wordsOf(text).map(withoutAccents)
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Stop words are holes. A word with an accent is another word than the stop word without it. */
function englishTokens(text: string): (string | null)[] {
  return wordsOf(text).map((word) => (ALL_STOP_WORDS.has(word.toLowerCase()) ? null : withoutAccents(word)))
}

/** In lower case, composed letters without their accents. */
export function withoutAccents(word: string): string {
  return Array.from(word.toLowerCase(), (letter) => letter.normalize('NFD').charAt(0)).join('')
}

const STANDARD = { key: KEY, analyze: standardTokens, normalize: withoutAccents }

/** Capitals instead of small letters, runs of letters and of digits apart, one word dropped by an empty token. */
const capitals: Analyzer = {
  name: 'capitals',
  version: '1',
  analyze: (text) => capitalTokens(text, ''),
  normalize: (word) => word.toUpperCase(),
}

function capitalTokens(text: string, dropped: string): string[] {
  const words = (text.match(/\p{L}+|\p{N}+/gu) ?? []).map((word) => word.toUpperCase())
  return words.map((word) => (word === 'UND' ? dropped : word))
}

/** Stop words whatever list of English stop words one takes; none reads as an operator when written in capitals. */
const STOP_WORDS = ['the', 'of', 'to', 'in', 'is']
/** A word that is misspelt becomes any of them. */
const ALL_STOP_WORDS = new Set([
  ...['a', 'an', 'and', 'are', 'as', 'at', 'be', 'but', 'by', 'for', 'if', 'in', 'into', 'is', 'it', 'no', 'not', 'of'],
  ...[
    'on',
    'or',
    'such',
    'that',
    'the',
    'their',
    'then',
    'there',
    'these',
    'they',
    'this',
    'to',
    'was',
    'will',
    'with',
  ],
])

function optionsOf(fields: NaiveConfig['fields'], rest: Partial<OpenOptions<NaiveDocument>> = {}) {
  const schema = Object.fromEntries(fields.map(({ name, boost }) => [name, boost === 1 ? {} : { boost }]))
  return { key: KEY, fields: schema, ...rest } as OpenOptions<NaiveDocument>
}

const whole = (document: NaiveDocument) => document

export const CONFIGURATIONS: readonly ((random: SeededRandom) => Configuration)[] = [
  (random) => ({
    name: 'one field, bm25',
    options: optionsOf(BODY),
    twin: { ...STANDARD, fields: BODY, scoring: BM25 },
    shape: { vocabulary: new Vocabulary(random, 500) },
    lines: [12],
    stored: whole,
  }),
  (random) => ({
    name: 'three fields with boosts, bm25, some properties stored',
    options: optionsOf(THREE_FIELDS, { scoring: { model: 'bm25', k1: 0.9, b: 0.4 }, store: ['title', 'note'] }),
    twin: { ...STANDARD, fields: THREE_FIELDS, scoring: { model: 'bm25', k1: 0.9, b: 0.4 } },
    shape: { vocabulary: new Vocabulary(random, 300) },
    lines: [1, 8, 2],
    stored: ({ id, title, note }) => ({ id, title, note }),
  }),
  (random) => ({
    name: 'three fields with boosts, tfidf, nothing stored',
    options: optionsOf(THREE_FIELDS, { scoring: 'tfidf', store: false }),
    twin: { ...STANDARD, fields: THREE_FIELDS, scoring: TFIDF },
    shape: { vocabulary: new Vocabulary(random, 300) },
    lines: [2, 6, 1],
    stored: ({ id }) => ({ id }),
  }),
  (random) => ({
    name: 'a page weight, bm25',
    options: optionsOf(BODY, { scoring: { weight: 'links', alpha: 0.7, beta: 2 } }),
    twin: { ...STANDARD, fields: BODY, scoring: BM25, weight: { property: 'links', alpha: 0.7, beta: 2 } },
    shape: { vocabulary: new Vocabulary(random, 400) },
    lines: [8],
    weight: 'links',
    stored: whole,
  }),
  (random) => ({
    name: 'a page weight with its default share, tfidf, two fields',
    options: optionsOf(THREE_FIELDS.slice(0, 2), { scoring: { model: 'tfidf', weight: 'links' } }),
    twin: {
      ...STANDARD,
      fields: THREE_FIELDS.slice(0, 2),
      scoring: TFIDF,
      weight: { property: 'links', alpha: 1, beta: 1 },
    },
    shape: { vocabulary: new Vocabulary(random, 200) },
    lines: [1, 6],
    weight: 'links',
    stored: whole,
  }),
  (random) => ({
    name: 'an analyzer of the user, two fields',
    options: optionsOf(THREE_FIELDS.slice(1), { analyzer: capitals }),
    twin: {
      key: KEY,
      fields: THREE_FIELDS.slice(1),
      scoring: BM25,
      seesOnlyTokens: true,
      analyze: (text) => capitalTokens(text, '').filter((token) => token !== ''),
      normalize: (word) => word.toUpperCase(),
    },
    shape: { vocabulary: new Vocabulary(random, 400), extra: ['und', 'ba12st', 'ba12', 'ba'] },
    lines: [8, 1],
    stored: whole,
  }),
  (random) => ({
    name: 'english, whose stop words leave holes',
    options: optionsOf(BODY, { analyzer: 'english' }),
    twin: {
      ...STANDARD,
      fields: BODY,
      scoring: BM25,
      analyze: englishTokens,
    },
    shape: { vocabulary: new Vocabulary(random, 300, STEMLESS), extra: STOP_WORDS },
    lines: [8],
    stored: whole,
  }),
  (random) => {
    const singular = new Vocabulary(random, 150, STEMLESS)
    return {
      name: 'english, whose words have plurals',
      options: optionsOf(THREE_FIELDS.slice(0, 2), { analyzer: 'english' }),
      twin: {
        ...STANDARD,
        fields: THREE_FIELDS.slice(0, 2),
        scoring: BM25,
        analyze: (text) => englishTokens(text).map(singularOf),
        written: standardTokens,
      },
      shape: { vocabulary: singular, extra: singular.words.map((word) => `${word}s`) },
      lines: [1, 6],
      stored: whole,
    }
  },
]

/** The stem of a word that ends in b, k or p, with or without the s of a plural, which a vowel must come before. */
function singularOf(token: string | null): string | null {
  if (token === null) return null
  return /[aeiou].*s$/.test(token) ? token.slice(0, -1) : token
}

/**
 * Posting lists of many blocks: the first words of the vocabulary stand in nearly every document, and a family of
 * numbered words is larger than the number of expansions a search may use.
 */
export function manyDocuments(random: SeededRandom, scoring: 'bm25' | 'tfidf'): Configuration {
  const numbered = Array.from({ length: 1_700 }, (_, nth) => `serial${nth}`)
  return {
    name: `many documents, ${scoring}`,
    options: optionsOf(BODY, { scoring }),
    twin: { ...STANDARD, fields: BODY, scoring: scoring === 'bm25' ? BM25 : TFIDF },
    shape: { vocabulary: new Vocabulary(random, 250, MIXED), extra: numbered },
    lines: [3],
    stored: whole,
  }
}
