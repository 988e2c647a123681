/**
 * Reads logs of probes, which look at pages without fetching them (HEAD, conditional GET): a JSON object a line with
 * `url` and optionally `at`, `status`, `etag` and `lastModified`, or `headers` with the latter two. Other properties
 * are ignored.
 */

import { describe } from '../../../base/describe.js'
import { MAX_TIME_MS } from '../../../base/time.js'
import { type DateFault, readDate } from './published-date.js'
import { malformed } from './source-text.js'

/** The result of one probe of a page. */
export interface Probe {
  readonly url: string
  /** When the page was probed; undefined if the line does not say. */
  readonly at: number | DateFault | undefined
  /** The status of the response; undefined if the line does not say. */
  readonly status: number | undefined
  /** Without the prefix of a weak ETag, as both kinds change with the page. */
  readonly etag: string | undefined
  readonly lastModified: number | DateFault | undefined
  readonly line: number
}

const MAX_LINE_UNITS = 1024 * 1024

export async function* readHeaderLog(chunks: AsyncIterable<string>): AsyncGenerator<Probe> {
  let line = 0
  for await (const text of linesOf(chunks)) {
    line++
    if (text === undefined) throw malformed(`it is longer than ${MAX_LINE_UNITS} characters`, line)
    const stripped = line === 1 && text.startsWith('\ufeff') ? text.slice(1) : text
    if (stripped.trim() !== '') yield readLine(stripped, line)
  }
}

/** The ETag to compare; undefined for one that is too long. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let begun: string[] = []
  let units = 0
  for await (const chunk of chunks) {
    const parts = chunk.split('\n')
    for (const [at, part] of parts.entries()) {
      begun.push(part)
      units += part.length
      if (units > MAX_LINE_UNITS) yield undefined
      if (at === parts.length - 1) break
      yield begun.join('')
      begun = []
      units = 0
    }
  }
  yield begun.join('')
}

function readLine(text: string, line: number): Probe {
  const record = recordOf(text, line)
  const field = <Value>(name: string, value: unknown, isRight: (value: unknown) => boolean, rule: string) => {
    if (value === undefined || value === null) return undefined
    if (!isRight(value)) throw malformed(`${name} must be ${rule}, received ${describe(value)}`, line)
    return value as Value
  }
  const headers = field<Record<string, unknown>>('headers', record.headers, isRecord, 'an object')
  const header = (name: string) => headerOf(headers ?? {}, name)
  const time = (name: string, value: unknown) =>
    timeOf(field<string | number>(name, value, isTime, 'text or milliseconds since 1970'))
  const url = field<string>('url', record.url, isText, 'text')
  if (url === undefined) throw malformed('it needs a url', line)
  const etag = field<string>('etag', record.etag ?? header('etag'), isText, 'text')
  return {
    ...{ url, line, at: time('at', record.at), etag: etagOf(etag) },
    status: field<number>('status', record.status, isStatus, 'a status of HTTP'),
    lastModified: time('lastModified', record.lastModified ?? header('last-modified')),
  }
}

function recordOf(text: string, line: number): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw malformed(`it is not JSON: ${(error as Error).message}`, line, error)
  }
  if (!isRecord(value)) throw malformed(`it must be a JSON object, received ${describe(value)}`, line)
  return value as Record<string, unknown>
}

/** Names of headers are case-insensitive; of a list of values the first counts. */
function headerOf(headers: Record<string, unknown>, wanted: string): unknown {
  const name = Object.keys(headers).find((known) => known.toLowerCase() === wanted)
  const value = name === undefined ? undefined : headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** A weak ETag compares like a strong one: RFC 9110, 8.8.3.2. */
export function etagOf(text: string | undefined): string | undefined {
  const tag = text?.trim().replace(/^W\//, '') ?? ''
  return tag === '' ? undefined : tag
}

function timeOf(value: string | number | undefined): number | DateFault | undefined {
  return typeof value === 'string' ? readDate(value) : value
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'number' && value >= 0 && value <= MAX_TIME_MS)
}

function isStatus(value: unknown): boolean {
  // Some clients write 0 where there was no response.
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 999
}
