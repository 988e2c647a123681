/**
 * Writes compilation units: files that include several source files each, so that the headers they share are read and
 * their templates instantiated once for all of them. Compiling the core this way takes a third of the processor time.
 *
 *   node native/tools/units.mjs <folder to write to> <files per unit> <source folder>...
 *
 * Folders are given from the root of the repository. A unit has files of one source folder only, at most so many
 * (0: all of them). The paths of the units are printed, relative to the current folder. A unit that stays the same is
 * not written again, so that make sees nothing new.
 *
 * Files of one unit share their unnamed namespaces: a name in one of them must be unique in the folder.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [output, perUnit, ...folders] = process.argv.slice(2)
const outputFolder = path.join(root, output)
mkdirSync(outputFolder, { recursive: true })

const units = new Map()
for (const folder of folders) {
  const files = readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.cc'))
    .sort()
  const size = Number(perUnit) || files.length
  for (let at = 0; at < files.length; at += size) {
    const suffix = size < files.length ? `-${at / size + 1}` : ''
    const includes = files.slice(at, at + size).map((name) => `#include "${folder}/${name}"\n`)
    units.set(`${folder.replaceAll('/', '-')}${suffix}.cc`, includes.join(''))
  }
}

for (const name of readdirSync(outputFolder)) {
  if (name.endsWith('.cc') && !units.has(name)) rmSync(path.join(outputFolder, name))
}
for (const [name, text] of units) {
  const file = path.join(outputFolder, name)
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
  console.log(path.relative(process.cwd(), file))
}
