/** New values for stored properties of documents whose text stays: a batch that leaves their refresh history alone. */
import { describe } from '../base/describe.js'
import { readProperty, requireWeight } from '../base/documents.js'
import { FreshdexError } from '../base/errors.js'
import { type Key, requireKey } from '../base/keys.js'
import { nextTurn } from '../base/turns.js'
import type { ReweighedDocument } from '../core/batch.js'
import type { PreparedBatch } from '../engine.js'
import type { OpenSettings } from '../options/index-settings.js'
import { decodeStored, encodeStored, isStoredAsJson } from '../options/stored-form.js'
import { finishWrite, startUpkeepIfDue } from './pipeline.js'
import type { ReweighContext } from './reweigh.js'

/** What a patch did. */
export interface PatchReport {
  /** Documents whose stored form is another one now. */
  readonly patched: number
  /** Documents that had these values already. */
  readonly unchanged: number
}

type Values = Readonly<Record<string, unknown>>

/** Stored documents that are read before the event loop has its turn. */
const PORTION = 256

/** Gives stored properties new values as one step: all documents or, when the promise rejects, none. */
export function patch(given: unknown, context: ReweighContext): Promise<PatchReport> {
  const patches = context.gate.run(() => readPatches(given, context.settings))
  return context.turns.run(() => patchInTurn(patches, context))
}

async function patchInTurn(patches: ReadonlyMap<Key, Values>, context: ReweighContext): Promise<PatchReport> {
  const { account, encoder, cpu } = context
  const writer = context.writer()
  const documents: ReweighedDocument[] = []
  let read = 0
  for (const [key, values] of patches) {
    const document = patched(key, values, context)
    if (document !== undefined) documents.push(document)
    if (++read % PORTION === 0) await nextTurn()
  }
  const unchanged = patches.size - documents.length
  if (documents.length === 0) return { patched: 0, unchanged }
  await account.ready()
  const batch = cpu.timed('index', () => encoder.encodeReweighed(documents))
  const { keys } = batch
  const stored = writer.journal.storedForms(batch)
  let prepared: PreparedBatch
  try {
    prepared = await writer.core.prepare(batch.bytes)
  } finally {
    batch.release()
  }
  const written = await finishWrite({ prepared, keys, stored }, writer, (measure) => account.enterReweighed(measure))
  await account.afterWrite(written, keys)
  startUpkeepIfDue(context, writer)
  return { patched: documents.length, unchanged }
}

/** Undefined when the document has these values already. */
function patched(key: Key, values: Values, { settings, storedForm }: ReweighContext): ReweighedDocument | undefined {
  const before = storedForm(key)
  if (before === undefined) throw new RangeError(`there is no document with the key ${describe(key)}`)
  const document: Record<string, unknown> = { ...decodeStored<object>(before, settings.key, key) }
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete document[name]
    else document[name] = value
  }
  const format = isStoredAsJson(before) ? 'json' : 'msgpack'
  // In memory of its own, not of the encoder: a batch has many of them.
  const stored = Uint8Array.from(encodeStored(document, settings.key, key, 'all', format))
  if (Buffer.compare(before, stored) === 0) return undefined
  const { weight: weightName } = settings.scoring
  const weight = weightName === undefined ? 0 : readProperty(document, weightName)
  return { key, weight: weight === undefined || weight === null ? 0 : (weight as number), stored, properties: values }
}

/** Runs code of the caller, the iterator and getters. */
function readPatches(given: unknown, settings: OpenSettings): ReadonlyMap<Key, Values> {
  requireStoredDocuments(settings)
  if (typeof given !== 'object' || given === null || !(Symbol.iterator in given))
    throw new TypeError(`patches must be iterable, received ${describe(given)}`)
  const patches = new Map<Key, Values>()
  for (const entry of given as Iterable<unknown>) {
    if (!Array.isArray(entry)) throw new TypeError(`an entry must be [key, values], received ${describe(entry)}`)
    const key = requireKey(entry[0])
    if (patches.has(key)) {
      const message = `the key ${describe(key)} is patched twice; give all its values at once`
      throw new FreshdexError('DUPLICATE_KEY', message, { detail: { key } })
    }
    patches.set(key, copied(readValues(entry[1], key, settings), key))
  }
  return patches
}

/** As they are now, and as a document would keep them. TypeError for a value that cannot be stored. */
function copied(values: Values, key: Key): Values {
  const keyName = ''
  const { [keyName]: _, ...copy } = decodeStored<Values>(encodeStored(values, keyName, key, 'all'), keyName, key)
  return copy
}

function requireStoredDocuments({ stored, scoring }: OpenSettings): void {
  if (stored !== 'all' && stored.length === 0) {
    const message =
      'the index stores the keys of its documents only: there is nothing to patch; write the documents anew'
    throw new FreshdexError('NOT_SUPPORTED', message)
  }
  const { weight } = scoring
  if (weight === undefined || stored === 'all' || stored.includes(weight)) return
  const message = `a patch keeps the weight of a document, and "${weight}" is not stored; name it in store`
  throw new FreshdexError('NOT_SUPPORTED', message, { detail: { property: weight } })
}

function readValues(
  given: unknown,
  key: Key,
  { key: keyName, fieldNames, stored, scoring, links }: OpenSettings,
): Values {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(`the values for ${describe(key)} must be an object, received ${describe(given)}`)
  const values: Values = { ...given }
  for (const [name, value] of Object.entries(values)) {
    if (name === '') throw new TypeError(`the values for ${describe(key)} name the empty property`)
    const where = `"${name}" of document ${describe(key)}`
    if (name === keyName) throw new TypeError(`${where} is its key, which cannot be patched`)
    if (name === links?.property) throw new TypeError(`${where} holds its links: write the document anew`)
    if (fieldNames.includes(name)) throw new TypeError(`${where} is text that is searched: write the document anew`)
    if (stored !== 'all' && !stored.includes(name)) {
      const message = `${where} is not stored, so there is nothing to patch; name it in store`
      throw new FreshdexError('NOT_SUPPORTED', message, { detail: { property: name } })
    }
    if (name === scoring.weight && value !== undefined && value !== null) requireWeight(value, name, key)
  }
  return values
}
