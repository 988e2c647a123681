/**
 * What do filters, facets and sorts by columns cost, beside others that can do them? Pages with a keyword, a number and
 * a date; of the keyword, one value is on 1% of the pages, one on 10% and one on 50%. Asked are the ten best of two
 * words, all or any of them, under a filter of each; the counts of the keyword over all pages; the ten newest pages
 * that have a word; and what the beginning of a word may become. Each question counts with its shortest run, a
 * beginning with its only one.
 *
 * The others: SQLite's FTS5 with a table of the columns beside it, and MiniSearch and Orama, which keep all in memory
 * and get the first pages only. MiniSearch has filters, and no facets or sorts: these are made of its hits.
 *
 * Claim: freshdex and FTS5 find equally many pages, as far as the pages are generated; words of others are not the same
 * everywhere.
 */
import { type Bench, type BenchRequest, Misuse } from './bench.js'
import type { ColumnContender, ColumnPage, ColumnQuestion } from './column-contenders.js'
import { COLUMN_CONTENDERS } from './column-contenders.js'
import { readTextPages } from './large-collection.js'
import { spreadOf } from './percentiles.js'
import { ZipfWords } from './zipf-words.js'

const SEED = 20_260_101
const DAY_MS = 86_400_000
const FIRST_DAY_MS = Date.UTC(2020, 0, 1)
const WORDS_A_PAGE = 120
/** Of the rest of the pages. */
const OTHER_SECTIONS = 20

export const columns: Bench = {
  name: 'columns',
  question: 'What do filters, facets and sorts by columns cost, beside FTS5 with SQL, MiniSearch and Orama?',
  isGenerated: true,
  options: {
    pages: { kind: 'count', default: 100_000, help: 'pages' },
    small: { kind: 'count', default: 10_000, help: 'most pages for those that keep all in memory' },
    queries: { kind: 'count', default: 200, help: 'pairs of words' },
    passes: { kind: 'count', default: 5, help: 'runs of each question; the shortest counts' },
    collection: {
      kind: 'folder',
      default: '',
      help: 'pages of a large collection (pages.ndjson.br) in place of words',
    },
  },

  async run(request) {
    const folder = request.word<string>('collection')
    const pages = await pagesOf(request, folder)
    if (pages.length === 0) throw new Misuse('there are no pages')
    const questions = questionsOf(pages, request.count('queries'))
    const contenders: Record<string, object> = {}
    const totals: Record<string, readonly (number | undefined)[]> = {}
    for (const { name, isSmall, open } of COLUMN_CONTENDERS) {
      const own = isSmall ? pages.slice(0, request.count('small')) : pages
      request.progress(`${name}: ${own.length} pages`)
      let contender: ColumnContender
      try {
        contender = await open()
      } catch (error) {
        contenders[name] = { absent: error instanceof Error ? error.message : String(error) }
        continue
      }
      const start = performance.now()
      await contender.build(own)
      const buildMs = performance.now() - start
      const asked = await ask(contender, questions, request.count('passes'))
      totals[name] = asked.totals
      contenders[name] = { version: contender.version, pages: own.length, buildMs, us: asked.us }
      await contender.close()
    }
    const [own, fts5] = [totals.freshdex ?? [], totals.fts5 ?? []]
    const differences = own.filter((total, at) => fts5[at] !== undefined && total !== fts5[at]).length
    return {
      result: { pages: pages.length, questions: questions.length, contenders, differences },
      isClaimKept: folder !== '' || differences === 0,
    }
  },
}

async function ask(contender: ColumnContender, questions: readonly ColumnQuestion[], passes: number) {
  const times = new Map<string, number[]>()
  const totals: (number | undefined)[] = []
  for (const question of questions) {
    if (question.kind === 'suggest' && contender.suggest === undefined) continue
    let shortestUs = Number.POSITIVE_INFINITY
    let total: number | undefined
    for (let pass = 0; pass < (question.kind === 'suggest' ? 1 : passes); pass++) {
      const start = performance.now()
      if (question.kind === 'suggest') contender.suggest!(question.beginning)
      else total = await contender.answer(question)
      shortestUs = Math.min(shortestUs, (performance.now() - start) * 1000)
    }
    totals.push(total)
    times.set(question.kind, [...(times.get(question.kind) ?? []), shortestUs])
  }
  const us = Array.from(times, ([kind, samples]) => {
    const { p50, p99 } = spreadOf(samples)
    return [kind, { p50, p99 }]
  })
  return { totals, us: Object.fromEntries(us) as object }
}

async function pagesOf(request: BenchRequest, folder: string): Promise<readonly ColumnPage[]> {
  const words = new ZipfWords(SEED)
  const most = request.count('pages')
  const withColumns = (url: string, text: string): ColumnPage => {
    const draw = words.random()
    const section = draw < 0.01 ? 'p1' : draw < 0.11 ? 'p10' : draw < 0.61 ? 'p50' : `s${words.int(OTHER_SECTIONS)}`
    const published = FIRST_DAY_MS + words.int(2000) * DAY_MS
    return { url, text, section, words: Math.ceil(text.length / 6), published }
  }
  if (folder === '') return Array.from({ length: most }, (_, nth) => withColumns(`/${nth}`, words.text(WORDS_A_PAGE)))
  const pages: ColumnPage[] = []
  for await (const { url, text } of readTextPages(folder, most)) pages.push(withColumns(url, text))
  return pages
}

/** Pairs of words that stand on one page, so that both together are found. */
function questionsOf(pages: readonly ColumnPage[], count: number): readonly ColumnQuestion[] {
  const random = new ZipfWords(SEED + 1)
  const pairs = Array.from({ length: count }, () => {
    const found = pages[random.int(pages.length)]!.text.toLowerCase().match(/\b[a-z][a-z0-9]+\b/g) ?? ['w1']
    return [found[random.int(found.length)]!, found[random.int(found.length)]!] as const
  })
  const filtered = (['and', 'or'] as const).flatMap((operator) =>
    ['p1', 'p10', 'p50'].flatMap((section) =>
      pairs.map((words): ColumnQuestion => ({ kind: `${operator} ${section.slice(1)}%`, operator, words, section })),
    ),
  )
  const sorted = pairs.map(([word]): ColumnQuestion => ({ kind: 'sorted', word }))
  const counted = Array.from({ length: Math.min(count, 20) }, (): ColumnQuestion => ({ kind: 'facet over all' }))
  const begun = pairs.map(([word]): ColumnQuestion => {
    const letters = Math.min(word.length, 1 + random.int(4))
    return { kind: 'suggest', beginning: word.slice(0, letters) }
  })
  return [...filtered, ...sorted, ...counted, ...begun]
}
