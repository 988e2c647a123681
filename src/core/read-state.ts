/** What reads of one state of an index work with, and the form in which searches cross to the core. */
import type { Gate } from '../base/gate.js'
import type { Clock } from '../base/time.js'
import type { OpenSettings } from '../options/index-settings.js'
import { type Deadline, NO_DEADLINE } from '../search/deadline.js'
import type { FilterNode } from '../search/filter-tree.js'
import { foundAt, type SearchSchema } from '../search/search-options.js'
import type { NativeReader } from './addon-shape.js'
import { callNative } from './binding.js'
import { encodeColumns } from './columns-wire.js'
import type { QueryEncoder } from './query-wire.js'
import type { ResultRoom } from './result-room.js'

/** What all readers of one index share. */
export interface ReaderSetup {
  readonly settings: OpenSettings
  readonly gate: Gate
  readonly queries: QueryEncoder
  readonly room: ResultRoom
  readonly now: Clock
}

/** Stored documents that the core does not keep itself. It has their numbers and the hashes of their stored forms. */
export interface StoredDocuments {
  /** The stored form. CORRUPT unless it is there and has this hash, 8 bytes, little endian. */
  read(document: number, hash: Uint8Array): Uint8Array
}

export interface ReadState extends Omit<ReaderSetup, 'now'> {
  readonly native: NativeReader
  /** Undefined when the core keeps stored documents itself. */
  readonly stored: StoredDocuments | undefined
  /** What options of searches are checked against. */
  readonly schema: SearchSchema
}

export function readState(
  native: NativeReader,
  { settings, gate, queries, room, now }: ReaderSetup,
  stored: StoredDocuments | undefined,
): ReadState {
  const { fieldNames, stored: properties, columns, expires } = settings
  const isStored = (name: string) => properties === 'all' || properties.includes(name)
  const schema = { fieldNames, storedFields: fieldNames.filter(isStored), columns, expires, now }
  return { native, settings, gate, queries, room, stored, schema }
}

/** A search as the addon takes it. */
export interface SearchCall {
  readonly limit: number
  readonly offset: number
  readonly flags: number
  readonly deadlineMs: number
  readonly maxScored: number
  readonly countUpTo: number
  readonly pinned: Uint8Array | undefined
  readonly columns: Uint8Array | undefined
}

/** The limits of a search for all hits. */
export const EVERYTHING = { limit: 2 ** 32 - 1, offset: 0 } as const

export function addonArguments<Room>(call: SearchCall, room: Room) {
  const { limit, offset, flags, deadlineMs, maxScored, countUpTo, pinned, columns } = call
  return [limit, offset, flags, deadlineMs, maxScored, countUpTo, pinned, room, columns] as const
}

/** A search for numbers, keys and scores of documents, and nothing else of them. */
export function plainCall(
  { settings }: Pick<ReadState, 'settings'>,
  limit: number,
  maxScored: number,
  filter: FilterNode | undefined,
): SearchCall {
  const columns = encodeColumns({ filter }, settings.columns)
  return { limit, offset: 0, flags: 0, deadlineMs: 0, maxScored, countUpTo: 0, pinned: undefined, columns }
}

/** The best matches of a query: numbers, keys and scores. */
export function bestMatches(
  state: ReadState,
  wire: Uint8Array,
  limit: number,
  maxScored: number,
  filter?: FilterNode,
  deadline: Deadline = NO_DEADLINE,
): ArrayBuffer {
  const call = { ...plainCall(state, limit, maxScored, filter), deadlineMs: deadline.leftMs() }
  return callNative(() => state.native.search(wire, ...addonArguments(call, undefined))) as ArrayBuffer
}

/** What is found at this moment; undefined where nothing expires. */
export function foundNow({ settings, schema }: ReadState): FilterNode | undefined {
  const { columns, expires } = settings
  return expires === undefined ? undefined : foundAt(columns, expires, schema.now())
}
