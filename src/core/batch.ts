/**
 * A batch as the addon reads it. Little endian, no padding:
 *
 *   u32 puts | u32 removes | each put | each remove
 *   put      u32 bytes, key | f64 weight, NaN: as it is | u32 bytes, stored form
 *            | values, where the index has columns | each field in the order of the schema
 *   values   u32 bytes | for each column in the order of the schema u32 count and its values, or the count 0xFFFFFFFF:
 *            those that the document has
 *   value    keyword: u32 bytes, UTF-8 | number and date: f64 | boolean: u8
 *   field    u8 form (0 text, 1 tokens, 2 as it is) | u32 bytes | payload, none for form 2, which the field that links
 *            fill has in every put
 *   tokens   { u16 length from 1 to 255, bytes } …
 *   remove   u32 bytes, key
 *
 * Example: remove: ['a'] is  00000000 01000000 | 02000000 73 61.
 */

import { type Analyzer, analyzeText, ownAnalyzer } from '../analysis/analyzer.js'
import { ByteWriter } from '../base/bytes.js'
import { readOptions } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { readProperty, readText, readWeight, requireDocument } from '../base/documents.js'
import { FreshdexError } from '../base/errors.js'
import { type Key, requireKey, writeKey } from '../base/keys.js'
import { type LinkTexts, readLinks } from '../links/page-links.js'
import { type ColumnValue, columnValues, readColumn } from '../options/column-values.js'
import type { ColumnOptions, ColumnSetting } from '../options/columns.js'
import type { OpenSettings } from '../options/index-settings.js'
import { encodeStored } from '../options/stored-form.js'
import type { Filter } from '../search/filter.js'

/** The addon addresses a slab with 32 bits and keeps a copy while it works; this leaves room for both. */
export const MAX_BATCH_BYTES = 1024 * 1024 * 1024

const INITIAL_BYTES = 64 * 1024
export const FORM_TEXT = 0
export const FORM_TOKENS = 1
const FORM_KEPT = 2

/** The number of values that says: those that there are. */
const VALUES_KEPT = 0xffffffff

/** A new weight for a document whose text stays, and new values of its properties, with its stored form. */
export interface ReweighedDocument {
  readonly key: Key
  readonly weight: number
  readonly stored: Uint8Array
  /** Properties with new values. Columns of other names keep theirs. */
  readonly properties: Readonly<Record<string, unknown>>
}

/** What a batch is made of, all of it checked here: D is what the caller promised, not what came. */
export interface WriteBatch<D extends object, C = ColumnOptions<D>> {
  /** Documents to add, or to put in the place of the one with the same key. */
  readonly put?: Iterable<D>
  /** Keys to remove; absent ones are counted and otherwise ignored. */
  readonly remove?: Iterable<Key>
  /**
   * Removes the documents that pass this filter when the write has its turn. A document that is put stays, and what
   * has expired is removed, too.
   */
  readonly removeWhere?: Filter<D, C> | string
}

/** An encoded batch. Its bytes belong to it until it is released. */
export interface OwnedBatch {
  readonly bytes: Uint8Array
  /** Tokens that an analyzer gave and that had to be cut. */
  readonly truncatedTokens: number
  /** The keys of the documents put. */
  readonly keys: readonly Key[]
  /** The keys of the documents to remove. */
  readonly removedKeys: readonly Key[]
  /** The links of each document put; none where the index reads no links. */
  readonly links: readonly LinkTexts[]
  /** Where the stored form of each document put begins and ends in `bytes`, two numbers each. */
  readonly storedExtents: readonly number[]
  /** Gives the bytes back. Calling it again does nothing. */
  release(): void
}

/**
 * Encodes batches, one after another, into memory that it keeps and lends to one batch at a time. A batch that is
 * encoded while another one has that memory gets memory of its own.
 */
export class BatchEncoder {
  readonly #settings: OpenSettings
  /** By field; undefined for those of the core. */
  readonly #analyzers: readonly (Analyzer | undefined)[]
  readonly #lendable: ByteWriter
  /** Encodes batches while the lendable memory is lent. Their bytes are copied out of it. */
  #spare: ByteWriter | undefined
  readonly #batchBytes: number
  #isLent = false
  #writer: ByteWriter
  #keys = new Set<Key>()
  #putKeys: Key[] = []
  #removedKeys: Key[] = []
  #storedExtents: number[] = []
  #links: LinkTexts[] = []
  #truncatedTokens = 0

