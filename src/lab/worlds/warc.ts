/**
 * The world of a folder of WARC files, .warc or .warc.gz: each file, or each folder of files, is one crawl, a whole
 * snapshot. What a crawl does not mention is gone; so is what it got 404, 410 or another address for. What did not
 * answer, or answered that nothing is new, is as it was.
 */

import { describe } from '../../base/describe.js'
import { FreshdexError } from '../../base/errors.js'
import { ByteReader, fileBytes } from './files.js'
import { decodeText, type HttpResponse, parseHttpResponse } from './http-response.js'
import { SnapshotDiffer } from './snapshot-differ.js'
import { listSnapshots, regularTimes, type SnapshotTimes } from './snapshot-format.js'
import { htmlText } from './text/html-text.js'
import { damaged, type World, type WorldStep } from './world.js'

export const WARC_FILE = /\.warc(?:\.gz)?$/

/** Larger answers are taken for none: no page of text is that long. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const HTML_TYPES = new Set(['text/html', 'application/xhtml+xml'])
const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/

/**
 * A snapshot is of the time of its last answer, unless `everyMs` says otherwise; in the order of names these times must
 * grow.
 */
export function warcWorld(folder: string, times: SnapshotTimes = {}): World {
  return { [Symbol.asyncIterator]: () => tell(folder, times) }
}

async function* tell(folder: string, times: SnapshotTimes): AsyncGenerator<WorldStep> {
  const snapshots = await listSnapshots(folder, WARC_FILE)
  const regular = regularTimes(times, snapshots.length)
  const differ = new SnapshotDiffer()
  let lastMs = Number.NEGATIVE_INFINITY
  let versions = 0
  for (const [at, { name, files }] of snapshots.entries()) {
    let answeredMs = Number.NEGATIVE_INFINITY
    for (const file of files) answeredMs = Math.max(answeredMs, await readCrawl(file, differ))
    const atMs = regular?.[at] ?? answeredMs
    if (!Number.isFinite(atMs)) throw damaged(folder, `${describe(name)} holds no answer of a server`)
    if (atMs <= lastMs) throw damaged(folder, `${describe(name)} was not crawled after the snapshot before`)
    lastMs = atMs
    const step = differ.end(atMs)
    versions += step.versions.length
    yield step
  }
  if (versions === 0) throw damaged(folder, 'its snapshots hold no page')
}

/** The time of its last answer, -Infinity without one. */
async function readCrawl(file: string, differ: SnapshotDiffer): Promise<number> {
  let lastMs = Number.NEGATIVE_INFINITY
  const isWanted = (fields: ReadonlyMap<string, string>, bytes: number) =>
    fields.get('warc-type') === 'response' && bytes <= MAX_ANSWER_BYTES
  for await (const record of warcRecords(file, isWanted)) {
    const type = record.fields.get('warc-type')
    if (type !== 'response' && type !== 'revisit') continue
    // Version 1.0 puts the address between angle brackets.
    const url = record.fields.get('warc-target-uri')?.replace(/^<(.*)>$/, '$1') ?? ''
    if (!/^https?:/i.test(url)) continue
    lastMs = Math.max(lastMs, dateOf(record, file))
    take(url, record.block === undefined ? undefined : parseHttpResponse(record.block), differ)
  }
  return lastMs
}

function dateOf({ fields, offset }: WarcRecord, file: string): number {
  const text = fields.get('warc-date') ?? ''
  const ms = DATE.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(ms)) return ms
  const message = `${file}, record at byte ${offset}: WARC-Date must be a moment in UTC, received ${describe(text)}`
  throw new FreshdexError('CORRUPT', message, { detail: { file, offset } })
}

/** What one answer says about a page; undefined: nothing that can be read. */
function take(url: string, response: HttpResponse | undefined, differ: SnapshotDiffer): void {
  const status = response?.status ?? 0
  if (response !== undefined && status >= 200 && status < 300) {
    const { mediaType, charset, body } = response
    if (HTML_TYPES.has(mediaType)) differ.see({ url, ...htmlText(decodeText(body, charset)) })
    else if (mediaType === 'text/plain') differ.see({ url, title: '', text: decodeText(body, charset).trim() })
    else differ.lose(url)
  } else if (status === 404 || status === 410 || (status >= 300 && status < 400 && status !== 304)) {
    differ.lose(url)
  } else if (!differ.has(url)) {
    differ.keep(url)
  }
}

const MAX_LINE_BYTES = 64 * 1024
const MAX_FIELDS = 1000

export interface WarcRecord {
  /** Where it begins, in the unpacked file. */
  readonly offset: number
  /** By name in lower case. */
  readonly fields: ReadonlyMap<string, string>
  /** Undefined when it was not wanted. */
  readonly block: Buffer | undefined
}

/**
 * The records of a WARC file, version 1.0 or 1.1 (ISO 28500), packed or not: named fields, then a block of the length
 * they tell. Blocks that are not wanted are passed over without being kept. FreshdexError CORRUPT names file and byte
 * of what is no record.
 */
async function* warcRecords(
  file: string,
  isWanted: (fields: ReadonlyMap<string, string>, blockBytes: number) => boolean,
): AsyncGenerator<WarcRecord> {
  const reader = new ByteReader(fileBytes(file))
  let offset = 0
  const refuse = (message: string) =>
    new FreshdexError('CORRUPT', `${file}, record at byte ${offset}: ${message}`, { detail: { file, offset } })
  try {
    while (true) {
      offset = reader.offset
      const line = await reader.line(MAX_LINE_BYTES)
      if (line === undefined) return
      // Two empty lines end a record.
      if (line === '') continue
      if (!/^WARC\/1\.\d+$/.test(line)) throw refuse(`it must begin with WARC/1.0 or WARC/1.1, not ${describe(line)}`)
      const fields = await readFields(reader, refuse)
      const length = fields.get('content-length')
      if (length === undefined || !/^\d{1,15}$/.test(length)) {
        throw refuse(`Content-Length must be a number of bytes, received ${describe(length)}`)
      }
      const bytes = Number(length)
      const block = isWanted(fields, bytes) ? await reader.take(bytes) : undefined
      if ((block?.length ?? (await reader.skip(bytes))) < bytes)
        throw refuse(`its block is shorter than ${bytes} bytes`)
      yield { offset, fields, block }
    }
  } catch (error) {
    throw error instanceof RangeError ? refuse(error.message) : error
  } finally {
    await reader.close()
  }
}

async function readFields(
  reader: ByteReader,
  refuse: (message: string) => FreshdexError,
): Promise<ReadonlyMap<string, string>> {
  const fields = new Map<string, string>()
  let name = ''
  for (let lines = 0; lines < MAX_FIELDS; lines++) {
    const line = await reader.line(MAX_LINE_BYTES)
    if (line === undefined) throw refuse('the file ends within its fields')
    if (line === '') return fields
    const colon = line.indexOf(':')
    // A line that begins with white space goes on with the field before.
    if (/^[ \t]/.test(line) && name !== '') fields.set(name, `${fields.get(name)} ${line.trim()}`)
    else if (colon < 1) throw refuse(`a field must be a name, a colon and a value, received ${describe(line)}`)
    else {
      name = line.slice(0, colon).trim().toLowerCase()
      fields.set(name, utf8(line.slice(colon + 1).trim()))
    }
  }
  throw refuse(`it has more than ${MAX_FIELDS} fields`)
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
