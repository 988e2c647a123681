/** Opening the index that a command is about. */
import { Freshdex, FreshdexError, type OpenOptions, type ReopenOptions } from '../index.js'
import { asUsage } from './options.js'

/** What a line of JSON may hold; the index checks the rest. */
export type Document = Record<string, unknown>

type Options = OpenOptions<Document> | ReopenOptions<Document>
type Use<T> = (index: Freshdex<Document>) => T | Promise<T>

/** Opens the index of a folder, and closes it whatever happens. Options that it refuses are an error of usage. */
export async function withIndex<T>(path: string, options: Options, use: Use<T>): Promise<T> {
  const index = await asUsage(() => openIndex(path, options))
  try {
    return await use(index)
  } finally {
    await index.close()
  }
}

/**
 * For commands that only look: they neither wait for a writer nor keep one out. What the index refuses is an error of
 * usage, because all that it is asked comes from the command line.
 */
export function withReader<T>(path: string, use: Use<T>): Promise<T> {
  return withIndex(path, { readOnly: true }, (index) => asUsage(() => use(index)))
}

/** For commands that refresh: what they find is later reviewed by what a plan would have promised now. */
export function withReviewedIndex<T>(path: string, options: Options, use: Use<T>): Promise<T> {
  return withIndex(path, options, async (index) => {
    await index.refresh.next({ budget: 0, waitMs: 0 })
    return use(index)
  })
}

async function openIndex(path: string, options: Options): Promise<Freshdex<Document>> {
  try {
    return await Freshdex.open<Document>(path, options)
  } catch (error) {
    if (!(error instanceof FreshdexError) || error.code !== 'NOT_FOUND') throw error
    const { detail } = error
    const message = `there is no index at '${detail.path}'; to make one, run freshdex index with --key and --field`
    throw new FreshdexError('NOT_FOUND', message, { detail, cause: error })
  }
}
