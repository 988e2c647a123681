/** Columns of an index in a folder: what is remembered of them, what is refused, and what a reader sees of them. */
import { Freshdex, type OpenOptions } from 'freshdex'
import { expect, it } from 'vitest'
import { newPath } from './temporary-folder.js'

interface Page {
  url: string
  title: string
  section?: string
  words?: number
  until?: string
}

const NOW = Date.UTC(2026, 5, 1)
const DESCRIBED = { key: 'url', fields: { title: {} } } as const
const COLUMNS = { section: 'keyword', words: 'number', until: 'date' } as const
const NEVER_MS = 2 ** 31 - 1
const PUT: readonly Page[] = [
  { url: '/a', title: 'ferry', section: 'docs', words: 5 },
  { url: '/b', title: 'ferry', section: 'blog', words: 3, until: '2026-01-01' },
]

const keysOf = ({ hits }: { readonly hits: readonly { readonly key: unknown }[] }) => hits.map(({ key }) => key)

async function made(): Promise<string> {
  const path = newPath()
  const index = await Freshdex.open<Page>(path, { ...DESCRIBED, columns: COLUMNS, expires: 'until', now: () => NOW })
  await index.write({ put: PUT })
  await index.close()
  return path
}

async function refused(path: string, options: Partial<OpenOptions<Page>>): Promise<string> {
  const opening = Freshdex.open<Page>(path, { ...DESCRIBED, ...options })
  await expect(opening).rejects.toMatchObject({ code: 'MISMATCH' })
  return opening.then(
    () => '',
    (error: Error) => error.message,
  )
}

it('columns and expiry are remembered', async () => {
  const path = await made()
  const index = await Freshdex.open<Page>(path, { now: () => NOW })
  expect(index.stats()).toMatchObject({ columns: COLUMNS, expires: 'until' })
  expect(keysOf(index.search('ferry'))).toEqual(['/a'])
  await index.close()
  const forever = await Freshdex.open<Page>(path, { expires: false, now: () => NOW })
  expect(keysOf(forever.search('ferry', { sort: { words: 'asc' } }))).toEqual(['/b', '/a'])
  await forever.close()
  const again = await Freshdex.open<Page>(path)
  expect(again.stats().expires).toBeUndefined()
  await again.close()
})

it('another kind for a column, or one left out, is refused', async () => {
  const path = await made()
  expect(await refused(path, { columns: { ...COLUMNS, section: 'date' } })).toContain('section: keyword')
  expect(await refused(path, { columns: { section: 'keyword' } })).toContain('has the columns')
  const index = await Freshdex.open<Page>(path, {
    ...DESCRIBED,
    columns: { until: 'date', words: 'number', section: 'keyword' },
  })
  expect(keysOf(index.search('*', { filter: { section: 'docs' } }))).toEqual(['/a'])
  await index.close()
})

it('a reader filters, and goes on from its cursors while it follows the writer', async () => {
  const path = await made()
  const writer = await Freshdex.open<Page>(path, { expires: false })
  const reader = await Freshdex.open<Page>(path, { readOnly: true, pollMs: NEVER_MS })
  const first = reader.search('*', { limit: 1, sort: { words: 'desc' } })
  const after = first.cursor as string
  await writer.write({
    put: [{ url: '/c', title: 'ferry', section: 'docs', words: 4 }],
    removeWhere: { section: 'blog' },
  })
  await reader.catchUp()
  expect(keysOf(reader.search('*', { sort: { words: 'desc' } }))).toEqual(['/a', '/c'])
  expect(keysOf(reader.search('*', { limit: 1, sort: { words: 'desc' }, after }))).toEqual(['/b'])
  expect(reader.search('section:docs', { facets: ['section'] }).facets).toEqual({
    section: [{ value: 'docs', count: 2 }],
  })
  await expect(reader.write({ removeWhere: { section: 'docs' } })).rejects.toMatchObject({ code: 'READ_ONLY' })
  await reader.close()
  await writer.close()
})
