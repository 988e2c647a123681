/**
 * Snippets against a brute force: which words of a text a query matches is told by rules of their own for a small
 * vocabulary, and every property of docs/search-model.md is checked on random texts and queries.
 */
import { createRequire } from 'node:module'
import { Freshdex, FreshdexError, type Query, type Snippet } from 'freshdex'
import { afterAll, describe, expect, it } from 'vitest'
import { isWellFormed } from '../../src/base/bytes.js'
import { escapeHtml } from '../../src/search/snippet.js'
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

const WORDS = [
  ...['policy', 'policies', 'Policies', 'security', 'secure', 'running', 'runs', 'runner', 'pod', 'pods', 'PODS'],
  ...['kubernetes', 'cluster', 'clusters', 'network', 'networking', 'volume', 'persistent', 'x', '42', '2026'],
  ...['garten', 'zürich', 'straße', 'ёлка', 'данные', 'the', 'of', 'and'],
]
const STOP_WORDS = new Set(['the', 'of', 'and'])
/** What stands between words: what HTML means, and what takes two UTF-16 units. */
const BETWEEN = [
  ' ',
  ' ',
  ' ',
  ' ',
  '\n',
  ' <b> ',
  ' & ',
  '</mark>',
  ' "',
  "' ",
  ' 😀 ',
  '👩‍👩‍👧',
  ' &amp; ',
  ' — ',
  '…',
]

interface TextWord {
  readonly begin: number
  readonly end: number
  /** Undefined for a stop word, which takes a position. */
  readonly token: string | undefined
}

interface Preset {
  readonly name: 'standard' | 'english'
  token(word: string): string | undefined
}

const PRESETS: readonly Preset[] = [
  { name: 'standard', token: (word) => word.toLowerCase() },
  {
    name: 'english',
    token(word) {
      const lower = word.toLowerCase()
      if (STOP_WORDS.has(lower)) return undefined
      return /^[a-z]+$/.test(lower) ? stemmer.stem(lower) : lower
    },
  },
]

function wordsOf(text: string, preset: Preset): TextWord[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    begin: index,
    end: index + word.length,
    token: preset.token(word),
  }))
}

type Leaf = { word: string } | { phrase: string } | { prefix: string } | { fuzzy: string }

function isOneEditAway(a: string, b: string): boolean {
  if (a === b) return true
  let first = 0
  while (first < Math.min(a.length, b.length) && a[first] === b[first]) first++
  const rest = (text: string, skipped: number) => text.slice(first + skipped)
  return rest(a, 1) === rest(b, 1) || rest(a, 1) === rest(b, 0) || rest(a, 0) === rest(b, 1)
}

/** Whether a prefix or fuzzy word asks for a word as it is written. */
function isAskedFor(leaf: { prefix: string } | { fuzzy: string }, word: string): boolean {
  const lower = word.toLowerCase()
  if ('prefix' in leaf) return lower.startsWith(leaf.prefix.toLowerCase())
  const wanted = leaf.fuzzy.toLowerCase()
  if (STOP_WORDS.has(wanted)) return false
  return lower[0] === wanted[0] && isOneEditAway(lower, wanted) && (wanted.length > 1 || lower === wanted)
}

/** The indices of the words of a text that a leaf asks for. `written`: the words of all documents in that field. */
function markedBy(leaf: Leaf, words: readonly TextWord[], preset: Preset, written: readonly string[]): number[] {
  const all = words.map((_, at) => at)
  if (preset.name === 'english' && ('prefix' in leaf || 'fuzzy' in leaf)) {
    // Words as documents have them in the field decide, not stems: a word is marked for any form of it.
    const tokens = new Set(written.filter((word) => isAskedFor(leaf, word)).map((word) => preset.token(word)))
    return all.filter((at) => words[at]?.token !== undefined && tokens.has(words[at]?.token))
  }
  if ('word' in leaf)
    return all.filter((at) => words[at]?.token !== undefined && words[at]?.token === preset.token(leaf.word))
  if ('prefix' in leaf) return all.filter((at) => words[at]?.token?.startsWith(leaf.prefix.toLowerCase()))
  if ('fuzzy' in leaf) {
    const wanted = leaf.fuzzy.toLowerCase()
    // A word of one letter that is one edit away has no weight, and the first letter always counts.
    return all.filter((at) => {
      const token = words[at]?.token
      return (
        token?.[0] === wanted[0] && isOneEditAway(token as string, wanted) && (wanted.length > 1 || token === wanted)
      )
    })
  }
  const wanted = leaf.phrase
    .split(' ')
    .map((word, position) => ({ token: preset.token(word), position }))
    .filter(({ token }) => token !== undefined)
  const first = wanted[0]
  if (first === undefined) return []
  const found = new Set<number>()
  for (const start of all) {
    const places = wanted.map(({ position }) => start + position - first.position)
    if (places.every((place, nth) => words[place]?.token === wanted[nth]?.token)) for (const at of places) found.add(at)
  }
  return [...found].sort((a, b) => a - b)
}