  constructor(settings: OpenSettings, batchBytes = MAX_BATCH_BYTES) {
    this.#settings = settings
    this.#analyzers = settings.fieldAnalyzers.map(ownAnalyzer)
    this.#batchBytes = batchBytes
    this.#lendable = this.#newWriter()
    this.#writer = this.#lendable
  }

  /** Runs code of the caller: iterators, getters and the analyzer. Whatever that throws comes out unchanged. */
  encode(batch: unknown): OwnedBatch {
    return this.#encode(() => {
      if (batch === undefined) throw new TypeError('write needs a batch such as { put: documents, remove: keys }')
      requireBatch(batch)
      const { put, remove } = readOptions('batch', batch, ['put', 'remove'])
      const puts = this.#each('put', put, (document, nth1) => this.#put(document, nth1))
      return { puts, removes: this.#each('remove', remove, (key, nth1) => this.#remove(key, nth1)) }
    })
  }

  /**
   * A batch that gives documents fields and columns that they did not have, from what is stored of them. Columns of
   * other names keep their values. REQUIRES: the documents are there, each once.
   */
  encodeAgain(
    documents: readonly object[],
    added: { fields: readonly string[]; columns: readonly string[] },
  ): OwnedBatch {
    return this.#encode(() => {
      const { key: keyName, scoring, stored, storedAs, fieldNames, links } = this.#settings
      for (const document of documents) {
        const key = requireKey(readProperty(document, keyName))
        if (links !== undefined) this.#links.push(readLinks(document, links.property, key))
        const weight = scoring.weight === undefined ? 0 : readWeight(document, scoring.weight, key)
        this.#begin(key, weight, encodeStored(document, keyName, key, stored, storedAs))
        this.#columns((column) => (added.columns.includes(column.name) ? readColumn(document, column, key) : undefined))
        if (added.fields.length === 0) this.#keepFields()
        else this.#fields(fieldNames.map((name) => (name === links?.field ? undefined : readText(document, name, key))))
      }
      return { puts: documents.length, removes: 0 }
    })
  }

  /**
   * A batch that gives documents new weights and values. REQUIRES: the keys are of documents that are there, each named
   * once.
   */
  encodeReweighed(documents: readonly ReweighedDocument[]): OwnedBatch {
    return this.#encode(() => {
      for (const { key, weight, stored, properties } of documents) {
        this.#begin(key, weight, stored)
        this.#columns((column) =>
          Object.hasOwn(properties, column.name) ? columnValues(properties[column.name], column, key) : undefined,
        )
        this.#keepFields()
      }
      return { puts: documents.length, removes: 0 }
    })
  }

  #encode(write: () => { readonly puts: number; readonly removes: number }): OwnedBatch {
    if (this.#isLent) this.#spare ??= this.#newWriter()
    this.#writer = this.#isLent ? (this.#spare as ByteWriter) : this.#lendable
    this.#keys = new Set()
    this.#putKeys = []
    this.#removedKeys = []
    this.#storedExtents = []
    this.#links = []
    this.#truncatedTokens = 0
    try {
      this.#writer.u32(0)
      this.#writer.u32(0)
      const { puts, removes } = write()
      this.#writer.patchU32(0, puts)
      this.#writer.patchU32(4, removes)
      return {
        ...this.#take(),
        truncatedTokens: this.#truncatedTokens,
        keys: this.#putKeys,
        removedKeys: this.#removedKeys,
        storedExtents: this.#storedExtents,
        links: this.#links,
      }
    } catch (error) {
      // A refused batch may have been large; its memory must not wait for the next one.
      this.#writer.reset()
      throw error
    } finally {
      this.#keys.clear()
    }
  }

  #newWriter(): ByteWriter {
    return new ByteWriter(INITIAL_BYTES, this.#batchBytes, batchTooLarge)
  }

  #take(): Pick<OwnedBatch, 'bytes' | 'release'> {
    const writer = this.#writer
    if (writer !== this.#lendable) {
      const bytes = new Uint8Array(writer.view())
      writer.reset()
      return { bytes, release: () => {} }
    }
    this.#isLent = true
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      this.#isLent = false
      writer.reset()
    }
    return { bytes: writer.view(), release }
  }

  #each(name: string, items: unknown, write: (item: unknown, nth1: number) => void): number {
    if (items === undefined) return 0
    if (typeof items !== 'object' || items === null || !(Symbol.iterator in items)) {
      const example = name === 'put' ? 'write({ put: [document, …] })' : 'write({ remove: [key, …] })'
      throw new TypeError(`batch option "${name}" must be iterable, as in ${example}; received ${describe(items)}`)
    }
    let count = 0
    for (const item of items as Iterable<unknown>) {
      count++
      write(item, count)
    }
    return count
  }

  /** `nth1` is the place of the document among those put, counting from 1. */
  #put(value: unknown, nth1: number): void {
    const { key: keyName, scoring, stored, storedAs, fieldNames, columns, links } = this.#settings
    const document = requireDocument(value, () => `document ${nth1} of the batch: `)
    const place = () => `document ${nth1} of the batch, key property "${keyName}": `
    const key = this.#claim(readProperty(document, keyName), place)
    // Undefined for the field that links fill: what it holds is known when it is the batch's turn.
    const texts = fieldNames.map((field) => (field === links?.field ? undefined : readText(document, field, key)))
    const ownTexts = texts.filter((text) => text !== undefined)
    this.#refuseTooLarge(ownTexts, key)
    if (links !== undefined) {
      refuseLinkText(document, links.field, key)
      this.#links.push(readLinks(document, links.property, key))
    }
    const weight = scoring.weight === undefined ? 0 : readWeight(document, scoring.weight, key)
    const values = columns.map((column) => readColumn(document, column, key))
    this.#begin(key, weight, encodeStored(document, keyName, key, stored, storedAs))
    this.#columns((_, at) => values[at])
    this.#fields(texts)
  }

  /** Undefined for a field that stays as it is. */
  #fields(texts: readonly (string | undefined)[]): void {
    for (const [field, text] of texts.entries()) {
      const analyzer = this.#analyzers[field]
      if (text === undefined) this.#kept()
      else if (analyzer === undefined) this.#text(text)
      else this.#tokens(text, analyzer)
    }
  }

  #keepFields(): void {
    for (const _ of this.#settings.fieldNames) this.#kept()
  }

  /** Everything of a document but its fields. */
  #begin(key: Key, weight: number, storedForm: Uint8Array): void {
    const writer = this.#writer
    writeKey(writer, key)
    writer.f64(this.#settings.links?.isWeight ? Number.NaN : weight)
    writer.u32(storedForm.length)
    const storedBegin = writer.length
    writer.bytes(storedForm)
    this.#putKeys.push(key)
    this.#storedExtents.push(storedBegin, writer.length)
  }

  /** `valuesOf` gives the values of a column; undefined: those that it has. */
  #columns(valuesOf: (column: ColumnSetting, at: number) => readonly ColumnValue[] | undefined): void {
    const { columns } = this.#settings
    if (columns.length === 0) return
    const writer = this.#writer
    const sizeAt = writer.length
    writer.u32(0)
    for (const [at, column] of columns.entries()) {
      const values = valuesOf(column, at)
      writer.u32(values?.length ?? VALUES_KEPT)
      for (const value of values ?? []) this.#value(value, column)
    }
    writer.patchU32(sizeAt, writer.length - sizeAt - 4)
  }

  #value(value: ColumnValue, { kind }: ColumnSetting): void {
    if (typeof value === 'string') this.#writer.sizedUtf8(value)
    else if (kind === 'boolean') this.#writer.u8(value)
    else this.#writer.f64(value)
  }

  /** Before anything is encoded: what is too large to index would also be slow to store. */
  #refuseTooLarge(texts: readonly string[], key: Key): void {
    const limit = this.#settings.documentBytes
    const units = texts.reduce((sum, text) => sum + text.length, 0)
    // A UTF-16 unit takes one to three bytes, so that most documents need no counting.
    if (units * 3 <= limit) return
    if (units <= limit && texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= limit) return
    const message =
      `document ${describe(key)} has more than ${limit} bytes of text; ` +
      'raise limits.documentBytes or leave some out'
    throw new FreshdexError('DOCUMENT_TOO_LARGE', message, { detail: { key, limit } })
  }

  #kept(): void {
    this.#writer.u8(FORM_KEPT)
    this.#writer.u32(0)
  }

  #text(text: string): void {
    this.#writer.u8(FORM_TEXT)
    this.#writer.sizedUtf8(text)
  }

  #tokens(text: string, analyzer: Analyzer): void {
    const writer = this.#writer
    writer.u8(FORM_TOKENS)
    const sizeAt = writer.length
    writer.u32(0)
    const { tokens, truncated } = analyzeText(analyzer, text)
    for (const token of tokens) writeToken(writer, token)
    writer.patchU32(sizeAt, writer.length - sizeAt - 4)
    this.#truncatedTokens += truncated
  }

  #remove(value: unknown, nth1: number): void {
    const key = this.#claim(value, () => `key ${nth1} to remove: `)
    writeKey(this.#writer, key)
    this.#removedKeys.push(key)
  }

  #claim(value: unknown, place: () => string): Key {
    const key = requireKey(value, place)
    if (this.#keys.has(key)) {
      const named = `the batch names the key ${describe(key)} twice`
      const message = `${named}; a batch has no order, so say only what should remain`
      throw new FreshdexError('DUPLICATE_KEY', message, { detail: { key } })
    }
    this.#keys.add(key)
    return key
  }
}

