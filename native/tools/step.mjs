/**
 * What the set-up steps share. A step writes a stamp, a digest of what it read, and is skipped as long as the stamp
 * still fits. Digests are of contents, not times, so that switching branches back and forth or deleting a file is
 * understood too.
 *
 * stdout belongs to the program that runs after the set-up; everything here goes to stderr.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))

export class StepFailed extends Error {}

/** What is under way: a line per step that begins; on a terminal one line that counts the seconds. */
class Progress {
  #running = new Map()
  #begun = performance.now()
  #hasBegun = false
  #timer
  #isTerminal = process.stderr.isTTY === true

  /** Does the work; `text` says what it is, as in "compiling SQLite". */
  async during(text, work) {
    const key = Symbol(text)
    this.#hasBegun = true
    this.#running.set(key, text)
    if (this.#isTerminal) {
      this.#timer ??= setInterval(() => this.#draw(), 1000).unref()
      this.#draw()
    } else {
      this.say(`${text} …`)
    }
    try {
      return await work()
    } finally {
      this.#running.delete(key)
      if (this.#isTerminal) this.#draw()
    }
  }

  /** Says how long it all took, if there was anything to do. */
  finish() {
    if (this.#hasBegun) this.say(`done after ${this.#seconds()} s`)
  }

  say(text) {
    this.#erase()
    process.stderr.write(`freshdex set-up: ${text}\n`)
  }

  /** Shows what a program printed. */
  pass(output) {
    this.#erase()
    process.stderr.write(output)
  }

  #draw() {
    this.#erase()
    if (this.#running.size === 0) return
    const line = `freshdex set-up: ${[...this.#running.values()].join(', ')} … ${this.#seconds()} s`
    process.stderr.write(line.slice(0, Math.max(20, (process.stderr.columns || 80) - 1)))
  }

  #seconds() {
    return Math.round((performance.now() - this.#begun) / 1000)
  }

  #erase() {
    if (this.#isTerminal) process.stderr.write('\r\x1b[K')
  }
}

export const progress = new Progress()

/** Paths relative to the repository, sorted, of the files below `folder` whose name matches. */
export function filesBelow(folder, pattern) {
  const start = path.join(root, folder)
  if (!existsSync(start)) return []
  return readdirSync(start, { recursive: true })
    .filter((name) => pattern.test(name))
    .map((name) => path.join(folder, name))
    .filter((file) => !/^native\/build\/|\/\.build\//.test(file))
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
 * Runs a program in the repository. What it prints is shown only if it fails, on stderr; then StepFailed is thrown with
 * `failure`.
 */
export async function run(program, args, failure) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => child.kill()
  process.once('exit', kill)
  const output = []
  child.stdout.on('data', (bytes) => output.push(bytes))
  child.stderr.on('data', (bytes) => output.push(bytes))
  try {
    const [status] = await once(child, 'close')
    if (status === 0) return
  } catch (error) {
    throw new StepFailed(`${failure}: ${error.message}`)
  } finally {
    process.off('exit', kill)
  }
  progress.pass(Buffer.concat(output))
  throw new StepFailed(failure)
}

/** Does the work and ends the process with one line, not a stack, when a step fails. */
export async function runSteps(work) {
  try {
    requireNode()
    await work()
    progress.finish()
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    progress.say(error.message)
    process.exit(1)
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new StepFailed(`Node 20.19 or newer is needed, this is ${process.version}`)
  }
}
