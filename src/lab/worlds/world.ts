/** A world that changes: what it holds at its first step, and what every later step changes. */
import { FreshdexError } from '../../base/errors.js'

export interface WorldPage {
  readonly url: string
  readonly title: string
  readonly text: string
}

export interface WorldStep {
  /** Grows from step to step. */
  readonly atMs: number
  /** Pages that are new or differ from their version before; all pages in the first step. No page twice. */
  readonly versions: readonly WorldPage[]
  /** Pages of the step before that are no longer there. */
  readonly gone: readonly string[]
}

/** A world that is told step by step, and can be told again from its start. */
export type World = AsyncIterable<WorldStep>

/** An error that says that the content of a file is not what its format says. */
export function damaged(file: string, message: string, cause?: unknown): FreshdexError {
  return new FreshdexError('CORRUPT', `${file}: ${message}`, { detail: { file }, cause })
}

/** The same for one line of a file; the first line is 1. */
export function damagedLine(file: string, line: number, message: string, cause?: unknown): FreshdexError {
  return new FreshdexError('CORRUPT', `line ${line} of ${file}: ${message}`, { detail: { file, line }, cause })
}

/** The failure of a system call or of a decompressor, said of a file. */
export function unreadable(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof FreshdexError) return error
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code.startsWith('Z_')) return damaged(file, `it is damaged: ${error.message}`, error)
  const message = code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read: ${error.message}`
  return new FreshdexError('IO', message, { detail: { file }, cause: error })
}
