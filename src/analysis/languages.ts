/**
 * Analyzers of other languages, from the stemmers of the optional package natural. Only single files of it are
 * imported, and only when asked for: its main entry loads database clients and prints to standard output.
 *
 * Tokens come from our own regular expression, not from natural's tokenizers. Tried on text of each language, these
 * split Italian and Dutch words at their accents, German and Portuguese ones at some (Ä, ü), drop digits (Spanish,
 * Portuguese) or fold letters that the stemmer would have kept (Norwegian, Swedish); the rest agree with ours. Japanese
 * is the exception: it needs a segmenter, and natural has one.
 *
 * Stop words are kept. An analyzer cannot say where a stop word was, and phrases would match across the gap.
 *
 * Left out: English, which the core does itself, Persian, whose stemmer in natural returns its argument, and Polish,
 * which has none.
 */
import { createRequire } from 'node:module'
import { describe } from '../base/describe.js'
import { FreshdexError } from '../base/errors.js'
import type { Analyzer } from './analyzer.js'

interface Stemmer {
  stem(word: string): string
}

interface SegmenterClass {
  new (): { tokenize(text: string): string[] }
}

interface Language {
  readonly stemmer: string
  /** What the stemmer does to letters anywhere in a word; prefix and fuzzy words need the same. */
  readonly fold?: Readonly<Record<string, string>>
}

const NATURAL = 'natural/lib/natural/'

const LANGUAGES = {
  dutch: {
    stemmer: 'porter_stemmer_nl',
    fold: { ä: 'a', ë: 'e', ï: 'i', ö: 'o', ü: 'u', á: 'a', é: 'e', í: 'i', ó: 'o', ú: 'u' },
  },
  french: { stemmer: 'porter_stemmer_fr' },
  german: { stemmer: 'porter_stemmer_de', fold: { ä: 'a', ö: 'o', ü: 'u', ß: 'ss' } },
  indonesian: { stemmer: 'indonesian/stemmer_id' },
  italian: { stemmer: 'porter_stemmer_it', fold: { á: 'à', é: 'è', í: 'ì', ó: 'ò', ú: 'ù' } },
  japanese: { stemmer: 'stemmer_ja' },
  norwegian: { stemmer: 'porter_stemmer_no' },
  portuguese: { stemmer: 'porter_stemmer_pt' },
  russian: { stemmer: 'porter_stemmer_ru', fold: { ё: 'е' } },
  spanish: { stemmer: 'porter_stemmer_es', fold: { á: 'a', é: 'e', í: 'i', ó: 'o', ú: 'u' } },
  swedish: { stemmer: 'porter_stemmer_sv' },
  ukrainian: { stemmer: 'porter_stemmer_uk' },
} as const satisfies Record<string, Language>

export type LanguageName = keyof typeof LANGUAGES

export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as readonly LanguageName[]

/** Changes with any rule of this file that changes tokens. */
const RULES_VERSION = '1'

const WORD = /[\p{L}\p{M}\p{N}]+/gu
const JAPANESE = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]`
/** A run of Japanese script, or any other word: natural's segmenter would split 2024 into four words. */
const JAPANESE_RUN = new RegExp(String.raw`(?<japanese>${JAPANESE}+)|(?:(?!${JAPANESE})[\p{L}\p{M}\p{N}])+`, 'gu')
const HAS_WORD = /[\p{L}\p{N}]/u

/** Longer words are not stemmed: they have no inflections, and some stemmers take quadratic time. */
const MAX_STEMMED_UNITS = 100

/** How a module of natural is loaded. Tests replace it to simulate a missing package. */
export interface ModuleSource {
  load(specifier: string): Promise<unknown>
  version(): string
}

const installed: ModuleSource = {
  async load(specifier) {
    const module: { default: unknown } = await import(specifier)
    return module.default
  },
  version: () => (createRequire(import.meta.url)('natural/package.json') as { version: string }).version,
}

/**
 * The analyzer of a language, for the option `analyzer` of open. Needs the package natural.
 * RangeError for a language that is not in LANGUAGE_NAMES; ANALYZER_MISSING when natural is not installed.
 */
export async function loadLanguage(name: LanguageName): Promise<Analyzer> {
  return loadLanguageFrom(installed, name)
}

export async function loadLanguageFrom(source: ModuleSource, name: LanguageName): Promise<Analyzer> {
  requireLanguage(name)
  const language: Language = LANGUAGES[name]
  try {
    const stemmer = (await source.load(`${NATURAL}stemmers/${language.stemmer}.js`)) as Stemmer
    const version = `natural-${source.version()}/${RULES_VERSION}`
    if (name !== 'japanese') return europeanAnalyzer(name, version, stemmer, language.fold)
    const Segmenter = (await source.load(`${NATURAL}tokenizers/tokenizer_ja.js`)) as SegmenterClass
    return japaneseAnalyzer(name, version, stemmer, new Segmenter())
  } catch (cause) {
    const code = (cause as { code?: unknown } | null)?.code
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause
    throw new FreshdexError('ANALYZER_MISSING', `the language ${name} needs a package: npm install natural`, {
      cause,
      detail: { language: name, package: 'natural' },
    })
  }
}

function requireLanguage(name: unknown): void {
  const known = LANGUAGE_NAMES.join(', ')
  if (typeof name !== 'string') throw new TypeError(`a language must be one of ${known}, received ${describe(name)}`)
  if (name === 'english') throw new RangeError(`English needs no package: use analyzer: 'english'. Others: ${known}`)
  if (!Object.hasOwn(LANGUAGES, name)) throw new RangeError(`unknown language ${describe(name)}; known: ${known}`)
}

function europeanAnalyzer(name: string, version: string, stemmer: Stemmer, fold: Language['fold']): Analyzer {
  // The stemmers spell accented letters as single code points.
  const lower = (text: string) => text.normalize('NFC').toLowerCase()
  return {
    name,
    version,
    analyze: (text) => Array.from(lower(text).match(WORD) ?? [], (word) => stem(stemmer, word)),
    normalize: (word) => (fold === undefined ? lower(word) : foldLetters(lower(word), fold)),
  }
}

function japaneseAnalyzer(
  name: string,
  version: string,
  stemmer: Stemmer,
  segmenter: InstanceType<SegmenterClass>,
): Analyzer {
  // NFKC makes one of the half-width and full-width spellings.
  const lower = (text: string) => text.normalize('NFKC').toLowerCase()
  return {
    name,
    version,
    analyze(text) {
      const tokens: string[] = []
      for (const run of lower(text).matchAll(JAPANESE_RUN)) {
        if (run.groups?.japanese === undefined) tokens.push(run[0])
        else for (const word of segmenter.tokenize(run[0])) if (HAS_WORD.test(word)) tokens.push(stem(stemmer, word))
      }
      return tokens
    },
    normalize: lower,
  }
}

function stem(stemmer: Stemmer, word: string): string {
  if (word.length > MAX_STEMMED_UNITS) return word
  // Some algorithms mark letters as consonants by upper case and leave a mark behind now and then. A word is never
  // stemmed away: it would take its position with it.
  return stemmer.stem(word).toLowerCase() || word
}

function foldLetters(word: string, fold: Readonly<Record<string, string>>): string {
  return Array.from(word, (letter) => fold[letter] ?? letter).join('')
}