function randomText(random: SeededRandom, most: number): string {
  const count = random.between(0, most)
  return Array.from({ length: count }, () => random.pick(WORDS) + random.pick(BETWEEN)).join('')
}

function randomLeaf(random: SeededRandom, texts: readonly string[]): Leaf {
  const way = random.next()
  const word = random.pick(WORDS)
  if (way < 0.5) return { word }
  if (way < 0.7) {
    const words = [...random.pick(texts).matchAll(/[\p{L}\p{N}]+/gu)].map(([found]) => found)
    const start = random.int(Math.max(1, words.length - 3))
    return { phrase: words.slice(start, start + random.between(1, 3)).join(' ') || word }
  }
  if (way < 0.85) return { prefix: word.slice(0, random.between(1, 4)) }
  return { fuzzy: word.length > 3 && random.chance(0.7) ? word.slice(0, 2) + word.slice(3) : word }
}

/** The marks that the brute force gives to a text. */
function expectedMarks(
  leaves: readonly Leaf[],
  text: string,
  preset: Preset,
  written: readonly string[],
): [number, number][] {
  const words = wordsOf(text, preset)
  const marked = new Set(leaves.flatMap((leaf) => markedBy(leaf, words, preset, written)))
  return words.filter((_, at) => marked.has(at)).map(({ begin, end }) => [begin, end])
}

/**
 * Whether a snippet is made of pieces of the text, in order, with all marks of the text and no others. Short pieces
 * stand in several places: the earliest that has the marks leaves the most room for the pieces behind it.
 */
function isMadeOf(
  snippet: Snippet,
  text: string,
  marks: readonly [number, number][],
  most: number,
  start = 0,
  from = 0,
): boolean {
  if (most === 0) return false
  const ends = [snippet.text.length]
  for (let at = snippet.text.indexOf('…', start); at >= 0; at = snippet.text.indexOf('…', at + 1)) ends.push(at)
  return ends.some((end) => {
    const piece = snippet.text.slice(start, end)
    const shown = snippet.marks
      .filter(([begin]) => begin >= start && begin < end)
      .map(([a, b]) => [a - start, b - start])
    for (let at = text.indexOf(piece, from); at >= 0; at = text.indexOf(piece, at + 1)) {
      const within = marks.filter(([a, b]) => a >= at && b <= at + piece.length).map(([a, b]) => [a - at, b - at])
      if (JSON.stringify(within) !== JSON.stringify(shown)) continue
      return end === snippet.text.length || isMadeOf(snippet, text, marks, most - 1, end + 1, at + piece.length)
    }
    return false
  })
}

function unescaped(html: string): string {
  const meanings: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  return html.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => meanings[entity] as string)
}

function htmlOf(snippet: Snippet): string {
  let html = ''
  let at = 0
  for (const [start, end] of snippet.marks) {
    html += `${escapeHtml(snippet.text.slice(at, start))}<mark>${escapeHtml(snippet.text.slice(start, end))}</mark>`
    at = end
  }
  return html + escapeHtml(snippet.text.slice(at))
}

