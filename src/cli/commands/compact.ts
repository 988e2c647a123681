import { performance } from 'node:perf_hooks'
import type { Stats } from '../../index.js'
import { command } from '../command.js'
import { withIndex } from '../index-access.js'
import { INDEX_FOLDER } from '../options.js'
import { byteSize, count, duration, thousands } from '../output/wording.js'

export const compact = command({
  name: 'compact',
  summary: 'fold pending changes into the base of an index; results stay the same',
  args: [INDEX_FOLDER],
  examples: ['freshdex compact pages.idx'],
  async run([dir]) {
    const start = performance.now()
    const { before, after } = await withIndex(dir, {}, async (index) => {
      const before = extentOf(index.stats())
      await index.compact()
      return { before, after: extentOf(index.stats()) }
    })
    const elapsedMs = performance.now() - start
    return {
      json: { before, after, elapsedMs },
      text: `before: ${extentText(before)}\nafter:  ${extentText(after)}; ${duration(elapsedMs)}`,
    }
  },
})

function extentOf({ pendingPostings, disk }: Stats) {
  const { segments = 0, segmentBytes = 0, logBytes = 0 } = disk ?? {}
  return { pendingPostings, segments, segmentBytes, logBytes }
}

function extentText({ pendingPostings, segments, segmentBytes, logBytes }: ReturnType<typeof extentOf>): string {
  return [
    `${thousands(pendingPostings)} pending changes`,
    `${count(segments, 'segment')} of ${byteSize(segmentBytes)}`,
    `log of ${byteSize(logBytes)}`,
  ].join(', ')
}
