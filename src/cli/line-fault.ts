/** A line of an input that cannot be taken, and why. */
export interface LineFault {
  readonly source: string
  readonly line: number
  readonly message: string
  /** When the index refused it for a reason that has a code. */
  readonly code?: string
}

/** A fault that ended a command. */
export class LineRefused extends Error {
  readonly code: string | undefined

  constructor({ source, line, message, code }: LineFault) {
    super(`line ${line} of ${source}: ${message}`)
    this.code = code
  }
}
