/**
 * Stored documents as bytes: MessagePack without record extensions, so that any MessagePack reader can read them and no
 * dictionary has to be kept beside them; or JSON, which SQL can read, where that says the same. The first byte tells
 * them apart: a brace (0x7b) is JSON, and no map of MessagePack begins with it.
 *
 * msgpackr by itself accepts nearly everything and quietly changes what MessagePack cannot say: functions become
 * undefined, sets and regular expressions arrays, maps and class instances objects, a property named __proto__ is
 * renamed. It is better to refuse a document than to return a different one, so the value is first copied by a strict
 * walk; the copy also means that each getter of the caller runs once.
 */

import { types } from 'node:util'
import { Packr, RESET_BUFFER_MODE } from 'msgpackr'
import { isWellFormed, toWellFormed } from '../base/bytes.js'
import { describe } from '../base/describe.js'
import { readProperty } from '../base/documents.js'
import type { Key } from '../base/keys.js'

/** Deeper than any real document, and far shallower than the stack of the recursive reader. */
const MAX_DEPTH = 100

const MIN_INT64 = -(2n ** 63n)
const MAX_UINT64 = 2n ** 64n - 1n

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const packr = new Packr({
  useRecords: false,
  variableMapSize: true,
  // Bytes inside a document must not keep the whole result of a search alive.
  copyBuffers: true,
})

/**
 * How documents are stored: 'json' is for SQL, and takes about five times as long to write. A document that has a
 * value that JSON cannot say (a Date, bytes, a bigint, NaN, an infinity, undefined) is stored as MessagePack all the
 * same. -0 becomes 0.
 */
export type StoredFormat = 'msgpack' | 'json'

/** What is kept of a document: everything, or the key and these properties. An empty list keeps the key only. */
export type StoredProperties = 'all' | readonly string[]

/** The stored bytes, valid until the next call. No bytes at all when only the key is kept: the index has it already. */
export function encodeStored(
  document: object,
  keyName: string,
  key: Key,
  properties: StoredProperties,
  format: StoredFormat = 'msgpack',
): Uint8Array {
  if (properties !== 'all' && properties.length === 0) return EMPTY
  const walk: Walk = { key, path: [], ancestors: [document], isJson: format === 'json', hasMagicName: false }
  const names = properties === 'all' ? Object.keys(document) : properties
  const kept: Record<string, unknown> = { [keyName]: key }
  for (const name of names) {
    if (name === keyName) continue
    const value = readProperty(document, name)
    if (value !== undefined || Object.hasOwn(document, name)) keep(kept, name, value, walk)
  }
  // Into the same memory each time: new memory for every page would have V8 collect garbage of other people's, too.
  if (walk.isJson) return Buffer.from(JSON.stringify(kept))
  return packr.pack(walk.hasMagicName ? asMaps(kept) : kept, RESET_BUFFER_MODE)
}

const BRACE = 0x7b

export function isStoredAsJson(bytes: Uint8Array): boolean {
  return bytes[0] === BRACE
}

/** The document that encodeStored was given, as far as it was kept. */
export function decodeStored<D>(bytes: Uint8Array, keyName: string, key: Key): D {
  if (bytes.length === 0) return { [keyName]: key } as D
  return (bytes[0] === BRACE ? JSON.parse(UTF_8.decode(bytes)) : packr.unpack(bytes)) as D
}

/** The stored bytes of a document whose weight is another one now. What is stored without its weight stays. */
export function reweighedForm(
  bytes: Uint8Array,
  { keyName, key, properties, weightName }: ReweighedFormParts,
  weight: number,
): Uint8Array {
  if (properties !== 'all' && !properties.includes(weightName)) return bytes
  const document = { ...decodeStored<object>(bytes, keyName, key), [weightName]: weight }
  // In memory of its own, not of the encoder: a batch has many of them.
  return Uint8Array.from(encodeStored(document, keyName, key, 'all', bytes[0] === BRACE ? 'json' : 'msgpack'))
}

export interface ReweighedFormParts {
  readonly keyName: string
  readonly key: Key
  readonly properties: StoredProperties
  readonly weightName: string
}

const EMPTY = new Uint8Array(0)

interface Walk {
  readonly key: Key
  readonly path: string[]
  /** The objects between the document and the present value: meeting one again means a cycle. */
  readonly ancestors: object[]
  /** Whether JSON can say all that was met so far, and is wanted. */
  isJson: boolean
  /** A property has a name by which the packer takes its object for an instance of a class. */
  hasMagicName: boolean
}

function keep(target: Record<string, unknown>, name: string, value: unknown, walk: Walk): void {
  walk.path.push(name)
  if (name === '__proto__') throw refusal(walk, 'a property named __proto__')
  // Two of them would become one.
  if (!isWellFormed(name)) throw refusal(walk, 'a property whose name is not well-formed text')
  if (name === 'constructor' || name === 'toJSON') walk.hasMagicName = true
  target[name] = storable(value, walk)
  walk.path.pop()
}

function storable(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
      return toWellFormed(value)
    case 'number':
      if (!Number.isFinite(value)) walk.isJson = false
      // MessagePack has no -0 among its integers, and nobody misses it.
      return value === 0 ? 0 : value
    case 'boolean':
      return value
    case 'undefined':
      walk.isJson = false
      return value
    case 'bigint':
      walk.isJson = false
      if (value >= MIN_INT64 && value <= MAX_UINT64) return value
      throw refusal(walk, 'a bigint of more than 64 bits')
    case 'object':
      return value === null ? null : storableObject(value, walk)
    default:
      throw refusal(walk, `a ${typeof value}`)
  }
}

function storableObject(value: object, walk: Walk): unknown {
  // Rebuilt in this realm: msgpackr recognises both by their constructor.
  if (types.isDate(value)) {
    walk.isJson = false
    return new Date(value.getTime())
  }
  if (types.isUint8Array(value)) {
    walk.isJson = false
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
  if (walk.ancestors.includes(value)) throw refusal(walk, 'a reference to an object that contains it')
  if (walk.ancestors.length > MAX_DEPTH) throw refusal(walk, `a value nested more than ${MAX_DEPTH} levels deep`)
  walk.ancestors.push(value)
  const copy = Array.isArray(value) ? storableList(value, walk) : storableRecord(value, walk)
  walk.ancestors.pop()
  return copy
}

function storableList(list: readonly unknown[], walk: Walk): unknown[] {
  return Array.from(list, (item, at) => {
    walk.path.push(String(at))
    const copy = storable(item, walk)
    walk.path.pop()
    return copy
  })
}

/** The same for the packer, which looks at no property of a map. REQUIRES: made by the walk. */
function asMaps(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || types.isDate(value) || types.isUint8Array(value)) return value
  if (Array.isArray(value)) return value.map(asMaps)
  return new Map(Object.entries(value).map(([name, item]) => [name, asMaps(item)]))
}

function storableRecord(record: object, walk: Walk): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(record)
  // A prototype that is itself a root also admits plain objects of other realms (vm contexts, worker data).
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw refusal(walk, `an instance of a class, ${describe(record)}`)
  }
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(record)) keep(copy, name, (record as Record<string, unknown>)[name], walk)
  return copy
}

function refusal(walk: Walk, found: string): TypeError {
  return new TypeError(`document ${describe(walk.key)} cannot be stored: ${walk.path.join('.')} is ${found}`)
}