/** The most common mistake is a list of documents in place of a batch. */
function requireBatch(batch: unknown): void {
  if (typeof batch === 'object' && batch !== null && !Array.isArray(batch)) return
  const hint = Array.isArray(batch) ? 'write({ put: [...] }) puts documents' : 'write({ put: [...], remove: [...] })'
  throw new TypeError(
    `a batch must be an object such as { put: documents, remove: keys }: ${hint}; received ${describe(batch)}`,
  )
}

/** A property that would be passed over is as misleading as a misspelt one. */
function refuseLinkText(document: object, field: string | undefined, key: Key): void {
  if (field === undefined) return
  const value = readProperty(document, field)
  if (value === undefined || value === null) return
  throw new TypeError(
    `field "${field}" of document ${describe(key)} is filled by the links of other documents: leave it out, ` +
      `received ${describe(value)}`,
  )
}

export function writeToken(writer: ByteWriter, token: string): void {
  const lengthAt = writer.length
  writer.u16(0)
  writer.patchU16(lengthAt, writer.utf8(token))
}

export function batchTooLarge(limit: number): FreshdexError {
  const message = `the batch is larger than ${limit} bytes when encoded; write it in parts`
  return new FreshdexError('BATCH_TOO_LARGE', message, { detail: { limit } })
}

/** The stored forms of a batch, on their way to the catalog. */
export interface StoredForms {
  /** The forms one after another, in memory that may be larger. */
  readonly bytes: Uint8Array
  /** Where each of them ends. */
  readonly ends: Uint32Array
}

/** Gives memory for so many bytes, which nobody else uses. */
export type Allocate = (bytes: number) => ArrayBufferLike

export function joinStored(parts: readonly Uint8Array[], allocate: Allocate): StoredForms {
  const ends = new Uint32Array(parts.length)
  const total = parts.reduce((sum, { length }) => sum + length, 0)
  const bytes = new Uint8Array(allocate(total), 0, total)
  let at = 0
  for (const [row, part] of parts.entries()) {
    bytes.set(part, at)
    at += part.length
    ends[row] = at
  }
  return { bytes, ends }
}

export function copyStored({ bytes, storedExtents }: OwnedBatch, allocate: Allocate): StoredForms {
  const parts: Uint8Array[] = []
  for (let at = 0; at < storedExtents.length; at += 2)
    parts.push(bytes.subarray(storedExtents[at], storedExtents[at + 1]))
  return joinStored(parts, allocate)
}
