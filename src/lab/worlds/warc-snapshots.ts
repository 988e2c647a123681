/**
 * The world of a folder of WARC files, .warc or .warc.gz: each file, or each folder of files, is one crawl, a whole snapshot. What
 * a crawl does not mention is gone; so is what it got 404, 410 or another address for. What did not answer, or answered
 * that nothing is new, is as it was.
 */
import { describe } from '../../describe.js'
import { FreshdexError } from '../../errors.js'
import type { World, WorldStep } from '../world.js'
import { type HttpResponse, parseHttpResponse } from './http-response.js'
import { SnapshotDiffer } from './snapshot-differ.js'
import { listSnapshots, regularTimes, type SnapshotTimes } from './snapshot-files.js'
import { decodeText } from './text/encoded-text.js'
import { htmlText } from './text/html-text.js'
import { type WarcRecord, warcRecords } from './warc-records.js'
import { damaged } from './world-fault.js'

export const WARC_FILE = /\.warc(?:\.gz)?$/

/** Larger answers are taken for none: no page of text is that long. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const HTML_TYPES = new Set(['text/html', 'application/xhtml+xml'])
const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/

/** A snapshot is of the time of its last answer, unless `everyMs` says otherwise; in the order of names these times must grow. */
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
