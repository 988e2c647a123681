/**
 * Keys of documents, their checks, and their bytes: 's' and the UTF-8 of a string key, or 'n' and the decimal digits of
 * a number key. The first byte keeps 1 and '1' apart; the rest is readable in a dump.
 */
import { type ByteWriter, isWellFormed } from './bytes.js'
import { describe } from './describe.js'
import { FreshdexError } from './errors.js'

/** A document is identified by a string or a whole number. `1` and `'1'` are different keys. */
export type Key = string | number

/** Longest string key, in UTF-8 bytes. Long enough for any URL that browsers and proxies agree on in practice. */
const MAX_KEY_BYTES = 1024

const STRING_TAG = 's'
const NUMBER_TAG = 'n'
const NUMBER_TAG_CODE = NUMBER_TAG.charCodeAt(0)

/**
 * Returns a valid key as it is. TypeError for another type, INVALID_KEY for a string or number that is no valid key.
 * `place` is asked for where the key comes from, when it is wrong: the message begins with it.
 */
export function requireKey(value: unknown, place: () => string = () => ''): Key {
  if (typeof value === 'string') {
    const fault = stringFault(value)
    if (fault === undefined) return value
    throw invalid(value, place() + fault)
  }
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value
    throw invalid(value, `${place()}a number key must be a safe integer`)
  }
  throw new TypeError(`${place()}a key must be a string or a number, received ${describe(value)}`)
}

/** Writes the bytes of a checked key, preceded by their u32 count. */
export function writeKey(writer: ByteWriter, key: Key): void {
  writer.sizedUtf8(taggedKey(key))
}

/** The bytes of a checked key. */
export function encodeKey(key: Key): Uint8Array {
  return Buffer.from(taggedKey(key), 'utf8')
}

/** The key of the bytes that encodeKey or writeKey made. REQUIRES: `tagged`, from begin to end, is their text. */
export function decodeKey(tagged: string, begin = 0, end = tagged.length): Key {
  const text = tagged.slice(begin + 1, end)
  return tagged.charCodeAt(begin) === NUMBER_TAG_CODE ? Number(text) : text
}

/** The same of the bytes themselves. The key is no slice of a longer string, which would be kept with it. */
export function keyOfBytes(tagged: Buffer, encoding: 'latin1' | 'utf8'): Key {
  const text = tagged.toString(encoding, 1)
  return tagged[0] === NUMBER_TAG_CODE ? Number(text) : text
}

function taggedKey(key: Key): string {
  // String(-0) is '0', so both zeros are one key, as they are in a Map.
  return typeof key === 'number' ? NUMBER_TAG + String(key) : STRING_TAG + key
}

function stringFault(key: string): string | undefined {
  if (key === '') return 'a key must not be empty'
  // A UTF-16 unit takes at least one byte and at most three, so most keys need no counting.
  if (key.length > MAX_KEY_BYTES || (key.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES)) {
    return `a string key must not be longer than ${MAX_KEY_BYTES} UTF-8 bytes`
  }
  if (!isWellFormed(key)) return 'a string key must not contain a lone surrogate'
  return undefined
}

function invalid(key: Key, fault: string): FreshdexError {
  return new FreshdexError('INVALID_KEY', `${fault}, received ${describe(key)}`, { detail: { key: describe(key) } })
}