describe('snippets of random texts', () => {
  for (const preset of PRESETS) {
    it(`have the marks of a brute force (${preset.name})`, async () => {
      await withSeed(`snippets ${preset.name}`, async (seed) => {
        const random = new SeededRandom(seed)
        let checked = 0
        while (checked < rounds(6_000, 60_000)) {
          const index = await Freshdex.open<Page>(':memory:', {
            key: 'id',
            fields: { title: {}, body: {} },
            analyzer: preset.name,
            prioritizer: false,
          })
          const pages = Array.from({ length: 30 }, (_, id) => ({
            id,
            title: randomText(random, 4),
            body: randomText(random, random.chance(0.2) ? 300 : 40),
          }))
          await index.write({ put: pages })
          const texts = pages.map(({ body }) => body)
          const wordsIn = (field: 'title' | 'body') => [
            ...new Set(pages.flatMap((page) => page[field].match(/[\p{L}\p{N}]+/gu) ?? [])),
          ]
          const written = { title: wordsIn('title'), body: wordsIn('body') }
          for (let round = 0; round < 40; round++) {
            const leaves = Array.from({ length: random.between(1, 4) }, () => randomLeaf(random, texts))
            const query: Query = random.chance(0.5)
              ? { or: leaves }
              : { and: [...leaves, { not: { word: 'nowhere' } }] }
            const length = random.between(1, 300)
            const fragments = random.between(1, 4)
            const fields = random.pick([undefined, ['body'], ['title', 'body']] as const)
            const snippet = { length, fragments, ...(fields === undefined ? {} : { fields }) }
            const { hits } = index.search(query, { limit: 30, snippet })
            for (const hit of hits) {
              const page = pages[hit.key as number] as Page
              if (hit.snippet === undefined) {
                const asked = fields ?? (['title', 'body'] as const)
                expect(asked.every((name) => page[name].trim() === '')).toBe(true)
                continue
              }
              const field = hit.snippet.field as 'title' | 'body'
              checkSnippet(hit.snippet, page[field], leaves, preset, { length, fragments, written: written[field] })
              checked++
            }
          }
          await index.close()
        }
      })
    })
  }
})

function checkSnippet(
  snippet: Snippet,
  text: string,
  leaves: readonly Leaf[],
  preset: Preset,
  { length, fragments, written }: { length: number; fragments: number; written: readonly string[] },
): void {
  const all = expectedMarks(leaves, text, preset, written)
  const isMade = isMadeOf(snippet, text, all, fragments)
  expect(isMade, `${JSON.stringify(leaves)} in ${JSON.stringify(text)}: ${JSON.stringify(snippet)}`).toBe(true)
  expect(snippet.text.length).toBeLessThan(length + fragments)
  expect(isWellFormed(snippet.text)).toBe(true)
  expect(snippet.html).toBe(htmlOf(snippet))
  expect(unescaped(snippet.html.replace(/<\/?mark>/g, ''))).toBe(snippet.text)
  if (all.length > 0 && length / fragments >= 20) expect(snippet.marks.length).toBeGreaterThan(0)
}

