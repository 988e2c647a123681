/**
 * The way of a write: encode → prepare → measure → enter → commit → publish → after-work. Whatever fails between
 * prepare and commit is undone in one place, and nothing of the batch is left anywhere.
 *
 * | it fails in    | the disk                              | memory                   | the caller sees     |
 * |----------------|---------------------------------------|--------------------------|---------------------|
 * | encode         | as it was                             | as it was                | what was thrown     |
 * | prepare        | as it was                             | as it was                | the core's code     |
 * | measure, enter | as it was: nothing is committed       | undone                   | what was thrown     |
 * | commit, BUSY   | as it was                             | undone                   | BUSY                |
 * | commit, else   | known to a new opening only           | undone, writer poisoned  | DISK_FULL, IO, …    |
 * | publish        | has the batch                         | undone, writer poisoned  | the core's code     |
 * | after-work     | has the batch                         | shows the batch          | nothing: see stats()|
 */
import type { Gate } from '../base/gate.js'
import type { Key } from '../base/keys.js'
import type { Step } from '../base/step.js'
import type { TurnQueue } from '../base/turns.js'
import type { BatchEncoder, OwnedBatch, StoredForms } from '../core/batch.js'
import { encodeLinked } from '../core/link-slab.js'
import type { BatchMeasure, MeasuredWrite, PreparedBatch, WritingCore, Written } from '../engine.js'
import { type LinkBatch, type LinkContext, type LinkMoves, linkMoves } from '../links/link-moves.js'
import type { LinkChange } from '../links/link-table.js'
import type { OpenSettings } from '../options/index-settings.js'
import type { PrioritizerRows } from '../refresh/rows.js'
import type { CpuAccount, Overhead } from './cpu-account.js'
import type { MemoryLimit } from './memory-limit.js'
import { withRemovals } from './removals.js'
import { type WriteReport, writeReport } from './report.js'

/** What a write works with. Freshdex makes one for its lifetime. */
export interface WriteContext {
  readonly gate: Gate
  readonly turns: TurnQueue
  readonly encoder: BatchEncoder
  readonly account: WriteAccount
  /** What writing takes. */
  readonly cpu: CpuAccount
  readonly memory: MemoryLimit
  /** Undefined where the index reads no links. */
  readonly links: LinkContext | undefined
  readonly settings: OpenSettings
  /** Gives what can be written to. Throws READ_ONLY or POISONED. */
  writer(): Writer
  /** Queues the removal of what has expired, where anything expires. */
  removeExpired?(): void
}

/** Gives keys of documents in the turn of a write. */
export type KeysInTurn = () => readonly Key[]

/** The side of a storage that takes batches. */
export interface Writer {
  readonly core: WritingCore
  readonly journal: Journal
  /** Whether writes have left work behind that should be done before the next one. */
  readonly isUpkeepDue: boolean
  /** Does that work. A failure poisons the writer, and the next write says so. */
  upkeep(): Promise<void>
  /** Puts into segments what is only in memory. Does nothing where there are none. */
  makeRoom(): Promise<void>
}

/** Where a batch becomes durable. */
export interface Journal {
  /** What the catalog keeps of the documents put, in memory of its own; undefined where there is no catalog. */
  storedForms(batch: OwnedBatch): StoredForms | undefined
  /**
   * Writes the batch and the rows of the prioritizer as one transaction. Readers keep the moment that they see until
   * show(). `rows` gives nothing where nobody keeps account of writes. Never settles before it has.
   */
  commit(batch: DurableBatch, rows: Promise<PrioritizerRows | undefined>): Promise<void>
  /** Runs a step after which the writer cannot go on if it fails: it is poisoned then, unless the failure is BUSY. */
  orPoison<T>(step: () => Promise<T>): Promise<T>
  /** Lets readers go on to the newest moment. */
  show(): void
}

export interface DurableBatch {
  readonly prepared: PreparedBatch
  /** The keys of the documents put. */
  readonly keys: readonly Key[]
  readonly stored: StoredForms | undefined
  /** Links that the batch has moved; undefined where none are read. */
  readonly links?: readonly LinkChange[] | undefined
}

/** Who keeps account of what writes do: the Prioritizer, if there is one. */
export interface WriteAccount {
  /**
   * Resolves when a write of so many pages can be measured and entered. A failed fit is noted, not thrown.
   * `findsPages`: it may have links to pages that nobody has fetched.
   */
  ready(pages?: number, findsPages?: boolean): Promise<void>
  /** Enters the write into ledger, frontier and workload, in memory. */
  enter(write: MeasuredWrite): Step<PrioritizerRows | undefined>
  /** Enters what new weights of documents have moved; nobody has looked at the documents. */
  enterReweighed(measure: BatchMeasure): Step<PrioritizerRows | undefined>
  /**
   * Starts the fits that are due and tells those who listen. `keys` are those of the documents put, of those removed,
   * then of those that links were told of. Never rejects.
   */
  afterWrite(written: Written, keys: readonly Key[]): Promise<Overhead>
}

/** Puts and removes documents as one step: all of the batch or, when the promise rejects, nothing of it. */
export function write(
  given: unknown,
  atMs: number,
  context: WriteContext,
  alsoRemoved?: KeysInTurn,
): Promise<WriteReport> {
  // ENCODE happens within the call, so that changing a document afterwards changes nothing.
  const batch = context.cpu.timed('index', () => context.gate.run(() => context.encoder.encode(given)))
  const giveBack = batch.keys.length === 0 ? () => {} : taken(batch, context)
  return context.turns.run(() => writeInTurn(batch, atMs, context, alsoRemoved)).finally(giveBack)
}

