/**
 * Lays out the C++ files by .clang-format, or says which are not laid out.
 *
 *   node native/tools/format.mjs            lists the files that clang-format would change; fails if there are any
 *   node native/tools/format.mjs --write    changes them
 *
 * The formatter is a package with clang-format as WebAssembly, at one exact version: another version of clang-format
 * would break lines elsewhere.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { format } from '@wasm-fmt/clang-format'
import { filesBelow, root } from './step.mjs'

const isWriting = process.argv.includes('--write')
const style = readFileSync(path.join(root, '.clang-format'), 'utf8')
const offenders = []
for (const file of ['native', 'test/native', 'bench/peers'].flatMap((folder) => filesBelow(folder, /\.(?:cc|h)$/))) {
  const place = path.join(root, file)
  const text = readFileSync(place, 'utf8')
  const wanted = format(text, file, style)
  // clang-format leaves a line longer than allowed where it finds no place to break it.
  const isTooLong = wanted.split('\n').some((line) => [...line].length > 120)
  if (wanted === text && !isTooLong) continue
  if (isWriting) writeFileSync(place, wanted)
  if (!isWriting || isTooLong) offenders.push(isTooLong ? `${file}: a line of more than 120 columns` : file)
}
if (offenders.length > 0) {
  console.error(`${offenders.join('\n')}\nnot laid out; node native/tools/format.mjs --write mends it`)
  process.exitCode = 1
}
