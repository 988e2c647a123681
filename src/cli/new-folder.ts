/** Taking back the folder of an index that a command has made and that came to nothing. */
import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Call it before the index is opened. The function that it gives removes what was made at the path since: the folder
 * with all that is in it, or its new files if the folder was there, and parents that are empty then. Where there was
 * an index before, it removes nothing.
 * REQUIRES: whoever removes has made the index itself, and has closed it.
 */
export function newFolderAt(dir: string): () => void {
  const folder = path.resolve(dir)
  if (existsSync(path.join(folder, 'catalog.db'))) return () => {}
  const madeParents = missingParents(folder)
  const before = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : undefined
  return () => {
    if (before === undefined) rmSync(folder, { recursive: true, force: true })
    else {
      const made = readdirSync(folder).filter((name) => !before.includes(name))
      for (const name of made) rmSync(path.join(folder, name), { recursive: true, force: true })
    }
    for (const parent of madeParents) removeEmpty(parent)
  }
}

/** Folders above this one that are not there, the innermost first. */
function missingParents(folder: string): string[] {
  const parent = path.dirname(folder)
  return existsSync(parent) ? [] : [parent, ...missingParents(parent)]
}

/** Somebody else may have put something into it meanwhile. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
