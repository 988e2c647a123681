/**
 * As many pages as wanted, made of those of a collection: after the last one come copies, with their sentences rotated
 * and some words changed to new ones, so that the dictionary grows with the pages as real ones do. Always the same.
 */
import { readTextPages, type TextPage } from './large-collection.js'
import { uniform } from './random-numbers.js'
import { rotated } from './rotated-text.js'

const SEED = 29
/** Characters from one changed word of a copy to the next, on average. */
const CHANGE_GAP = 600
/** Endings follow Zipf's law, so that most new words are rare and some are not. */
const ENDINGS = 200_000
const LETTERS = 26

export class GrowingCollection {
  readonly #pages: readonly TextPage[]

  private constructor(pages: readonly TextPage[]) {
    this.#pages = pages
  }

  /** Texts are cut where they exceed so many characters. */
  static async read(folder: string, characters: number): Promise<GrowingCollection> {
    const pages: TextPage[] = []
    for await (const { url, text } of readTextPages(folder)) pages.push({ url, text: text.slice(0, characters) })
    return new GrowingCollection(pages)
  }

  *first(count: number): Generator<TextPage> {
    const random = uniform(SEED)
    for (let at = 0; at < count; at++) {
      const page = this.#pages[at % this.#pages.length]!
      const copy = Math.floor(at / this.#pages.length)
      if (copy === 0) yield page
      else yield { url: `${page.url}?${copy}`, text: withNewWords(rotated(page.text, copy), random) }
    }
  }
}

function withNewWords(text: string, random: () => number): string {
  let changed = ''
  let from = 0
  for (;;) {
    const space = text.indexOf(' ', from + Math.floor(2 * CHANGE_GAP * random()))
    if (space < 0) return changed + text.slice(from)
    changed += text.slice(from, space) + ending(Math.floor(ENDINGS ** random()))
    from = space
  }
}

/** In letters, beginning with one that hardly any English ending has. */
function ending(number: number): string {
  let letters = 'q'
  for (let rest = number; rest > 0; rest = Math.floor(rest / LETTERS))
    letters += String.fromCharCode(97 + (rest % LETTERS))
  return letters
}
