/** Suggestions against a scan of all queries, titles and words. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Freshdex, FreshdexError, type Suggestion } from 'freshdex'
import { afterAll, describe, expect, it } from 'vitest'
import { CONFIGURATIONS, type Configuration } from '../model/configurations.js'
import { type NaiveDocument, NaiveIndex } from '../model/naive-index.js'
import { editDistance } from '../model/naive-scoring.js'
import { editsOf, expectedHits, typed } from '../model/typed-queries.js'
import { inventText, inventWord } from '../support/corpus.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const NOW = Date.UTC(2026, 0, 1)
const root = mkdtempSync(path.join(tmpdir(), 'freshdex-suggest-'))

afterAll(() => rmSync(root, { recursive: true, force: true }))

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trimStart()

/** The fewest edits of a beginning of `text`; undefined where none is near. */
function nearest(given: string, text: string, edits: number): number | undefined {
  const [word, points] = [[...given], [...text]]
  const isSwapped = word.length > 1 && points[0] === word[1] && points[1] === word[0]
  if (points[0] !== word[0] && !isSwapped) return undefined
  const least = Math.min(word.length, ...points.map((_, at) => editDistance(word, points.slice(0, at + 1))))
  return least > edits ? undefined : least
}

describe.each(['three fields with boosts, bm25, some properties stored', 'english, whose words have plurals'])(
  'suggestions: %s',
  (name) => {
    it('agree with a scan', async () => {
      await withSeed(`suggest: ${name}`, async (seed) => {
        const random = new SeededRandom(seed)
        const made = CONFIGURATIONS.map((make) => make(random)).find((found) => found.name === name)
        const { options, twin: twinConfig, shape, lines } = made as Configuration
        const index = await Freshdex.open<NaiveDocument>(':memory:', { ...options, now: () => NOW })
        const twin = new NaiveIndex(twinConfig)
        const documents = Array.from({ length: 120 }, (_, id): NaiveDocument => {
          const texts = twinConfig.fields.map(({ name: field }, nth) => [
            field,
            // Titles that come twice, and titles that there are not.
            field === 'title'
              ? inventText(random, shape, 1)
                  .split(/[ \n]+/)
                  .slice(0, random.between(0, 3))
                  .join(' ')
              : inventText(random, shape, lines[nth] ?? 1),
          ])
          return { id, ...Object.fromEntries(texts) }
        })
        await index.write({ put: documents })
        for (const document of documents) twin.put(document)
        for (let count = 0; count < 150; count++) {
          const words = Array.from({ length: random.between(1, 3) }, () =>
            inventWord(random, shape).replace(/[!,]/g, ''),
          )
          index.workload.record(words.join(' '), { count: random.between(1, 5) })
        }
        const scan = new Scan(
          index,
          twin,
          twinConfig.fields.map((field) => field.name),
          documents,
          twinConfig,
        )
        for (let round = 0; round < rounds(250, 2500); round++) {
          const words = Array.from({ length: random.between(1, 2) }, () => typed(random, inventWord(random, shape)))
          const text = words.join(' ') + (random.chance(0.1) ? ' ' : '')
          const limit = random.pick([1, 3, 8, 40])
          const typos = random.chance(0.8)
          const what = `${JSON.stringify(text)} ${limit} ${typos}`
          const actual = index.suggest(text, { limit, typos })
          const expected = scan.suggest(text, words, limit, typos)
          expect(
            actual.map(({ text, kind }) => [kind, text]),
            what,
          ).toEqual(expected.map(({ text, kind }) => [kind, text]))
          for (const [at, { weight }] of actual.entries())
            expect(weight, what).toBeCloseTo(expected[at]?.weight as number, 9)
        }
        await index.close()
      })
    })
  },
)

class Scan {
  readonly #queries: readonly { readonly query: string; readonly weight: number }[]
  /** By token: its spellings, and the most documents of a field. */
  readonly #words = new Map<string, { readonly spellings: Set<string>; df: number }>()

  constructor(
    readonly index: Freshdex<NaiveDocument>,
    readonly twin: NaiveIndex,
    readonly fields: readonly string[],
    readonly documents: readonly NaiveDocument[],
    readonly config: Configuration['twin'],
  ) {
    this.#queries = index.workload.queries()
    for (const field of fields) {
      const df = new Map<string, number>()
      for (const document of documents) {
        const text = document[field] as string
        const tokens = config.analyze(text)
        const written = config.written?.(text) ?? tokens
        tokens.forEach((token, at) => {
          if (token === null) return
          const known = this.#words.get(token) ?? { spellings: new Set(), df: 0 }
          this.#words.set(token, known)
          known.spellings.add(written[at] as string)
        })
        for (const token of new Set(tokens)) if (token !== null) df.set(token, (df.get(token) ?? 0) + 1)
      }
      for (const [token, count] of df) {
        const known = this.#words.get(token)
        if (known) known.df = Math.max(known.df, count)
      }
    }
  }

