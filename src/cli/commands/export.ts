import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import type { Writable } from 'node:stream'
import type { Command } from 'commander'
import { addExamples, type Document, folder, UsageError, withReader } from '../command.js'
import { CHUNK_LENGTH, print, printJson, toJson, writeWhole } from '../output/output.js'
import { byteSize, count, duration } from '../output/wording.js'

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .description('all stored documents of one moment, one line of JSON each')
    .argument('<dir>', 'the folder of the index', folder)
    .option('--out <file>', 'write to this new file, not to standard output')
    .option('--json', 'print one JSON document that tells what was written; needs --out', false)
    .action(async (dir: string, { out, json }: { out?: string; json: boolean }) => {
      if (out !== undefined) return exportToFile(dir, out, json)
      if (json) throw new UsageError('--json needs --out: standard output has the documents')
      await withReader(dir, (index) => writeLines(index.documents(), process.stdout))
    })
  addExamples(
    command,
    'freshdex export pages.idx | gzip > pages.jsonl.gz',
    'freshdex export pages.idx --out pages.jsonl',
  )
}

async function exportToFile(dir: string, file: string, json: boolean): Promise<void> {
  const start = performance.now()
  const written = await withReader(dir, async (index) => {
    const stream = createWriteStream(file, { flags: 'wx' })
    await once(stream, 'open')
    try {
      const written = await writeLines(index.documents(), stream)
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
  if (json) printJson({ path: file, ...written, elapsedMs })
  else
    print(
      `${count(written.documents, 'document')}, ${byteSize(written.bytes)}, written to ${file}; ${duration(elapsedMs)}`,
    )
}

async function writeLines(
  documents: Iterable<Document>,
  stream: Writable,
): Promise<{ readonly documents: number; readonly bytes: number }> {
  const written = { documents: 0, bytes: 0 }
  let chunk = ''
  for (const document of documents) {
    chunk += `${toJson(document)}\n`
    written.documents++
    if (chunk.length < CHUNK_LENGTH) continue
    written.bytes += await writeWhole(stream, chunk)
    chunk = ''
  }
  written.bytes += await writeWhole(stream, chunk)
  return written
}
