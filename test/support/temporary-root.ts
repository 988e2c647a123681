/**
 * Where tests make their folders: in memory where there is such a place with enough room, otherwise among the temporary
 * files. No test asks whether bytes survive a loss of power, so that waiting for a disk would prove nothing.
 */
import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const MEMORY = '/dev/shm'
/** Several test files run at once, and the largest folder of one of them takes some hundred megabytes. */
const ENOUGH_BYTES = 2 * 1024 ** 3

/** A new, empty folder, among the temporary files if `place` says so. Whoever makes it removes it. */
export function makeTemporaryFolder(name: string, place: 'anywhere' | 'disk' = 'anywhere'): string {
  const parent = place === 'anywhere' && hasRoomInMemory() ? MEMORY : os.tmpdir()
  return mkdtempSync(path.join(parent, `freshdex-${name}-`))
}

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ENOUGH_BYTES
}