  suggest(text: string, words: readonly string[], limit: number, typos: boolean): Suggestion[] {
    const found: Suggestion[] = []
    const add = (kind: Suggestion['kind'], candidates: readonly { text: string; weight: number }[]) => {
      for (const { text, weight } of candidates) {
        const isThere = found.some((other) => plain(other.text).trim() === plain(text).trim())
        if (found.length < limit && !isThere && plain(text).trim() !== '') found.push({ text, kind, weight })
      }
    }
    for (const hasTypos of typos ? [false, true] : [false]) {
      add('query', this.#queriesFor(text, hasTypos).slice(0, 4 * limit))
      add('title', this.#titlesFor(text, words, hasTypos).slice(0, 4 * limit))
      add('word', this.#wordsFor(text, words, hasTypos, 4 * limit))
    }
    return found
  }

  #queriesFor(text: string, hasTypos: boolean) {
    const given = plain(text)
    const edits = editsOf(given)
    const all = this.#queries.map(({ query, weight }) => {
      const isBegun = plain(query).startsWith(given)
      return { text: query, weight, edits: isBegun ? 0 : (nearest(given, plain(query), edits) ?? 9) }
    })
    all.sort((a, b) => a.edits - b.edits || b.weight - a.weight || (a.text < b.text ? -1 : 1))
    return all.filter((query) => (hasTypos ? query.edits > 0 && query.edits < 9 : query.edits === 0))
  }

  #titlesFor(text: string, words: readonly string[], hasTypos: boolean) {
    const hits = expectedHits(this.twin, words, text.endsWith(' '), 'and', ['title'])
    if (hasTypos && words.every((word) => editsOf(word) === 0)) return []
    // The order of hits is told by the search, which has a test of its own.
    const options = { asYouType: true, fields: ['title'], limit: 1000 } as const
    const order = this.index.search(text, options).hits.map(({ key }) => key)
    const tiers = new Map(hits.map(({ key, tier }) => [key, tier]))
    const keys = order.filter((key) => hasTypos || tiers.get(key) === 0)
    const scores = new Map(hits.map(({ key, score }) => [key, score]))
    return keys.map((key) => ({
      text: this.documents[key as number]?.title as string,
      weight: scores.get(key) as number,
    }))
  }

  #wordsFor(text: string, words: readonly string[], hasTypos: boolean, limit: number) {
    const last = /[\p{L}\p{M}\p{N}_]+$/u.exec(text)?.[0]
    if (last === undefined) return []
    const edits = hasTypos ? editsOf(last) : 0
    if (hasTypos && edits === 0) return []
    const given = this.config.normalize(last)
    const found = [...this.#words.values()].flatMap(({ spellings, df }) => {
      const near = [...spellings].flatMap((spelling) => {
        const distance = spelling.startsWith(given) ? 0 : edits === 0 ? undefined : nearest(given, spelling, edits)
        return distance === undefined ? [] : [{ spelling, distance, bytes: Buffer.from(spelling) }]
      })
      near.sort((a, b) => a.distance - b.distance || a.bytes.length - b.bytes.length || a.bytes.compare(b.bytes))
      return near[0] === undefined ? [] : [{ ...near[0], df }]
    })
    found.sort((a, b) => a.distance - b.distance || b.df - a.df || a.bytes.compare(b.bytes))
    const head = text.slice(0, -last.length)
    return found
      .slice(0, limit)
      .filter(({ distance }) => distance > 0 === hasTypos)
      .map(({ spelling, df }) => ({ text: head + spelling, weight: df, spelling }))
      .filter(({ spelling }) => {
        const whole = [...words.slice(0, -1), spelling].map((word) => ({ word }))
        return words.length === 1 || this.twin.search({ and: whole }).scores.size > 0
      })
  }
}

interface Page {
  id: number
  title: string
  body: string
}

const PAGES: Page[] = [
  { id: 1, title: 'Kubernetes policies', body: 'network policy of a cluster' },
  { id: 2, title: 'Kubernetes storage', body: 'persistent volumes in a cluster' },
  { id: 3, title: 'Zürich ferry', body: 'the ferry crosses the lake' },
]

