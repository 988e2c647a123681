import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import type { Writable } from 'node:stream'
import { command } from '../command.js'
import { type Document, withReader } from '../index-access.js'
import { flag, INDEX_FOLDER, optional, UsageError } from '../options.js'
import { type Outcome, toJson, writeLines } from '../output/output.js'
import { withProgress } from '../output/progress.js'
import { byteSize, count, duration } from '../output/wording.js'

export const exportDocuments = command({
  name: 'export',
  summary: 'all stored documents of one moment, one line of JSON each',
  args: [INDEX_FOLDER],
  options: {
    out: optional('<file>', 'write to this new file, not to standard output'),
    json: flag('print one JSON document that tells what was written; needs --out'),
  },
  examples: ['freshdex export pages.idx | gzip > pages.jsonl.gz', 'freshdex export pages.idx --out pages.jsonl'],
  async run([dir], { out, json }) {
    if (out !== undefined) return exportToFile(dir, out)
    if (json) throw new UsageError('--json needs --out: standard output has the documents')
    await withReader(dir, (index) => writeDocuments(process.stdout, index.documents()))
    return {}
  },
})

async function exportToFile(dir: string, file: string): Promise<Outcome> {
  const start = performance.now()
  const written = await withReader(dir, async (index) => {
    const stream = createWriteStream(file, { flags: 'wx' })
    await once(stream, 'open')
    try {
      const written = await withProgress(index.stats().documents, 'documents', (update) => {
        return writeDocuments(stream, index.documents(), (done) => update({ part: done, things: done }))
      })
      stream.end()
      await once(stream, 'close')
      return written
    } catch (error) {
      // Half of an export looks like a whole one.
      stream.destroy()
      rmSync(file, { force: true })
      throw error
    }
  })
  const elapsedMs = performance.now() - start
  const size = `${count(written.documents, 'document')}, ${byteSize(written.bytes)}`
  return {
    json: { path: file, ...written, elapsedMs },
    text: `${size}, written to ${file}; ${duration(elapsedMs)}`,
  }
}

async function writeDocuments(stream: Writable, all: Iterable<Document>, onWritten?: (documents: number) => void) {
  let documents = 0
  const lines = function* () {
    for (const document of all) {
      documents++
      if (documents % 1000 === 0) onWritten?.(documents)
      yield toJson(document)
    }
  }
  const bytes = await writeLines(stream, lines())
  return { documents, bytes }
}
