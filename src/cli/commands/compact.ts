import { performance } from 'node:perf_hooks'
import type { Command } from 'commander'
import type { Stats } from '../../index.js'
import { addExamples, folder, withIndex } from '../command.js'
import { print, printJson } from '../output/output.js'
import { byteSize, count, duration, thousands } from '../output/wording.js'

export function addCompactCommand(program: Command): void {
  const command = program
    .command('compact')
    .description('fold pending changes into the base of an index; results stay the same')
    .argument('<dir>', 'the folder of the index', folder)
    .option('--json', 'print one JSON document', false)
    .action(async (dir: string, { json }: { json: boolean }) => {
      const start = performance.now()
      const { before, after } = await withIndex(dir, {}, async (index) => {
        const before = extent(index.stats())
        await index.compact()
        return { before, after: extent(index.stats()) }
      })
      const elapsedMs = performance.now() - start
      if (json) printJson({ before, after, elapsedMs })
      else print(`before: ${tell(before)}\nafter:  ${tell(after)}; ${duration(elapsedMs)}`)
    })
  addExamples(command, 'freshdex compact pages.idx')
}

interface Extent {
  readonly pendingPostings: number
  readonly segments: number
  readonly segmentBytes: number
  readonly logBytes: number
}

function extent({ pendingPostings, disk }: Stats): Extent {
  const { segments = 0, segmentBytes = 0, logBytes = 0 } = disk ?? {}
  return { pendingPostings, segments, segmentBytes, logBytes }
}

function tell({ pendingPostings, segments, segmentBytes, logBytes }: Extent): string {
  return `${thousands(pendingPostings)} pending changes, ${count(segments, 'segment')} of ${byteSize(segmentBytes)}, log of ${byteSize(logBytes)}`
}
