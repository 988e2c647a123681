import { type Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_POLICY, Freshdex, type OpenOptions, POLICY_NAMES, type ReopenOptions } from '../index.js'
import { IN_MEMORY } from '../storage/open.js'

/** What a line of JSON may hold; the index checks the rest. */
export type Document = Record<string, unknown>

/** Opens the index of a folder, and closes it whatever happens. */
export async function withIndex<T>(
  path: string,
  options: OpenOptions<Document> | ReopenOptions<Document>,
  use: (index: Freshdex<Document>) => T | Promise<T>,
): Promise<T> {
  const index = await asUsage(() => Freshdex.open<Document>(path, options))
  try {
    return await use(index)
  } finally {
    await index.close()
  }
}

/** For commands that only look: they neither wait for a writer nor keep one out. */
export function withReader<T>(path: string, use: (index: Freshdex<Document>) => T | Promise<T>): Promise<T> {
  return withIndex(path, { readOnly: true }, use)
}

/** For commands that refresh: what comes in is reviewed by what a plan would have promised now. */
export function withReviewedIndex<T>(
  path: string,
  options: OpenOptions<Document> | ReopenOptions<Document>,
  use: (index: Freshdex<Document>) => T | Promise<T>,
): Promise<T> {
  return withIndex(path, options, (index) => {
    index.refresh.next({ budget: 0 })
    return use(index)
  })
}

/** The command was called wrongly: exit status 2. */
export class UsageError extends Error {}

/**
 * The library refuses wrong arguments with TypeError and RangeError; where they come from the command line, the user is
 * told so.
 */
export async function asUsage<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

/** Examples below the help of a command, a line each. */
export function addExamples(command: Command, ...lines: readonly string[]): void {
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}

/** Readers of arguments and option values, as commander calls them. */

export function integer(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= low && value <= high) return value
    throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`)
  }
}

/** A decimal number of at least `low`, or above it. */
export function amount(low: number, isAbove = false): (text: string) => number {
  return (text) => {
    const value = Number(text)
    const isNumber = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && value < Number.POSITIVE_INFINITY
    if (isNumber && (isAbove ? value > low : value >= low)) return value
    throw new InvalidArgumentError(`It must be a number ${isAbove ? 'above' : 'of at least'} ${low}.`)
  }
}

/** The folder of an index. An index in memory would be gone with the process. */
export function folder(text: string): string {
  if (text === '' || text === IN_MEMORY) throw new InvalidArgumentError('It must be the path of a folder.')
  return text
}

/** `title,body` */
export function nameList(text: string): readonly string[] {
  const names = text.split(',')
  if (names.includes('')) throw new InvalidArgumentError('It must be names with commas between them.')
  return names
}

export function policyOption(): Option {
  return new Option('--policy <name>', 'what makes a document worth a refresh, see freshdex policies')
    .choices(POLICY_NAMES)
    .default(DEFAULT_POLICY)
}
