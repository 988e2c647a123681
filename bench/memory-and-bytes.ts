/**
 * What an index takes on disk, by what it is for, and in memory: with nothing stored, with a prioritizer beside, and
 * with the pages stored. Each is built and asked in processes of their own. Where Lucene's jars are, its index of the
 * same pages is beside, with its default compression, its StandardAnalyzer and positions.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Bench, type BenchRequest, Misuse } from './bench.js'
import { runProgram } from './child-process.js'
import { bytesOnDisk, folderBytes } from './folder-bytes.js'
import { readTextPages } from './large-collection.js'
import { findLuceneJars, type LuceneSizes, sizeOfLucene } from './lucene-peer.js'
import type { MemoryReport, MemorySpec } from './memory-process.js'

const KINDS = {
  'nothing stored': { stores: false, hasPrioritizer: false },
  'nothing stored, with a prioritizer': { stores: false, hasPrioritizer: true },
  'pages stored': { stores: true, hasPrioritizer: false },
}

export const memory: Bench = {
  name: 'memory',
  question: 'What does an index take on disk, by what it is for, and in memory after loading and after queries?',
  options: {
    pages: { kind: 'count', default: 100_000, help: 'the first pages of the collection' },
    queries: { kind: 'count', default: 10_000, help: 'asked of the index that stores nothing' },
    jars: { kind: 'folder', default: '/usr/share/java', help: 'where the jars of Lucene are' },
  },
  takesCollection: true,

  async run(request) {
    const work = mkdtempSync(path.join(tmpdir(), 'freshdex-memory-'))
    try {
      const sizes: Record<string, object> = {}
      for (const [name, options] of Object.entries(KINDS)) {
        request.progress(name)
        const index = path.join(work, 'index')
        sizes[name] = measureOne(request, index, options)
        rmSync(index, { recursive: true })
      }
      const lucene = await luceneSizes(request)
      const result = { pages: request.count('pages'), ...sizes, ...(lucene === undefined ? {} : { lucene }) }
      return { result, isClaimKept: true }
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  },
}

function measureOne(request: BenchRequest, index: string, options: (typeof KINDS)[keyof typeof KINDS]): object {
  const place = { index, pages: request.folder }
  const run = (spec: MemorySpec) => runProgram<MemoryReport>('memory-process', spec)
  const built = run({ work: 'build', ...place, most: request.count('pages'), ...options })
  const bytes = folderBytes(index)
  const onDisk = bytesOnDisk(index)
  const asked = run({ work: 'ask', ...place, queries: request.count('queries') })
  return { textBytes: built.textBytes, onDisk, bytes, afterLoad: built.after, opened: asked.opened, asked: asked.after }
}

/** Nothing where there is no Lucene. */
async function luceneSizes(request: BenchRequest): Promise<LuceneSizes | undefined> {
  let jars: string[]
  try {
    jars = findLuceneJars(request.word('jars'))
  } catch (error) {
    if (error instanceof Misuse) return undefined
    throw error
  }
  request.progress('Lucene')
  const pages: { url: string; title: string; text: string }[] = []
  for await (const { url, text } of readTextPages(request.folder, request.count('pages')))
    pages.push({ url, title: '', text })
  return sizeOfLucene(jars, pages)
}
