/** A folder of one test file: each call gives a path in it at which nothing is yet; all of it goes away at the end. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-root.js'

let root: string | undefined
let count = 0

export function newPath(name = 'index'): string {
  if (root === undefined) {
    const made = makeTemporaryFolder('disk')
    root = made
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  }
  return path.join(root, `${name}-${++count}`)
}

afterAll(() => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true })
  root = undefined
})
