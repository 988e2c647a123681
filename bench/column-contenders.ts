/** Who answers the questions of the bench of columns: each in this process, one after another. */
import { createRequire } from 'node:module'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { packageVersion } from './peers/package-version.js'

export interface ColumnPage {
  readonly url: string
  readonly text: string
  readonly section: string
  readonly words: number
  readonly published: number
}

export type ColumnQuestion =
  | {
      readonly kind: `${'and' | 'or'} ${string}`
      readonly operator: 'and' | 'or'
      readonly words: readonly [string, string]
      readonly section: string
    }
  | { readonly kind: 'sorted'; readonly word: string }
  | { readonly kind: 'facet over all' }
  | { readonly kind: 'suggest'; readonly beginning: string }

export interface ColumnContender {
  readonly version: string
  build(pages: readonly ColumnPage[]): Promise<void> | void
  /** Ten hits are read, or the counts; gives how many pages matched, where that is known. */
  answer(question: Exclude<ColumnQuestion, { kind: 'suggest' }>): Promise<number | undefined> | number | undefined
  /** What a beginning may become; gives how many there are. Not all have that. */
  suggest?(beginning: string): number
  close(): Promise<void> | void
}

export interface ColumnContenderCard {
  readonly name: string
  /** It keeps all in memory. */
  readonly isSmall: boolean
  /** Throws where its package is not installed. */
  open(): Promise<ColumnContender>
}

const BEST = 10
const BATCH = 1000

export const COLUMN_CONTENDERS: readonly ColumnContenderCard[] = [
  { name: 'freshdex', isSmall: false, open: openFreshdex },
  { name: 'fts5', isSmall: false, open: openFts5 },
  { name: 'freshdex, small', isSmall: true, open: openFreshdex },
  { name: 'minisearch', isSmall: true, open: openMiniSearch },
  { name: 'orama', isSmall: true, open: openOrama },
]

async function openFreshdex(): Promise<ColumnContender> {
  const index = await Freshdex.open<ColumnPage>(':memory:', {
    key: 'url',
    fields: { text: {} },
    columns: { section: 'keyword', words: 'number', published: 'date' },
    store: false,
    prioritizer: false,
  })
  return {
    version: packageVersion('..'),
    async build(pages) {
      for (let from = 0; from < pages.length; from += BATCH) await index.write({ put: pages.slice(from, from + BATCH) })
      await index.compact()
    },
    answer(question) {
      if ('operator' in question) {
        const { operator, words, section } = question
        const result = index.search(words.join(' '), { operator, filter: { section }, countUpTo: Infinity })
        return result.hits.length === 0 ? 0 : result.total
      }
      if ('word' in question) return index.search(question.word, { sort: { published: 'desc' }, limit: BEST }).total
      return index
        .search('*', { limit: 0, facets: ['section'] })
        .facets?.section?.reduce((sum, { count }) => sum + count, 0)
    },
    suggest: (beginning) => index.suggest(beginning).length,
    close: () => index.close(),
  }
}