/** Counts the batch as memory of the index, if there is room for it. */
function taken(batch: OwnedBatch, { memory }: WriteContext): () => void {
  try {
    return memory.take(batch.bytes.length)
  } catch (error) {
    batch.release()
    throw error
  }
}

/** Removes documents, if there are any to remove. REQUIRES: a turn of the caller. */
export async function removeInTurn(keysOf: KeysInTurn, atMs: number, context: WriteContext): Promise<void> {
  const remove = keysOf()
  if (remove.length > 0) await writeInTurn(context.encoder.encode({ remove }), atMs, context)
}

/** Before the next write; what has expired goes first, so that it is not written anew. */
export function startUpkeepIfDue(context: WriteContext, writer: Writer): void {
  if (!writer.isUpkeepDue) return
  context.removeExpired?.()
  context.turns.run(() => writer.upkeep()).catch(() => {})
}

async function writeInTurn(
  given: OwnedBatch,
  atMs: number,
  context: WriteContext,
  alsoRemoved?: KeysInTurn,
): Promise<WriteReport> {
  const { account, cpu } = context
  let batch = given
  let writer: Writer
  let stored: StoredForms | undefined
  let linked: LinkedBatch | undefined
  let prepared: PreparedBatch
  try {
    writer = context.writer()
    if (alsoRemoved !== undefined) batch = withRemovals(batch, alsoRemoved())
    linked = await linkedBy(batch, context)
    await account.ready(batch.keys.length, linked !== undefined && linked.moves.found.length > 0)
    stored = cpu.timed('index', () => writer.journal.storedForms(batch))
    // PREPARE computes the deltas; nothing is visible yet. When it fails, nothing has happened anywhere.
    prepared = await prepare(batch, linked?.slab, writer, context)
  } finally {
    // The core has a copy by now, or wants none.
    batch.release()
  }
  const { keys, removedKeys } = batch
  const { found = [], changes: links, targets = [] } = linked?.moves ?? {}
  const linkedKeys = targets.map(({ key }) => key)
  const enter = (measure: BatchMeasure) => account.enter({ prepared, measure, keys, removedKeys, atMs, found })
  const written = await finishWrite({ prepared, keys, stored, links }, writer, enter, cpu)
  // AFTER-WORK: fits go on beside later writes, and upkeep has a turn of its own before the next write.
  const overhead = await account.afterWrite(written, [...keys, ...batch.removedKeys, ...linkedKeys])
  startUpkeepIfDue(context, writer)
  const isMeasured = written.measure.pages.length > 0
  return cpu.timed(isMeasured ? 'ledger' : 'index', () => writeReport(written, overhead, { ...batch, linkedKeys }))
}

/** What links of a batch do, and their targets as the core takes them. */
export interface LinkedBatch {
  readonly moves: LinkMoves
  readonly slab: Uint8Array
}

/** Undefined where the index reads no links. REQUIRES: it is the batch's turn. */
export async function linkedBy(
  batch: LinkBatch,
  { links, settings }: Pick<WriteContext, 'links' | 'settings'>,
): Promise<LinkedBatch | undefined> {
  if (links === undefined) return undefined
  const moves = await linkMoves(batch, links)
  return { moves, slab: encodeLinked(moves.targets, settings) }
}

/** Prepares a batch and, unless it only removes documents, discards it again if the index would become too large. */
async function prepare(
  batch: OwnedBatch,
  links: Uint8Array | undefined,
  writer: Writer,
  { memory, cpu }: WriteContext,
): Promise<PreparedBatch> {
  const prepared = await cpu.timed('index', () => writer.core.prepare(batch.bytes, links))
  if (batch.keys.length === 0 || memory.hasRoom(prepared.memoryBytes)) return prepared
  await writer.core.discard()
  // What a flush puts into segments leaves room.
  await writer.makeRoom()
  memory.require(prepared.memoryBytes)
  return cpu.timed('index', () => writer.core.prepare(batch.bytes, links))
}

/** From prepared to durable and visible. A salvage begins here, with documents that the core took over by number. */
export async function finishWrite(
  batch: DurableBatch,
  { core, journal }: Writer,
  enter: (measure: BatchMeasure) => Step<PrioritizerRows | undefined>,
  cpu?: CpuAccount,
): Promise<Written> {
  const { prepared } = batch
  let step: Step<PrioritizerRows | undefined> | undefined
  // MEASURE and ENTER. The core measures a small batch while it prepares it, a large one while the catalog writes.
  const entering = measured(prepared, core).then((measure) => {
    step = enter(measure)
    return { measure, rows: step.rows }
  })
  try {
    // COMMIT: from here on the batch survives the process.
    await journal.commit(
      batch,
      entering.then(({ rows }) => rows),
    )
    const { measure } = await entering
    // PUBLISH. A batch that is durable and cannot be shown poisons the writer; the next opening shows it.
    const published = await journal.orPoison(() =>
      cpu === undefined ? core.publish() : cpu.timed('index', () => core.publish()),
    )
    journal.show()
    return { prepared, measure, published }
  } catch (error) {
    // A commit that fails at once leaves the measuring behind, and what that enters has to be undone, too.
    await entering.catch(() => {})
    step?.undo()
    // What went wrong first is what the caller has to know.
    await core.discard().catch(() => {})
    throw error
  }
}

async function measured(prepared: PreparedBatch, core: WritingCore): Promise<BatchMeasure> {
  return prepared.measure ?? core.measure()
}
