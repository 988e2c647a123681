/** What a folder says, in a few characters: results of one world must not be taken for those of another. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { LINKS_FILE, PAGES_FILE, QUERIES_FILE, WEEKS_FILE } from '../worlds/snapshot-format.js'
import { unreadable } from '../worlds/world-fault.js'

/** Of names and bytes of the files that tell of the world; notes beside them do not count. FreshdexError IO where it cannot be read. */
export async function folderDigest(folder: string, queriesFile: string = QUERIES_FILE): Promise<string> {
  try {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    const ofWorld = [PAGES_FILE, WEEKS_FILE, queriesFile, LINKS_FILE]
    const told = files.includes(PAGES_FILE) ? ofWorld.filter((name) => files.includes(name)) : files.sort()
    const whole = createHash('sha256')
    for (const name of told) whole.update(`${name}\0${await fileDigest(path.join(folder, name))}\n`)
    return whole.digest('hex')
  } catch (error) {
    throw unreadable(folder, error)
  }
}

async function fileDigest(file: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(file)) digest.update(chunk as Uint8Array)
  return digest.digest('hex')
}
