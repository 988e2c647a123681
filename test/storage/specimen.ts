/** A small index in a folder, and everything that can be seen of it: two indexes that look alike answer alike. */
import { Freshdex, FreshdexError, type Key, type OpenOptions, type Query, type Snapshot } from 'freshdex'
import { newPath } from './temporary-folder.js'

export interface Page {
  id: Key
  title?: string
  body?: string
  links?: number
  note?: unknown
}

export type Options = Partial<OpenOptions<Page>>

export const OPTIONS: OpenOptions<Page> = { key: 'id', fields: { title: { boost: 2 }, body: {} } }

/** Upkeep after nearly every batch. */
export const BUSY = { logBytes: 1, foldPostings: 20, phrasePages: 3, packRecords: true, partitionBytes: 1_000 }

export const PAGES: readonly Page[] = Array.from({ length: 60 }, (_, nth) => page(nth))

/** `version` changes one line of the text and the note. */
export function page(nth: number, version = 0): Page {
  return {
    id: nth % 3 === 0 ? nth : `page ${nth}`,
    title: `Title ${nth} ${nth % 2 ? 'odd' : 'even'}`,
    body: `The quick brown fox number ${nth}\njumps ${'lazily '.repeat(nth % 5)}over w${nth % 7}\nversion v${version}`,
    note: { version, nth },
  }
}

const QUERIES: readonly Query[] = [
  'fox',
  'lazily OR w3',
  'NOT lazily',
  '"quick brown fox"',
  'ti*',
  'numbre~2',
  'title:odd',
  'v0',
  'v1',
  'w1 w2',
  'nothing',
  'title:even lazily^3',
]

type Readable = Pick<Snapshot<Page>, 'search' | 'get' | 'has' | 'stats' | 'documents'>

/** All answers, documents and counts; nothing of how they are stored. */
export function looksOf(reader: Readable, keys: readonly Key[] = PAGES.map(({ id }) => id)): object {
  const { documents, postings, fields, sequence } = reader.stats()
  return {
    counts: { documents, postings, fields, sequence },
    answers: QUERIES.map((query) => {
      const { hits, total } = reader.search(query, { limit: 100, docs: true })
      return { query, total, hits: hits.map(({ key, score, doc }) => ({ key, score, doc })) }
    }),
    documents: keys.map((key) => [key, reader.has(key), reader.get(key)]),
    all: [...reader.documents()].sort(byKey),
  }
}

export function byKey(a: Page, b: Page): number {
  return String(a.id) < String(b.id) ? -1 : 1
}

export async function openPages(folder: string = newPath(), options: Options = {}): Promise<Freshdex<Page>> {
  const index = await Freshdex.open<Page>(folder, { ...OPTIONS, ...options })
  await index.write({ put: PAGES.slice(0, 40) })
  await index.write({ put: PAGES.slice(40), remove: ['page 1', 'absent'] })
  return index
}

/** The code of one of our errors, the class of any other; 'none' when nothing was thrown. */
export async function failureOf(act: () => unknown): Promise<string> {
  try {
    await act()
    return 'none'
  } catch (error) {
    if (error instanceof FreshdexError) return error.code
    return error instanceof Error ? error.constructor.name : String(error)
  }
}

/** The error itself. */
export async function errorOf(act: () => unknown): Promise<FreshdexError> {
  try {
    await act()
  } catch (error) {
    if (error instanceof FreshdexError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** Opens an index, does something with it and closes it whatever happens. */
export async function withIndex<T>(
  folder: string,
  options: Options,
  act: (index: Freshdex<Page>) => T | Promise<T>,
): Promise<T> {
  const index = await Freshdex.open<Page>(folder, options as OpenOptions<Page>)
  try {
    return await act(index)
  } finally {
    await index.close()
  }
}
