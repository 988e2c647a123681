/** Opens the storage that a path and options ask for. */
import { changeIdentity, createCatalog, identityForReading, identityForWriting } from '../catalog/catalog.js'
import { IndexIdentity } from '../catalog/index-identity.js'
import { StoredView } from '../catalog/stored-view.js'
import { callNative, loadAddon } from '../engine/binding.js'
import { QueryEncoder } from '../engine/query-wire.js'
import type { ReaderParts } from '../engine/reader.js'
import type { Gate } from '../gate.js'
import {
  type DiskSettings,
  type GivenOptions,
  type OpenSettings,
  type RefreshSettings,
  readOpenOptions,
  refuseDiskOptions,
  resolveDiskOptions,
  resolveOpenOptions,
  resolveRefreshOptions,
} from '../settings.js'
import { type CoreParts, hashFor } from './disk-core.js'
import { DiskStorage } from './disk-storage.js'
import { FollowerStorage } from './follower-storage.js'
import { IndexFolder } from './index-folder.js'
import { MemoryStorage } from './memory-storage.js'
import { settingsOfExisting } from './open-settings.js'
import type { Storage } from './storage.js'

/** The path of an index that lives as long as its object. */
export const IN_MEMORY = ':memory:'

export interface OpenedStorage<D extends object> {
  readonly storage: Storage<D>
  readonly settings: OpenSettings
  readonly refresh: RefreshSettings
}

export async function openStorage<D extends object>(
  path: string,
  options: unknown,
  gate: Gate,
): Promise<OpenedStorage<D>> {
  const readerParts = (settings: OpenSettings): ReaderParts => ({ settings, gate, queries: new QueryEncoder(settings) })
  if (path === IN_MEMORY) {
    const settings = resolveOpenOptions(options)
    const given = readOpenOptions(options)
    refuseDiskOptions(given)
    const refresh = resolveRefreshOptions(given)
    const storage = new MemoryStorage<D>(readerParts(settings), { wantsSketches: refresh.changeProfiles })
    return { storage, settings, refresh }
  }
  const given = readOpenOptions(options)
  const refresh = resolveRefreshOptions(given)
  const disk = resolveDiskOptions(given)
  const folder = new IndexFolder(path)
  folder.refuseStranger()
  if (disk.readOnly) {
    const core = await coreForReading(folder, given, disk)
    const storage = await FollowerStorage.open<D>(core, readerParts(core.settings))
    return { storage, settings: core.settings, refresh }
  }
  const parts = { disk, wantsSketches: refresh.changeProfiles }
  return { ...(await openForWriting<D>(folder, given, parts, readerParts)), refresh }
}

type WritingParts = Pick<CoreParts, 'disk' | 'wantsSketches'>

async function openForWriting<D extends object>(
  folder: IndexFolder,
  given: GivenOptions,
  parts: WritingParts,
  readerParts: (settings: OpenSettings) => ReaderParts,
): Promise<Omit<OpenedStorage<D>, 'refresh'>> {
  const isDescribed = given.key !== undefined || given.fields !== undefined
  // Before anything is made: options that cannot make an index leave no folder behind.
  if (!folder.hasCatalog) {
    if (!isDescribed) throw folder.notFound()
    resolveOpenOptions(given)
  }
  folder.create()
  const addon = loadAddon()
  const lock = callNative(() => new addon.FileLock(folder.lock))
  try {
    const core = await coreForWriting(folder, given, parts)
    return { storage: await DiskStorage.open<D>(core, lock, readerParts(core.settings)), settings: core.settings }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** REQUIRES: the lock is held. */
async function coreForWriting(folder: IndexFolder, given: GivenOptions, parts: WritingParts): Promise<CoreParts> {
  const existing = identityForWriting(folder.catalog, hashFor)
  if (existing === undefined) {
    if (given.key === undefined && given.fields === undefined) throw folder.notFound()
    const settings = resolveOpenOptions(given)
    folder.refuseLostCatalog()
    const identity = IndexIdentity.create(settings)
    createCatalog(folder.catalog, identity, hashFor)
    return { folder, identity, settings, ...parts }
  }
  const settings = await settingsOfExisting(existing, given, folder.path)
  const identity = existing.rescored(settings)
  if (identity.text !== existing.text) changeIdentity(folder.catalog, existing, identity, hashFor)
  return { folder, identity, settings, ...parts }
}

async function coreForReading(folder: IndexFolder, given: GivenOptions, disk: DiskSettings): Promise<CoreParts> {
  if (!folder.hasCatalog) throw folder.notFound()
  const view = StoredView.open(folder.catalog)
  try {
    const identity = identityForReading(view, hashFor)
    if (identity === undefined) throw folder.notFound()
    const settings = await settingsOfExisting(identity, given, folder.path)
    return { folder, identity, settings, disk, wantsSketches: false }
  } finally {
    view.close()
  }
}
