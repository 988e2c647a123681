/** A folder of one test file: each call gives a path in it at which nothing is yet; all of it goes away at the end. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'

let root: string | undefined
let count = 0

export function newPath(name = 'index'): string {
  if (root === undefined) {
    const made = mkdtempSync(path.join(os.tmpdir(), 'freshdex-disk-'))
    root = made
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  }
  return path.join(root, `${name}-${++count}`)
}

afterAll(() => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true })
  root = undefined
})
