/** A process that writes until it is killed, and what it had said by then. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { codeOf, type Position, positionOf } from './steps.mjs'

/** When to kill: this long after it started, was about to open, or had that many steps acknowledged. */
export interface Moment {
  readonly after: 'start' | 'ready' | number
  readonly delayMs: number
}

export interface Said {
  readonly ready: boolean
  /** Where the last step led that was, or undefined. */
  readonly acknowledged: Position | undefined
  readonly sent: Position | undefined
}

export interface WriterArguments {
  readonly folder: string
  readonly seed: number
  readonly durability: 'power' | 'process'
  readonly from: Position
}

export class DoomedWriter {
  readonly #child: ChildProcess
  #output = ''
  #errors = ''
  #acknowledged = 0

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** Runs a writer and kills it at the moment given. Throws when it ends by itself. */
  static async run({ folder, seed, durability, from }: WriterArguments, moment: Moment): Promise<Said> {
    const script = fileURLToPath(new URL('writer-child.mjs', import.meta.url))
    const child = spawn(process.execPath, [script, folder, String(seed), durability, String(codeOf(from))], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return new DoomedWriter(child).#doom(moment)
  }

  async #doom({ after, delayMs }: Moment): Promise<Said> {
    const child = this.#child
    const closed = once(child, 'close')
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text
    })
    let isDoomed = false
    const doom = () => {
      if (isDoomed) return
      isDoomed = true
      setTimeout(() => child.kill('SIGKILL'), delayMs)
    }
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text
      this.#acknowledged += text.match(/^a /gm)?.length ?? 0
      if (after === 'ready' || (typeof after === 'number' && this.#acknowledged >= after)) doom()
    })
    if (after === 'start') doom()
    const [code, signal] = await closed
    if (signal !== 'SIGKILL') throw new Error(`the writer ended by itself: ${code} ${signal}\n${this.#errors}`)
    return this.#said()
  }

  #said(): Said {
    const last = (letter: string) => {
      const lines = this.#output.split('\n').filter((line) => line.startsWith(`${letter} `))
      return lines.length === 0 ? undefined : positionOf(Math.max(...lines.map((line) => Number(line.slice(2)))))
    }
    return { ready: this.#output.startsWith('r'), acknowledged: last('a'), sent: last('s') }
  }
}
