/** The core of an index on disk, brought to the moment that a catalog shows. */

import { FreshdexError } from '../base/errors.js'
import type { Clock } from '../base/time.js'
import type { WaitingProperties } from '../base/waiting-properties.js'
import { type CatalogMoment, type HashFor, logRows } from '../catalog/catalog.js'
import type { IndexIdentity } from '../catalog/identity.js'
import { lastDocument } from '../catalog/ledger-rows.js'
import type { StoredView } from '../catalog/stored-view.js'
import type { NativeIndex } from '../core/addon-shape.js'
import { awaitNative, callNative, loadAddon, nativeConfig } from '../core/binding.js'
import type { DiskSettings, OpenSettings } from '../options/index-settings.js'
import type { IndexFolder } from './folder.js'

/** XXH64 as the core computes it, with the seed of an index. */
export const hashFor: HashFor = (seed) => {
  const addon = loadAddon()
  return (bytes) => addon.xxh64(bytes, seed)
}

/** What the core of one index is made from. */
export interface FolderSetup {
  readonly folder: IndexFolder
  readonly identity: IndexIdentity
  readonly settings: OpenSettings
  readonly disk: DiskSettings
  /** By which all moments are judged. */
  readonly now: Clock
  /** Writes bring along sketches of what they change. */
  readonly wantsSketches: boolean
  /** The ledger is needed soon after the opening. */
  readonly wantsLedger?: boolean
  /** What documents have yet to be given. For a writer. */
  readonly waiting?: WaitingProperties
}

/**
 * Maps the segments and replays the log. REQUIRES: `view` is pinned at `moment`. `isForRecords`: without postings, for
 * a salvage.
 */
export async function openCore(
  parts: FolderSetup,
  view: StoredView,
  moment: CatalogMoment,
  { isForRecords = false } = {},
): Promise<NativeIndex> {
  const { folder, identity, settings, disk, wantsSketches } = parts
  const addon = loadAddon()
  const config = nativeConfig(settings, identity.seed, {
    wantsSketches,
    disk: {
      segmentFolder: folder.segments,
      mapped: disk.mapped,
      indexId: identity.id,
      // Postings that are left out cannot be folded into.
      foldFloor: isForRecords ? Number.MAX_SAFE_INTEGER : disk.foldPostings,
      phrasePages: disk.phrasePages,
      packsRecords: disk.packRecords,
      partitionBytes: disk.partitionBytes,
    },
  })
  const native = callNative(() => new addon.Index(config))
  try {
    await awaitNative(() => native.load(moment.segments, isForRecords))
    if (callNative(() => native.stats()).sequence !== moment.state.flushed) {
      throw new FreshdexError('CORRUPT', `'${folder.path}' is damaged: segments and catalog are of different moments`, {
        detail: { file: folder.catalog },
      })
    }
    await replay(native, view, moment.state.flushed).catch((error) => {
      throw isOfOtherSegments(error) ? damagedLog(folder) : error
    })
    if (!isForRecords) requireKnownNumbers(native, view, folder)
    return native
  } catch (error) {
    native.close()
    throw error
  }
}

/** Numbers that are wrong by less make no large ledger: a check tells of them. */
const FOREIGN_NUMBERS = 65_536

/** Histories have a place for each number up to that of the last document: one made up would ask for any room. */
function requireKnownNumbers(native: NativeIndex, { db }: StoredView, { path, catalog }: IndexFolder): void {
  const last = lastDocument(db)
  if (last < callNative(() => native.stats()).documentLimit + FOREIGN_NUMBERS) return
  throw new FreshdexError('CORRUPT', `'${path}' is damaged: a document has the number ${last}, which none has`, {
    detail: { file: catalog },
  })
}

/**
 * Rows fit the core only after it has read newer segments: they have numbers of documents that a snapshot keeps, or of
 * words after some were reclaimed. To a core that has just read all segments there are none.
 */
export function isOfOtherSegments(error: unknown): boolean {
  return error instanceof FreshdexError && error.code === 'BUSY'
}

function damagedLog({ path, catalog }: IndexFolder): FreshdexError {
  const message = `'${path}' is damaged: rows of the log do not belong to the segments`
  return new FreshdexError('CORRUPT', message, { detail: { file: catalog } })
}

/** Publishes the batches of the log behind `after`. Returns the bytes of their rows. */
export async function replay(native: NativeIndex, view: StoredView, after: number): Promise<number> {
  let bytes = 0
  for (const rows of logRows(view, after)) {
    bytes += rows.length
    await awaitNative(() => native.replay(rows))
  }
  return bytes
}