describe('suggest', () => {
  const options = { key: 'id', fields: { title: { boost: 2 }, body: {} }, analyzer: 'english' } as const

  it('gives queries, titles and words in this order', async () => {
    const index = await Freshdex.open<Page>(':memory:', { ...options, now: () => NOW })
    await index.write({ put: PAGES })
    index.workload.record('kubernetes cluster', { count: 40 })
    index.workload.record('Kubernetes  policies', { count: 7 })
    index.workload.record('ferry', { count: 1 })
    const suggested = index.suggest('kube')
    expect(suggested.map(({ kind, text }) => [kind, text])).toEqual([
      ['query', 'kubernetes cluster'],
      ['query', 'Kubernetes policies'],
      ['title', 'Kubernetes storage'],
      ['word', 'kubernetes'],
    ])
    expect(suggested.map(({ weight }) => weight).slice(0, 2)).toEqual([40, 7])
    expect(suggested.at(-1)?.weight).toBe(2)
    expect(index.suggest('kuberntes pol').map(({ text }) => text)).toEqual(['Kubernetes policies'])
    expect(index.suggest('kubernetes cl', { kinds: ['word'] }).map(({ text }) => text)).toEqual(['kubernetes cluster'])
    expect(index.suggest('zurich', { kinds: ['query', 'title'] }).map(({ text }) => text)).toContain('Zürich ferry')
    expect(index.suggest('ferry').map(({ kind, text }) => [kind, text])).toEqual([
      ['query', 'ferry'],
      ['title', 'Zürich ferry'],
    ])
    expect(index.suggest('kubr', { typos: false })).toEqual([])
    expect(index.suggest('cluster ', { kinds: ['word'] })).toEqual([])
    expect(index.suggest('')).toEqual([])
    expect(index.suggest('  ')).toEqual([])
    expect(index.suggest('k'.repeat(300))).toEqual([])
    expect(index.suggest('"((-^~')).toEqual([])
    expect(index.suggest('kube', { limit: 1 })).toHaveLength(1)
    expect(index.suggest('kube', { deadlineMs: 1000 })).toHaveLength(4)
    // Nothing of this is learnt.
    expect(index.workload.queries()).toHaveLength(3)
    // Vowels of Hindi are marks, and no accents.
    index.workload.record('\u0915\u093F')
    index.workload.record('\u0915\u0941')
    expect(index.suggest('\u0915')).toHaveLength(2)
    expect(index.suggest('\u0915\u093F')).toHaveLength(1)
    await index.close()
    expect(() => index.suggest('kube')).toThrow(FreshdexError)
  })

  it('tells no query whose text is not kept', async () => {
    const index = await Freshdex.open<Page>(':memory:', { ...options, workload: { privacy: 'hash' } })
    await index.write({ put: PAGES })
    index.workload.record('kubernetes cluster')
    expect(index.suggest('kubernetes c', { kinds: ['query'] })).toEqual([])
    expect(index.suggest('0', { kinds: ['query'] })).toEqual([])
    await index.close()
  })

  it('works without a prioritizer, without stored text, and with a field of choice', async () => {
    const bare = await Freshdex.open<Page>(':memory:', { ...options, prioritizer: false, store: false })
    await bare.write({ put: PAGES })
    expect(bare.suggest('kube').map(({ kind }) => kind)).toEqual(['word'])
    expect(() => bare.suggest('kube', { field: 'title' })).toThrow(/store/)
    await bare.close()
    const index = await Freshdex.open<Page>(':memory:', options)
    await index.write({ put: PAGES })
    expect(index.suggest('pers', { field: 'body' })[0]).toMatchObject({ kind: 'title', text: PAGES[1]?.body })
    const untitled = await Freshdex.open<Page>(':memory:', { key: 'id', fields: { body: {} } })
    await untitled.write({ put: PAGES })
    expect(untitled.suggest('pers').map(({ kind }) => kind)).toEqual(['word'])
    await untitled.close()
    await index.close()
  })

  it('works on snapshots, and in readers, which know what the writer has learnt', async () => {
    const folder = path.join(root, 'pages.idx')
    const writer = await Freshdex.open<Page>(folder, options)
    await writer.write({ put: PAGES })
    writer.workload.record('kubernetes cluster', { count: 3 })
    await writer.workload.flush()
    const reader = await Freshdex.open<Page>(folder, { readOnly: true, pollMs: 5 })
    expect(reader.suggest('kube').map(({ text }) => text)).toEqual(writer.suggest('kube').map(({ text }) => text))
    expect(reader.suggest('kube')[0]?.kind).toBe('query')
    const snapshot = reader.snapshot()
    await writer.write({ put: [{ id: 4, title: 'Kubelet', body: '' }] })
    await reader.catchUp()
    expect(reader.suggest('kubel', { typos: false }).map(({ text }) => text)).toEqual(['Kubelet'])
    expect(snapshot.suggest('kubel', { typos: false })).toEqual([])
    expect(snapshot.suggest('kube')[0]?.text).toBe('kubernetes cluster')
    snapshot.close()
    expect(() => snapshot.suggest('kube')).toThrow('closed')
    await reader.close()
    await writer.close()
  })

  it('refuses what it does not know', async () => {
    const index = await Freshdex.open<Page>(':memory:', options)
    for (const [options, message] of [
      [{ limit: 0 }, /limit/],
      [{ limit: 101 }, /limit/],
      [{ kinds: [] }, /kinds must be a list/],
      [{ kinds: ['page'] }, /kinds must be a list/],
      [{ field: 'name' }, /field must be a field of the index/],
      [{ typos: 1 }, /typos/],
      [{ deadlineMs: 0 }, /deadlineMs/],
      [{ fields: ['title'] }, /fields/],
    ] as const)
      expect(() => index.suggest('a', options as never)).toThrow(message)
    expect(() => index.suggest(5 as never)).toThrow('suggest needs a text, received 5')
    await index.close()
  })
})
