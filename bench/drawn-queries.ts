/** Queries by class that a seed draws from pages: words as frequent as they are in texts, all of one page. */
import { type ClassQuery, type Kind, STOP_WORD } from './class-queries.js'
import type { TextPage } from './large-collection.js'
import { isStopWord } from './peers/stop-words.js'
import { uniform } from './random-numbers.js'

/** The class, how its words are asked for, how many there are, and whether they stand side by side. */
const CLASSES: readonly { readonly name: string; readonly kind: Kind; readonly words: number }[] = [
  { name: 'term', kind: 'term', words: 1 },
  { name: 'and', kind: 'and', words: 2 },
  { name: 'or', kind: 'or', words: 3 },
  { name: 'phrase of 2 words', kind: 'phrase', words: 2 },
  { name: 'phrase of 3 words', kind: 'phrase', words: 3 },
  { name: 'phrase with a hole', kind: 'phrase', words: 3 },
]
const HOLE = 'phrase with a hole'
const SHORTEST_WORD = 3
const TRIES = 100

/** So many of each class. */
export function drawnQueries(pages: readonly TextPage[], count: number, seed: number): ClassQuery[] {
  const random = uniform(seed)
  const below = (most: number) => Math.floor(most * random())
  const draw = (kind: Kind, wanted: number): string[] => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const words = pages[below(pages.length)]!.text.toLowerCase().match(/[a-z]+/g) ?? []
      const isSideBySide = kind === 'phrase'
      const start = below(words.length)
      const drawn = Array.from({ length: wanted }, (_, at) => words[isSideBySide ? start + at : below(words.length)])
      if (!drawn.every(isAsked) || new Set(drawn).size < wanted) continue
      return drawn as string[]
    }
    throw new Error('the pages have hardly any words')
  }
  return CLASSES.flatMap(({ name, kind, words }) =>
    Array.from({ length: count }, () => {
      const drawn = draw(kind, words)
      if (name === HOLE) drawn[1] = STOP_WORD
      return { class: name, stratum: '', kind, words: drawn.join(' ') }
    }),
  )
}

function isAsked(word: string | undefined): boolean {
  return word !== undefined && word.length >= SHORTEST_WORD && !isStopWord(word)
}
