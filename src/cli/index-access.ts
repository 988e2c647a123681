/** Opening the index that a command is about. */
import { Freshdex, type OpenOptions, type ReopenOptions } from '../index.js'
import { asUsage } from './options.js'

/** What a line of JSON may hold; the index checks the rest. */
export type Document = Record<string, unknown>

type Use<T> = (index: Freshdex<Document>) => T | Promise<T>

/**
 * Opens the index of a folder, and closes it whatever happens. A TypeError or a RangeError of the index is an error of
 * usage: its arguments come from the command line.
 */
export async function withIndex<T>(
  path: string,
  options: OpenOptions<Document> | ReopenOptions<Document>,
  use: Use<T>,
): Promise<T> {
  const index = await asUsage(() => Freshdex.open<Document>(path, options))
  try {
    return await asUsage(() => use(index))
  } finally {
    await index.close()
  }
}

/** For commands that only look: they neither wait for a writer nor keep one out. */
export function withReader<T>(path: string, use: Use<T>): Promise<T> {
  return withIndex(path, { readOnly: true }, use)
}

/** For commands that refresh: what comes in is reviewed by what a plan would have promised now. */
export function withReviewedIndex<T>(
  path: string,
  options: OpenOptions<Document> | ReopenOptions<Document>,
  use: Use<T>,
): Promise<T> {
  return withIndex(path, options, (index) => {
    index.refresh.next({ budget: 0 })
    return use(index)
  })
}
