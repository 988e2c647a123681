/** What people ask in the world of a snapshot folder. */
import path from 'node:path'
import { readQueryLines } from '../../workload/query-lines.js'
import type { AskedQuery } from '../generated-workload.js'
import { fileLines } from './file-lines.js'
import { QUERIES_FILE } from './snapshot-format.js'
import { damaged } from './world-fault.js'

/** In the order of the file, which by its format is the most frequent first. `name` chooses another log of the folder. */
export async function readFolderQueries(folder: string, name: string = QUERIES_FILE): Promise<AskedQuery[]> {
  const file = path.join(folder, name)
  const queries: AskedQuery[] = []
  try {
    for await (const { text, count } of readQueryLines(texts(file))) queries.push({ query: text, count })
  } catch (error) {
    if (error instanceof RangeError) throw damaged(file, error.message, error)
    throw error
  }
  if (queries.length === 0) throw damaged(file, 'it holds no query')
  return queries
}

async function* texts(file: string): AsyncGenerator<string> {
  let line = 0
  for await (const { number, text } of fileLines(file)) {
    // Blank lines count.
    for (line++; line < number; line++) yield ''
    yield text
  }
}
