/**
 * Prefixes and fuzzy words under english against a brute force over the words of all pages, by the rule of
 * docs/search-model.md. The words are made up of English endings, and an independent stemmer tells their tokens.
 */
import { createRequire } from 'node:module'
import { Freshdex, type Query } from 'freshdex'
import { expect, it } from 'vitest'
import { editDistance } from '../model/naive-scoring.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const require = createRequire(import.meta.url)
const stemmer = (
  require('snowball-stemmers') as { newStemmer(language: string): { stem(word: string): string } }
).newStemmer('english')

interface Page {
  id: number
  title: string
  body: string
}

const STEMS = ['polic', 'secur', 'run', 'runn', 'nod', 'clust', 'cluster', 'netw', 'network', 'generat', 'dy', 'ski']
const MORE = ['relat', 'ration', 'hop', 'hopp', 'caf', 'persist', 'volum', 'configur', 'schedul', 'k8', 'été', 'naïv']
const ENDINGS = [
  'y',
  'ies',
  'ied',
  'e',
  'es',
  's',
  'ed',
  'er',
  'ers',
  'ing',
  'ings',
  'ity',
  'ation',
  'ational',
  'ly',
  '',
]
const STOP_WORDS = ['the', 'of', 'and', 'this', 'with', 'into']

const plain = (word: string) =>
  word
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()

/** Undefined for a stop word. */
function tokenOf(word: string): string | undefined {
  if (STOP_WORDS.includes(word.toLowerCase())) return undefined
  const written = plain(word)
  return /^[a-z]+$/.test(written) ? stemmer.stem(written) : written
}

it('agree with a brute force', async () => {
  await withSeed('words as written', async (seed) => {
    const random = new SeededRandom(seed)
    const word = () =>
      random.chance(0.1) ? random.pick(STOP_WORDS) : random.pick([...STEMS, ...MORE]) + random.pick(ENDINGS)
    const text = (most: number) => Array.from({ length: random.between(0, most) }, word).join(' ')
    const pages = Array.from({ length: 150 }, (_, id): Page => ({ id, title: text(3), body: text(8) }))
    const index = await Freshdex.open<Page>(':memory:', {
      key: 'id',
      fields: { title: {}, body: {} },
      analyzer: 'english',
      prioritizer: false,
    })
    await index.write({ put: pages })
    const fields = (['title', 'body'] as const).map((name) => new WrittenWords(pages.map((page) => page[name])))
    const options = { limit: 1000, countUpTo: Number.POSITIVE_INFINITY }
    const check = (query: Query, expected: ReadonlySet<number>) => {
      const { hits } = index.search(query, options)
      expect(new Set(hits.map(({ key }) => key)), JSON.stringify(query)).toEqual(expected)
    }
    for (let round = 0; round < rounds(5_000, 50_000); round++) {
      const given = word()
      const prefix = given.slice(0, random.between(1, given.length))
      check({ prefix }, union(fields.map((field) => field.pagesOf((written) => written.startsWith(plain(prefix))))))
      const fuzzy = misspelt(random, word())
      const edits = random.chance(0.5) ? 1 : 2
      const isNear = (written: string) => isNearTo(plain(fuzzy), written, edits)
      check(
        { fuzzy, edits },
        tokenOf(fuzzy) === undefined ? new Set() : union(fields.map((field) => field.pagesOf(isNear))),
      )
      // Beside another word, one that nothing is like takes nothing away.
      if (round % 10 > 0) continue
      const isLost = tokenOf(fuzzy) === undefined || fields.every((field) => field.pagesOf(isNear).size === 0)
      if (isLost)
        check(
          { and: [{ fuzzy, edits }, { prefix: 'polic' }] },
          union(fields.map((field) => field.pagesOf((written) => written.startsWith('polic')))),
        )
    }
    await index.close()
  })
})

/** The words of one field of all pages. */
class WrittenWords {
  readonly #spellings = new Map<string, Set<string>>()
  readonly #pages = new Map<string, Set<number>>()

  constructor(texts: readonly string[]) {
    for (const [id, text] of texts.entries()) {
      for (const word of text.split(' ')) {
        const token = word === '' ? undefined : tokenOf(word)
        if (token === undefined) continue
        this.#spellings.set(token, (this.#spellings.get(token) ?? new Set()).add(plain(word)))
        this.#pages.set(token, (this.#pages.get(token) ?? new Set()).add(id))
      }
    }
  }

  /** The pages with a token that has a spelling of which this holds. */
  pagesOf(holds: (written: string) => boolean): Set<number> {
    const found = [...this.#spellings].filter(([, spellings]) => [...spellings].some(holds))
    return union(found.map(([token]) => this.#pages.get(token) as Set<number>))
  }
}

function isNearTo(given: string, written: string, edits: number): boolean {
  const isSwapped = given.length > 1 && written[0] === given[1] && written[1] === given[0]
  if (written[0] !== given[0] && !isSwapped) return false
  if (Math.abs(written.length - given.length) > edits) return false
  const distance = editDistance([...given], [...written])
  return distance <= edits && distance < given.length
}

function misspelt(random: SeededRandom, word: string): string {
  const letters = [...word]
  for (let count = random.between(0, 2); count > 0; count--) {
    const at = random.between(0, letters.length - 1)
    const way = random.next()
    if (way < 0.25) letters[at] = random.pick([...'aeinrst'])
    else if (way < 0.5) letters.splice(at, 0, random.pick([...'aeinrst']))
    else if (way < 0.75 && letters.length > 1) letters.splice(at, 1)
    else if (at > 0) letters.splice(at - 1, 2, letters[at] as string, letters[at - 1] as string)
  }
  return letters.join('')
}

function union(sets: readonly ReadonlySet<number>[]): Set<number> {
  return new Set(sets.flatMap((set) => [...set]))
}

it('finds under english what standard finds, and other forms of the same words', async () => {
  const put = ['policies', 'policy', 'kubernetes', "kubernetes's", 'persistent volume'].map((body, id) => ({
    id,
    title: '',
    body,
  }))
  const open = (analyzer: 'english' | 'standard') =>
    Freshdex.open<Page>(':memory:', { key: 'id', fields: { title: {}, body: {} }, analyzer })
  const [english, standard] = [await open('english'), await open('standard')]
  await english.write({ put })
  await standard.write({ put })
  for (const [query, inEnglish, inStandard] of [
    ['policies*', [0, 1], [0]],
    ['kubernetes*', [2, 3], [2, 3]],
    ['persistant~ volume', [4], [4]],
    ['pesristent~ volume', [4], [4]],
    ['zzzzzz~ volume', [4], [4]],
  ] as const) {
    expect(
      english
        .search(query)
        .hits.map(({ key }) => key)
        .sort(),
      query,
    ).toEqual(inEnglish)
    expect(
      standard
        .search(query)
        .hits.map(({ key }) => key)
        .sort(),
      query,
    ).toEqual(inStandard)
  }
  await english.close()
  await standard.close()
})
