/** New weights for documents whose text stays: a batch of its own that leaves their refresh history as it is. */
import { describe } from '../base/describe.js'
import { requireWeight } from '../base/documents.js'
import { FreshdexError } from '../base/errors.js'
import { type Key, requireKey } from '../base/keys.js'
import { nextTurn } from '../base/turns.js'
import type { ReweighedDocument } from '../core/batch.js'
import { BatchOutcome, type PreparedBatch } from '../engine.js'
import { reweighedForm } from '../options/stored-form.js'
import { finishWrite, startUpkeepIfDue, type WriteContext } from './pipeline.js'

/** What a reweighing did. */
export interface ReweighReport {
  /** Documents whose weight is another one now. */
  readonly reweighed: number
  /** Documents that had this weight already. */
  readonly unchanged: number
}

/** What a reweighing needs beside a write. */
export interface ReweighContext extends WriteContext {
  /** The stored bytes of a document, also while the index is being closed; undefined when it is not there. */
  storedForm(key: Key): Uint8Array | undefined
}

/** Stored documents that are read before the event loop has its turn. */
const PORTION = 256

/** Gives documents new weights as one step: all of them or, when the promise rejects, none. */
export function reweigh(given: unknown, context: ReweighContext): Promise<ReweighReport> {
  const property = context.settings.scoring.weight
  if (context.settings.links?.isWeight) {
    const message = 'the weight of a document is the number of links to it: write the documents that link to it'
    throw new FreshdexError('NOT_SUPPORTED', message)
  }
  if (property === undefined) {
    const message = 'the index has no weight to change: open it with scoring.weight, the property that weighs documents'
    throw new FreshdexError('NOT_SUPPORTED', message)
  }
  const weights = context.gate.run(() => readWeights(given, property))
  return context.turns.run(() => reweighInTurn(weights, property, context))
}

async function reweighInTurn(
  weights: ReadonlyMap<Key, number>,
  property: string,
  context: ReweighContext,
): Promise<ReweighReport> {
  const { account, encoder, cpu } = context
  const writer = context.writer()
  if (weights.size === 0) return { reweighed: 0, unchanged: 0 }
  // Before the first fit, which is long: a key that is not there is a mistake of the caller.
  const documents = await storedDocuments(weights, property, context)
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
  const reweighed = prepared.outcomes.filter((outcome) => outcome === BatchOutcome.reweighted).length
  return { reweighed, unchanged: keys.length - reweighed }
}

/** Runs code of the caller, the iterator. */
function readWeights(given: unknown, property: string): ReadonlyMap<Key, number> {
  if (typeof given !== 'object' || given === null || !(Symbol.iterator in given))
    throw new TypeError(`weights must be iterable, received ${describe(given)}`)
  const weights = new Map<Key, number>()
  for (const entry of given as Iterable<unknown>) {
    if (!Array.isArray(entry)) throw new TypeError(`an entry must be [key, weight], received ${describe(entry)}`)
    const key = requireKey(entry[0])
    if (weights.has(key)) {
      const message = `the key ${describe(key)} is given two weights; give it the one that should remain`
      throw new FreshdexError('DUPLICATE_KEY', message, { detail: { key } })
    }
    weights.set(key, requireWeight(entry[1], property, key))
  }
  return weights
}

async function storedDocuments(
  weights: ReadonlyMap<Key, number>,
  weightName: string,
  { settings, storedForm }: ReweighContext,
): Promise<ReweighedDocument[]> {
  const documents: ReweighedDocument[] = []
  const { key: keyName, stored: properties } = settings
  for (const [key, weight] of weights) {
    const stored = storedForm(key)
    if (stored === undefined) throw new RangeError(`there is no document with the key ${describe(key)}`)
    const form = reweighedForm(stored, { keyName, key, properties, weightName }, weight)
    documents.push({ key, weight, stored: form, properties: { [weightName]: weight } })
    if (documents.length % PORTION === 0) await nextTurn()
  }
  return documents
}
