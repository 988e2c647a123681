/** The version of an installed package; its manifest need not be among its exports. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { REPOSITORY } from '../machine.js'

export function packageVersion(name: string): string {
  const manifest = path.join(REPOSITORY, 'node_modules', name, 'package.json')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
