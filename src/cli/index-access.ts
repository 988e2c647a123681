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

/**
 * For commands that go by what was learnt: if searches of other processes have left something, and no other process
 * writes, it is taken over first. A process that writes does so within seconds by itself.
 */
export async function withLearnt<T>(path: string, use: Use<T>): Promise<T> {
  if (await withReader(path, (index) => index.stats().workload.waiting > 0)) await takeOver(path)
  return withReader(path, use)
}

async function takeOver(path: string): Promise<void> {
  try {
    const index = await openIndex(path, {})
    try {
      await index.workload.flush()
      // Curves of the new queries, and with them stakes, are kept with the index.
      await index.refresh.fit()
    } finally {
      await index.close()
    }
  } catch (error) {
    if (!(error instanceof FreshdexError && ['LOCKED', 'IO', 'BUSY', 'DISK_FULL'].includes(error.code))) throw error
  }
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
    const message = error instanceof FreshdexError ? openingText(error) : undefined
    if (message === undefined) throw error
    const { code, detail } = error as FreshdexError
    throw new FreshdexError(code, message, { detail, cause: error })
  }
}

/** Why it cannot be opened and what to do, in the words of the command line; undefined: as the library says it. */
function openingText({ code, message, detail }: FreshdexError): string | undefined {
  const { path } = detail
  if (code === 'NOT_FOUND') {
    return `there is no index at '${path}'; to make one, run freshdex index with --key and --field`
  }
  if (code === 'LOCKED') {
    return `${message}: commands that write wait for nobody, so try again when that program has closed the index`
  }
  if (code === 'CORRUPT') {
    return `${message}; freshdex salvage makes a new index of what is intact`
  }
  // Fields to add whose documents cannot be analysed again: what is missing is in the message.
  if (code !== 'MISMATCH' || detail.missing !== undefined) return undefined
  const flag = MISMATCHED[String(detail.option)]
  if (detail.given === 'none' && detail.option === 'analyzer') {
    return `the index '${path}' was made by a program with the analyzer "${detail.stored}", which only that program has`
  }
  if (flag === undefined) return undefined
  const has = detail.stored === 'none' ? `no ${flag}` : `${flag} ${detail.stored}`
  const said = detail.given === 'none' ? 'without it' : `with ${detail.given}`
  return `the index '${path}' was made with ${has}, this command says ${said}; leave ${flag} out, or make another index`
}

/** The flags that say what an index is, by what the library calls it. */
const MISMATCHED: Readonly<Record<string, string>> = {
  key: '--key',
  fields: '--field',
  analyzer: '--analyzer',
  'scoring.weight': '--weight',
}
