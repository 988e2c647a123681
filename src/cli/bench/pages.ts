/** The pages that all contenders get: invented, or a user's own. */
import { describe } from '../../base/describe.js'
import { Randomness, streamSeed } from '../../lab/worlds/randomness.js'
import { recordLines } from '../input/records.js'
import { UsageError } from '../options.js'
import { InventedText } from './invented-text.js'

export interface BenchPage {
  readonly key: string
  /** By field, in the order of the fields. */
  readonly texts: readonly string[]
}

export interface PageSet {
  /** 'invented', or the name of the file. */
  readonly name: string
  readonly fields: readonly string[]
  readonly pages: readonly BenchPage[]
}

export function inventedPages(count: number, seed: number): PageSet {
  const text = new InventedText(new Randomness(streamSeed(seed, 'pages', 0)))
  const pages = Array.from({ length: count }, () => {
    const { url, title, body } = text.page()
    return { key: url, texts: [title, body] }
  })
  return { name: 'invented', fields: ['title', 'body'], pages }
}

export interface PageFile {
  readonly file: string
  readonly name: string
  /** Undefined: the first of the usual names that the first document has. */
  readonly key: string | undefined
  /** Undefined: every property of the first document that is a text, the key left out. */
  readonly fields: readonly string[] | undefined
  readonly most: number
}

const USUAL_KEYS = ['url', 'id', 'key', 'path', 'slug', '_id']

/** The first pages of a file of JSON lines. A key that comes again is a mistake, because it would be a replacement. */
export async function pagesOf({ file, name, key, fields, most }: PageFile): Promise<PageSet> {
  const pages: BenchPage[] = []
  const keys = new Set<string>()
  let schema: { readonly key: string; readonly fields: readonly string[] } | undefined
  for await (const { record, refuse } of recordLines(file, 'jsonl')) {
    schema ??= schemaOf(record, key, fields)
    const value = record[schema.key]
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw refuse(`its key ${describe(schema.key)} must be a string or a number, received ${describe(value)}`)
    }
    if (keys.has(String(value))) throw refuse(`the key ${describe(value)} has been there before`)
    keys.add(String(value))
    pages.push({ key: String(value), texts: schema.fields.map((field) => textOf(record[field])) })
    if (pages.length === most) break
  }
  if (schema === undefined) throw new UsageError(`there is no document in ${name}`)
  if (pages.every(({ texts }) => texts.every((text) => text === ''))) {
    throw new UsageError(`no document of ${name} has text in ${schema.fields.join(', ')}; name others with --field`)
  }
  return { name, fields: schema.fields, pages }
}

function schemaOf(record: Readonly<Record<string, unknown>>, key?: string, fields?: readonly string[]) {
  const names = Object.keys(record)
  const ofKey = key ?? USUAL_KEYS.find((name) => names.includes(name))
  if (ofKey === undefined) {
    throw new UsageError(`which property identifies a document? Say it with --key; there are ${names.join(', ')}`)
  }
  const ofText = fields ?? names.filter((name) => name !== ofKey && typeof record[name] === 'string')
  if (ofText.length > 0) return { key: ofKey, fields: ofText }
  throw new UsageError(`the first document has no property with text; name one with --field`)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string').join('\n') : ''
}

/** In bytes of UTF-8. */
export function textBytes(pages: readonly BenchPage[]): number {
  return pages.reduce((sum, { texts }) => sum + texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0), 0)
}
