/** The records of a WARC file, version 1.0 or 1.1 (ISO 28500), packed or not: named fields, then a block of the length they tell. */
import { describe } from '../../describe.js'
import { FreshdexError } from '../../errors.js'
import { ByteReader } from './byte-reader.js'
import { fileBytes } from './file-bytes.js'

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

/** Blocks that are not wanted are passed over without being kept. FreshdexError CORRUPT names file and byte of what is no record. */
export async function* warcRecords(
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
