/** A writer in a process of its own, and how far it has come. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export class WriterProcess {
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown[]>
  #errors = ''
  #rest = ''
  #waiting: (() => void)[] = []
  /** The last generation that was acknowledged. */
  acknowledged = 0
  isRunning = true

  /** Up to `last`; without it until it is killed. */
  constructor(folder: string, last = Number.POSITIVE_INFINITY) {
    const script = fileURLToPath(new URL('writer-child.mjs', import.meta.url))
    this.#child = spawn(process.execPath, [script, folder, String(last)], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#closed = once(this.#child, 'close').then((ending) => {
      this.isRunning = false
      this.#wake()
      return ending
    })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text
    })
  }

  /** Resolves when it has come this far, or has ended. */
  async reaches(generation: number): Promise<void> {
    while (this.isRunning && this.acknowledged < generation) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    if (this.acknowledged < generation) throw new Error(`the writer ended at ${this.acknowledged}\n${this.#errors}`)
  }

  /** Resolves when the process is gone: all it said has been read by then. */
  async ends(): Promise<void> {
    const [code, signal] = await this.#closed
    if (code !== 0) throw new Error(`the writer ended with ${code} ${signal}\n${this.#errors}`)
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#closed
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    this.acknowledged = Math.max(this.acknowledged, ...lines.map(Number))
    this.#wake()
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
