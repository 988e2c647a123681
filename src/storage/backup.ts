/** A copy of a live index, whole or not there at all. */
import { randomBytes } from 'node:crypto'
import { constants, copyFile, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Stop } from '../base/abort.js'
import { FreshdexError } from '../base/errors.js'
import { requirePlain } from '../base/plain-files.js'
import { type SegmentList, segmentCount, segmentRows } from '../catalog/state.js'
import { IndexFolder } from './folder.js'

export interface BackupReport {
  readonly path: string
  readonly files: number
  readonly bytes: number
}

/**
 * Copies segments and catalog into a folder beside the target, syncs it all and gives it its name last. REQUIRES:
 * nothing is written and no segment removed meanwhile. `copyCatalog` makes a copy of the catalog in a new file. `stop`
 * is called between files; nothing of the copy remains when it throws.
 */
export async function backupFolder(
  from: IndexFolder,
  target: string,
  segments: SegmentList,
  copyCatalog: (file: string) => Promise<unknown>,
  stop: Stop,
): Promise<BackupReport> {
  const to = new IndexFolder(target)
  await refuseExisting(to.path)
  const partial = await newPartial(to)
  let bytes = 0
  const copied = async (file: string) => {
    bytes += await syncFile(file)
  }
  try {
    await mkdir(partial.segments)
    for (const [number] of segmentRows(segments)) {
      stop()
      const name = segmentFileName(number)
      requirePlain(path.join(from.segments, name))
      const copy = path.join(partial.segments, name)
      await copyFile(path.join(from.segments, name), copy, constants.COPYFILE_EXCL)
      await copied(copy)
    }
    stop()
    await copyCatalog(partial.catalog)
    await copied(partial.catalog)
    stop()
    await giveName(partial, to)
  } catch (cause) {
    // What cannot be removed is not the news.
    await rm(partial.path, { recursive: true, force: true }).catch(() => {})
    // Whoever stops it gets their own reason back.
    stop()
    throw cause instanceof FreshdexError ? cause : ioFailure(to.path, cause)
  }
  return { path: to.path, files: segmentCount(segments) + 1, bytes }
}

/**
 * A new folder beside the target. Nobody can know its name before: neither what a copy left that was cut off, nor a
 * link that somebody has put there, is in its way.
 */
export async function newPartial(to: IndexFolder): Promise<IndexFolder> {
  const partial = new IndexFolder(`${to.path}.partial-${randomBytes(8).toString('hex')}`)
  try {
    await mkdir(path.dirname(partial.path), { recursive: true })
    await mkdir(partial.path)
    return partial
  } catch (cause) {
    throw ioFailure(to.path, cause)
  }
}

/**
 * A complete folder gets its name: synced before, so that a loss of power leaves all of it under the name or nothing.
 */
export async function giveName(partial: IndexFolder, to: IndexFolder): Promise<void> {
  for (const folder of [partial.segments, partial.path]) await syncFile(folder)
  await rename(partial.path, to.path)
  await syncFile(path.dirname(to.path))
}

/** As the core names its files. */
function segmentFileName(number: number): string {
  return `${number.toString(16).padStart(16, '0')}.seg`
}

/** EXISTS when there is anything at the path. */
export async function refuseExisting(target: string): Promise<void> {
  const exists = await lstat(target).then(
    () => true,
    () => false,
  )
  if (exists) throw new FreshdexError('EXISTS', `'${target}' exists already`, { detail: { path: target } })
}

/** Syncs a file or a folder; gives its size. */
async function syncFile(file: string): Promise<number> {
  const handle = await open(file, 'r')
  try {
    await handle.sync()
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

function ioFailure(target: string, cause: unknown): FreshdexError {
  const { code, message } = cause as NodeJS.ErrnoException
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  return new FreshdexError(isFull ? 'DISK_FULL' : 'IO', `could not copy to '${target}': ${message}`, {
    cause,
    detail: { path: target },
  })
}
