/** A process that searches an index as it is told, for tests of what it teaches: see learning-child.mjs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('learning-child.mjs', import.meta.url))

export class SearchingProcess {
  readonly #child: ChildProcess
  readonly #answers: AsyncIterator<string>
  readonly #ended: Promise<number | null>

  private constructor(folder: string, options: object) {
    this.#child = spawn(process.execPath, [SCRIPT, folder, JSON.stringify(options)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#answers = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]()
    this.#ended = new Promise((resolve) => this.#child.once('exit', (code) => resolve(code)))
    // A process that was killed reads no more.
    this.#child.stdin!.on('error', () => {})
  }

  static async start(folder: string, options: object): Promise<SearchingProcess> {
    const child = new SearchingProcess(folder, options)
    await child.#next()
    return child
  }

  async #next(): Promise<unknown> {
    const { value, done } = await this.#answers.next()
    return done ? undefined : JSON.parse(value)
  }

  /** The answer; undefined from a process that has ended. */
  ask(command: string): Promise<unknown> {
    this.#child.stdin!.write(`${command}\n`)
    return this.#next()
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  /** Lets it end by itself; gives its exit status. */
  leave(): Promise<number | null> {
    this.#child.stdin!.write('leave\n')
    this.#child.stdin!.end()
    return this.#ended
  }
}
