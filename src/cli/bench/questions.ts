/** What the contenders are asked: words that stand on the pages, as often as they do, but for those of every page. */
import { Randomness, streamSeed } from '../../lab/worlds/randomness.js'
import type { BenchPage } from './pages.js'

export const KINDS = ['word', 'all', 'any', 'phrase'] as const
export type Kind = (typeof KINDS)[number]

export interface Question {
  readonly kind: Kind
  readonly words: readonly string[]
}

/** How many words a question of the kind has, and whether they stand side by side. */
const SHAPES: Readonly<Record<Kind, { readonly words: number; readonly areNeighbours: boolean }>> = {
  word: { words: 1, areNeighbours: false },
  all: { words: 2, areNeighbours: false },
  any: { words: 3, areNeighbours: false },
  phrase: { words: 2, areNeighbours: true },
}

const SHORTEST_WORD = 3
/** A word of more pages than this is not asked for: engines may take it for a stop word, each for another one. */
const MOST_PAGES_SHARE = 0.25
/** Unless hardly any word is left then, as on a handful of pages. */
const FEWEST_WORDS = 50
const SAMPLED_PAGES = 2000
const TRIES = 200

/** So many of each kind, as far as the pages have them. */
export function drawQuestions(pages: readonly BenchPage[], count: number, seed: number): Question[] {
  const random = new Randomness(streamSeed(seed, 'questions', 0))
  const sample = random.sample(pages, SAMPLED_PAGES)
  const texts = sample.map(({ texts }) => wordsOf(texts.join('\n')))
  const isAsked = askedWords(texts)
  return KINDS.flatMap((kind) => {
    const { words, areNeighbours } = SHAPES[kind]
    const drawn: Question[] = []
    for (let tries = 0; drawn.length < count && tries < TRIES * count; tries++) {
      const text = random.pick(texts)
      if (text.length < words) continue
      const start = random.between(0, text.length - words)
      const picked = Array.from({ length: words }, (_, at) => (areNeighbours ? text[start + at]! : random.pick(text)))
      if (picked.every(isAsked) && new Set(picked).size === words) drawn.push({ kind, words: picked })
    }
    return drawn
  })
}

/** Lower-case runs of letters: what every engine takes for a word. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? []
}

function askedWords(texts: readonly (readonly string[])[]): (word: string) => boolean {
  const pagesOf = new Map<string, number>()
  for (const text of texts) for (const word of new Set(text)) pagesOf.set(word, (pagesOf.get(word) ?? 0) + 1)
  const most = MOST_PAGES_SHARE * texts.length
  const isRare = (word: string) => pagesOf.get(word)! <= most
  const hasEnough = [...pagesOf.keys()].filter(isRare).length >= FEWEST_WORDS
  return (word) => word.length >= SHORTEST_WORD && (!hasEnough || isRare(word))
}
