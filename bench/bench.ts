/** What a benchmark is: one question, the options that shape it, and a run that answers it. */
import { basename } from 'node:path'

/** An option of one benchmark: a positive count, one of some words, or several of them with commas between. */
export type OptionSpec =
  | { readonly kind: 'count'; readonly default: number; readonly help: string }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default: string; readonly help: string }
  | { readonly kind: 'names'; readonly choices: readonly string[]; readonly default: string; readonly help: string }
  | { readonly kind: 'folder'; readonly default: string; readonly help: string }

export interface Bench {
  readonly name: string
  readonly question: string
  readonly options: Readonly<Record<string, OptionSpec>>
  /** It makes its own data: --data is not asked for, and the result is named 'generated'. */
  readonly isGenerated?: true
  /** Its data set is one large collection, not the snapshots of a site; 'too': either of the two. */
  readonly takesCollection?: true | 'too'
  run(request: BenchRequest): Promise<Outcome>
}

export interface Outcome {
  /** The answer, ready for JSON. */
  readonly result: object
  /** False when the run disproved what the benchmark claims: the exit code says so. */
  readonly isClaimKept: boolean
  /** Programs that took part beside Node, by name. */
  readonly programs?: Readonly<Record<string, string>>
  /** An SVG, saved beside the result. */
  readonly plot?: string
}

/** The caller asked for something that cannot be done; the message says what to do. Exit code 2. */
export class Misuse extends Error {}

/** One call from the command line, its options checked. */
export class BenchRequest {
  readonly folder: string
  readonly #values: ReadonlyMap<string, number | string>

  constructor(folder: string, values: ReadonlyMap<string, number | string>) {
    this.folder = folder
    this.#values = values
  }

  /** The data set by name: where it lies is no part of a result. */
  get dataset(): string {
    return basename(this.folder)
  }

  get values(): Readonly<Record<string, number | string>> {
    return Object.fromEntries(this.#values)
  }

  count(name: string): number {
    return this.#values.get(name) as number
  }

  word<T extends string>(name: string): T {
    return this.#values.get(name) as T
  }

  names(name: string): string[] {
    return this.word(name).split(',')
  }

  /** To stderr: stdout holds the result only. */
  progress(text: string): void {
    process.stderr.write(`bench: ${text}\n`)
  }
}
