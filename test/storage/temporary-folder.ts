/** Folders of one test file: each call gives a path at which nothing is yet; all of it goes away at the end. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-root.js'

type Place = 'anywhere' | 'disk'

const roots = new Map<Place, string>()
let count = 0

export function newPath(name = 'index'): string {
  return pathIn('anywhere', name)
}

/** Where a writer has to wait for the disk, so that readers in other processes get their turns between its batches. */
export function newDiskPath(name = 'index'): string {
  return pathIn('disk', name)
}

function pathIn(place: Place, name: string): string {
  let root = roots.get(place)
  if (root === undefined) {
    root = makeTemporaryFolder('disk', place)
    roots.set(place, root)
  }
  return path.join(root, `${name}-${++count}`)
}

function removeAll(): void {
  for (const root of roots.values()) rmSync(root, { recursive: true, force: true })
  roots.clear()
}

process.once('exit', removeAll)
afterAll(removeAll)
