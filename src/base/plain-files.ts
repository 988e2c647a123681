/**
 * The files of an index, as they are opened: the one place that does. An index may come from somebody else, and a link
 * in its folder would have its writer truncate, remove or fill a file elsewhere; a pipe or a device would have it wait
 * for ever. So everything in the folder is a plain file or a plain folder, or it is refused.
 *
 * SQLite opens its files by their names: `requirePlain` looks at them just before. That holds against a folder that was
 * prepared, not against somebody who may write in it while it is opened.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, rmSync } from 'node:fs'
import { FreshdexError } from './errors.js'

/**
 * NOT_AN_INDEX for a link, a pipe, a device or a socket; what is not there may come to be. `hasOneName`: a file that
 * has another name, somewhere else, is refused, too: it would be overwritten under both.
 */
export function requirePlain(file: string, kind: 'file' | 'folder' = 'file', { hasOneName = false } = {}): void {
  const about = inFiles(file, () => lstatSync(file, { throwIfNoEntry: false }))
  if (about === undefined) return
  const isShared = hasOneName && about.nlink > 1
  if (!isShared && (kind === 'file' ? about.isFile() : about.isDirectory())) return
  const found = isShared || about.isSymbolicLink() ? 'a link' : `no plain ${kind}`
  throw new FreshdexError('NOT_AN_INDEX', `'${file}' is ${found}: an index has plain files only, in its own folder`, {
    detail: { path: file },
  })
}

/** Work with a file; what the system says of it comes out as IO. A file below something that is no folder is none. */
export function inFiles<T>(file: string, work: () => T): T | undefined {
  try {
    return work()
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOTDIR') return undefined
    if (cause instanceof FreshdexError || code === undefined) throw cause
    throw new FreshdexError('IO', `'${file}' cannot be looked at: ${message}`, { cause, detail: { file } })
  }
}

/** A descriptor for reading. Throws for what is no plain file, without waiting for it. */
export function openPlain(file: string): number {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if (fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  throw new FreshdexError('NOT_AN_INDEX', `'${file}' is no plain file`, { detail: { path: file } })
}

/** A descriptor of a new file, in the place of whatever has the name: a link goes, and what it points to stays. */
export function openAnew(file: string): number {
  rmSync(file, { force: true })
  return openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW)
}
