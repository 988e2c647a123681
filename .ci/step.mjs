/**
 * What the set-up steps share. A step writes a stamp, a digest of what it read, and is skipped as long as the stamp still
 * fits: digests of contents, not times, so that switching branches back and forth or deleting a file is understood too.
 *
 * stdout belongs to the program that runs after the set-up; everything here goes to stderr.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

export class StepFailed extends Error {}

export function say(text) {
  process.stderr.write(`freshdex set-up: ${text}\n`)
}

/** Paths relative to the repository, sorted, of the files below `folder` whose name matches. */
export function filesBelow(folder, pattern) {
  const start = path.join(root, folder)
  if (!existsSync(start)) return []
  return readdirSync(start, { recursive: true })
    .filter((name) => pattern.test(name))
    .map((name) => path.join(folder, name))
    .sort()
}

export function digest(files, ...facts) {
  const hash = createHash('sha256').update(JSON.stringify(facts))
  for (const file of files) hash.update(`\n${file}\n`).update(readFileSync(path.join(root, file)))
  return hash.digest('hex')
}

export function stampFits(stamp, value) {
  const file = path.join(root, stamp)
  return existsSync(file) && readFileSync(file, 'utf8') === value
}

export function writeStamp(stamp, value) {
  const file = path.join(root, stamp)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, value)
}

/**
 * Runs a program in the repository. Its output goes to our stderr, with `isQuiet` only if it fails. Throws StepFailed with
 * `failure` when it does.
 */
export function run(program, args, failure, { isQuiet = false } = {}) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2],
    maxBuffer: Number.POSITIVE_INFINITY,
    shell: process.platform === 'win32' && !path.isAbsolute(program),
  })
  if (isQuiet && status !== 0)
    process.stderr.write(Buffer.concat([stdout ?? Buffer.alloc(0), stderr ?? Buffer.alloc(0)]))
  if (error) throw new StepFailed(`${failure}: ${error.message}`)
  if (status !== 0) throw new StepFailed(failure)
}

/** Does the work and ends the process with one line, not a stack, when a step fails. */
export async function runSteps(work) {
  try {
    requireNode()
    await work()
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    say(error.message)
    process.exit(1)
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new StepFailed(`Node 20.19 or newer is needed, this is ${process.version}`)
  }
}
