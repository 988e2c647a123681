import { Freshdex } from '../freshdex.js'
import type { OpenOptions, ReopenOptions } from '../options.js'
import { asUsage } from './usage-error.js'

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