async function openFts5(): Promise<ColumnContender> {
  const db = new Database(':memory:')
  db.exec(`CREATE TABLE pages (id INTEGER PRIMARY KEY, url TEXT, section TEXT, words REAL, published INTEGER);
    CREATE VIRTUAL TABLE texts USING fts5 (text, content='', tokenize='unicode61')`)
  const version = db.prepare('SELECT sqlite_version()').pluck().get() as string
  const FOUND = 'FROM texts JOIN pages ON pages.id = texts.rowid WHERE texts MATCH ?'
  const prepared = () => ({
    best: db.prepare(`SELECT url ${FOUND} AND section = ? ORDER BY rank LIMIT ${BEST}`).pluck(),
    count: db.prepare(`SELECT count(*) ${FOUND} AND section = ?`).pluck(),
    newest: db.prepare(`SELECT url ${FOUND} ORDER BY published DESC, pages.id LIMIT ${BEST}`).pluck(),
    all: db.prepare('SELECT count(*) FROM texts WHERE texts MATCH ?').pluck(),
    facet: db.prepare('SELECT section, count(*) AS count FROM pages GROUP BY section ORDER BY count DESC'),
  })
  let statements: ReturnType<typeof prepared> | undefined
  return {
    version,
    build(pages) {
      const insertPage = db.prepare('INSERT INTO pages VALUES (?, ?, ?, ?, ?)')
      const insertText = db.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)')
      db.transaction(() => {
        for (const [at, { url, text, section, words, published }] of pages.entries()) {
          insertPage.run(at + 1, url, section, words, published)
          insertText.run(at + 1, text)
        }
      })()
      db.exec(`CREATE INDEX by_section ON pages (section); CREATE INDEX by_date ON pages (published);
        INSERT INTO texts (texts) VALUES ('optimize'); ANALYZE`)
      statements = prepared()
    },
    answer(question) {
      const { best, count, newest, all, facet } = statements!
      if ('operator' in question) {
        const match = question.words.map((word) => `"${word}"`).join(question.operator === 'and' ? ' AND ' : ' OR ')
        best.all(match, question.section)
        return count.get(match, question.section) as number
      }
      if ('word' in question) {
        newest.all(`"${question.word}"`)
        return all.get(`"${question.word}"`) as number
      }
      return (facet.all() as { count: number }[]).reduce((sum, row) => sum + row.count, 0)
    },
    close: () => void db.close(),
  }
}

async function openMiniSearch(): Promise<ColumnContender> {
  requireInstalled('minisearch')
  const { default: MiniSearch } = await import('minisearch')
  const stored = ['section', 'words', 'published']
  const index = new MiniSearch<ColumnPage>({ idField: 'url', fields: ['text'], storeFields: stored })
  return {
    version: packageVersion('minisearch'),
    build: (pages) => index.addAll(pages),
    answer(question) {
      if ('operator' in question) {
        const { words, operator, section } = question
        const combineWith = operator === 'and' ? 'AND' : 'OR'
        const found = index.search(words.join(' '), { combineWith, filter: (hit) => hit.section === section })
        return found.length
      }
      if ('word' in question) {
        const found = index.search(question.word)
        found.sort((a, b) => (b.published as number) - (a.published as number))
        return found.slice(0, BEST).length && found.length
      }
      const counts = new Map<string, number>()
      const found = index.search(MiniSearch.wildcard)
      for (const { section } of found) counts.set(section as string, (counts.get(section as string) ?? 0) + 1)
      return [...counts].sort(([, a], [, b]) => b - a).reduce((sum, [, count]) => sum + count, 0)
    },
    suggest: (beginning) => index.autoSuggest(beginning).length,
    close() {},
  }
}

async function openOrama(): Promise<ColumnContender> {
  requireInstalled('@orama/orama')
  const { create, insertMultiple, search } = await import('@orama/orama')
  const index = create({
    schema: { url: 'string', text: 'string', section: 'enum', words: 'number', published: 'number' } as const,
  })
  return {
    version: packageVersion('@orama/orama'),
    async build(pages) {
      await insertMultiple(index, pages as ColumnPage[], BATCH)
    },
    async answer(question) {
      const common = { properties: ['text'], limit: BEST } as const
      if ('operator' in question) {
        const { words, operator, section } = question
        const where = { section: { eq: section } }
        const found = await search(index, {
          ...{ ...common, properties: ['text'] as ['text'], term: words.join(' ') },
          ...{ threshold: operator === 'and' ? 0 : 1, where },
        })
        return found.count
      }
      if ('word' in question) {
        const sortBy = { property: 'published', order: 'DESC' } as const
        const found = await search(index, { term: question.word, properties: ['text'], limit: BEST, sortBy })
        return found.count
      }
      const found = await search(index, { term: '', limit: 1, facets: { section: {} } })
      return found.count
    },
    close() {},
  }
}

function requireInstalled(name: string): void {
  try {
    createRequire(import.meta.url).resolve(name)
  } catch {
    throw new Error(`${name} is not installed`)
  }
}
