/**
 * Queries by class and stratum: those of a data set, and classes that are made of its phrases. Strata say how frequent
 * the words are (h, m, l: in at least 5% of the pages, in 0.5% to 5%, in fewer), or how many words a phrase has.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Freshdex, Query } from 'freshdex'
import { Misuse } from './bench.js'

export type Kind = 'term' | 'and' | 'or' | 'phrase'

export interface ClassQuery {
  readonly class: string
  readonly stratum: string
  /** How the words are asked for. */
  readonly kind: Kind
  /** One space between two of them. */
  readonly words: string
}

const QUERIES_FILE = 'queries-by-class.tsv'
export const STOP_WORD = 'the'
/** A word is frequent when this part of the pages has it. */
export const FREQUENT_SHARE = 0.05

const QUERY_OF: Readonly<Record<Kind, (words: string) => Query>> = {
  term: (word) => ({ word }),
  and: (words) => ({ and: words.split(' ') }),
  or: (words) => ({ or: words.split(' ') }),
  phrase: (phrase) => ({ phrase }),
}

export async function readClassQueries(folder: string): Promise<ClassQuery[]> {
  const file = path.join(folder, QUERIES_FILE)
  if (!existsSync(file)) throw new Misuse(`--data must name a folder with ${QUERIES_FILE}: there is none in ${folder}`)
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [kind = '', stratum = '', words = ''] = line.split('\t')
    if (!isKind(kind)) throw new Misuse(`${file} has queries of an unknown class: ${kind}`)
    return { class: kind, kind, stratum, words }
  })
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(QUERY_OF, text)
}

export function toQuery({ kind, words }: Pick<ClassQuery, 'kind' | 'words'>): Query {
  return QUERY_OF[kind](words)
}

/** The phrases all of whose words are frequent, as a class of their own: those of the data set stay what they are. */
export function frequentPhrases<D extends object>(index: Freshdex<D>, asked: readonly ClassQuery[]): ClassQuery[] {
  const least = index.stats().documents * FREQUENT_SHARE
  const isFrequent = (word: string) => index.search({ word }, { limit: 1, countUpTo: least }).total >= least
  return asked
    .filter(({ kind, words }) => kind === 'phrase' && words.split(' ').every(isFrequent))
    .map((phrase) => ({ ...phrase, class: 'frequent phrase' }))
}

/** Phrases of three words with a stop word in place of the second, which leaves a hole where any word may stand. */
export function phrasesWithHoles(asked: readonly ClassQuery[]): ClassQuery[] {
  return asked.flatMap(({ kind, stratum, words }) => {
    const [first, , third] = words.split(' ')
    if (kind !== 'phrase' || third === undefined) return []
    return [{ class: 'phrase with a hole', kind, stratum, words: `${first} ${STOP_WORD} ${third}` }]
  })
}

/** The same queries with a class for the phrases of each length. */
export function phrasesByLength(asked: readonly ClassQuery[]): ClassQuery[] {
  return asked.map((query) => {
    if (query.class !== 'phrase') return query
    return { ...query, class: `phrase of ${query.words.split(' ').length} words`, stratum: '' }
  })
}