describe('a snippet', () => {
  const opened: Freshdex<Page>[] = []
  const withPages = async (pages: Page[], options: object = {}) => {
    const index = await Freshdex.open<Page>(':memory:', { key: 'id', fields: { title: {}, body: {} }, ...options })
    opened.push(index)
    await index.write({ put: pages })
    return index
  }
  afterAll(async () => {
    for (const index of opened) await index.close()
  })

  const FILLING = 'lorem ipsum dolor sit amet '.repeat(30)

  it('shows the words close together, and then those that are missing', async () => {
    const body = `${FILLING}salt ${FILLING}salt water ${FILLING}fish ${FILLING}`
    const index = await withPages([{ id: 1, title: 'A page', body }])
    const [hit] = index.search('salt water fish', { snippet: { length: 60 } }).hits
    expect(hit?.snippet).toEqual({
      field: 'body',
      text: 'sit amet salt water lorem…sit amet fish lorem ipsum',
      marks: [
        [9, 13],
        [14, 19],
        [35, 39],
      ],
      html: 'sit amet <mark>salt</mark> <mark>water</mark> lorem…sit amet <mark>fish</mark> lorem ipsum',
    })
    expect(hit).not.toHaveProperty('doc')
    expect(JSON.parse(JSON.stringify(hit)).snippet.field).toBe('body')
  })

  it('marks phrases where they stand as a whole, and stems as they are written', async () => {
    const body = 'Policies of the pod: no pod security. The pod runs, security policy or not; pod and security.'
    const index = await withPages([{ id: 1, title: '', body }], { analyzer: 'english' })
    const shown = (query: string) => {
      const snippet = index.search(query, { snippet: true }).hits[0]?.snippet
      const { text, marks } = snippet as Snippet
      return marks.map(([start, end]) => text.slice(start, end))
    }
    expect(shown('"pod security"')).toEqual(['pod', 'security'])
    expect(shown('"pod the security"')).toEqual(['pod', 'security', 'pod', 'security'])
    expect(shown('policy -nowhere')).toEqual(['Policies', 'policy'])
    expect(shown('running')).toEqual(['runs'])
    expect(shown('title:pod OR running')).toEqual(['runs'])
  })

  it('prefers the field with most of the query, then the named order or the longest text', async () => {
    const index = await withPages([{ id: 1, title: 'salt water', body: 'salt fish and more of it' }])
    const field = (query: string, fields?: ('title' | 'body')[]) =>
      index.search(query, { snippet: fields === undefined ? true : { fields } }).hits[0]?.snippet?.field
    expect(field('salt water')).toBe('title')
    expect(field('salt')).toBe('body')
    expect(field('salt', ['title', 'body'])).toBe('title')
    expect(field('water', ['body'])).toBe('body')
    expect(index.search('water', { snippet: { fields: ['body'] } }).hits[0]?.snippet?.marks).toEqual([])
  })

  it('is absent without text, and refused where no text was stored', async () => {
    const index = await withPages([{ id: 1, title: 'salt', body: '' }])
    expect(index.search('salt', { snippet: { fields: ['body'] } }).hits[0]).not.toHaveProperty('snippet')
    const keys = await withPages([{ id: 1, title: 'salt', body: 'water' }], { store: false })
    const refused = (work: () => unknown) => {
      try {
        work()
      } catch (error) {
        return error instanceof FreshdexError ? [error.code, error.detail] : error
      }
      return undefined
    }
    expect(refused(() => keys.search('salt', { snippet: true }))).toEqual(['NOT_SUPPORTED', { field: 'title' }])
    const titles = await withPages([{ id: 1, title: 'salt', body: 'water' }], { store: ['title'] })
    expect(titles.search('water', { snippet: true }).hits[0]?.snippet?.text).toBe('salt')
    const body = { snippet: { fields: ['body' as const] } }
    expect(refused(() => titles.search('water', body))).toEqual(['NOT_SUPPORTED', { field: 'body' }])
  })

  it('cuts neither surrogate pairs nor characters with marks', async () => {
    const body = `${'😀'.repeat(50)}salt${'e\u0301'.repeat(50)}`
    const index = await withPages([{ id: 1, title: '', body }])
    for (let length = 4; length < 60; length++) {
      const snippet = index.search('salt*', { snippet: { length } }).hits[0]?.snippet
      const { text } = snippet as Snippet
      expect(isWellFormed(text)).toBe(true)
      expect(text.startsWith('\u0301')).toBe(false)
      expect(text.length).toBeLessThanOrEqual(length)
    }
  })

  it('marks pairs of CJK characters as they stand together', async () => {
    const index = await withPages([{ id: 1, title: '', body: '東京都の天気は晴れです。' }])
    const snippet = index.search('京都 天気', { snippet: true }).hits[0]?.snippet
    const { text, marks } = snippet as Snippet
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['京都', '天気'])
  })

  it('is made with an analyzer of the user, word by word', async () => {
    const analyzer = {
      name: 'first-three',
      version: '1',
      analyze: (text: string) => Array.from(text.toLowerCase().match(/[\p{L}]+/gu) ?? [], (word) => word.slice(0, 3)),
    }
    const index = await withPages([{ id: 1, title: '', body: 'Salted and <peppered> fish' }], { analyzer })
    expect(index.search('pepper salt OR salmon', { snippet: true }).hits[0]?.snippet?.html).toBe(
      '<mark>Salted</mark> and &lt;<mark>peppered</mark>&gt; fish',
    )
  })

  it('comes with hits by priority, of a snapshot, and beside documents', async () => {
    const index = await withPages([
      { id: 1, title: 'salt', body: '' },
      { id: 2, title: 'salt water', body: '' },
    ])
    const byPriority = index.search('salt', { snippet: true, sort: 'priority', docs: true }).hits
    expect(byPriority.map(({ snippet, doc }) => snippet?.text === doc?.title)).toEqual([true, true])
    const snapshot = index.snapshot()
    await index.write({ put: [{ id: 1, title: 'pepper', body: '' }] })
    expect(
      snapshot
        .search('salt', { snippet: true })
        .hits.map(({ snippet }) => snippet?.html)
        .sort(),
    ).toEqual(['<mark>salt</mark>', '<mark>salt</mark> water'])
    snapshot.close()
  })

  it('has strict options', async () => {
    const index = await withPages([])
    const wrong = (snippet: unknown) => () => index.search('x', { snippet } as never)
    for (const value of [1, 'body', null, { field: 'body' }, { fields: [] }, { fields: ['nowhere'] }, { length: '5' }])
      expect(wrong(value)).toThrow(TypeError)
    for (const value of [{ length: 0 }, { length: 1.5 }, { fragments: 21 }, { fragments: 0 }, { length: 100_001 }])
      expect(wrong(value)).toThrow(RangeError)
    expect(index.search('x', { snippet: false }).total).toBe(0)
  })
})
