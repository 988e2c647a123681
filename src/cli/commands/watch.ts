import type { RecentWrite } from '../../index.js'
import { command } from '../command.js'
import { withReader } from '../index-access.js'
import { SPAN_RULE } from '../input/values.js'
import { flag, INDEX_FOLDER, integer, optional, span } from '../options.js'
import { suspendClock } from '../output/clock.js'
import { print, toJson } from '../output/output.js'
import { writtenLines } from '../output/written-lines.js'

export const watch = command({
  name: 'watch',
  summary: 'writes of another process as they come: what each did to the answers, one line a page',
  args: [INDEX_FOLDER],
  options: {
    for: optional('<span>', `end after this time: ${SPAN_RULE} (default: with Ctrl-C)`, span),
    writes: optional('<n>', 'end after so many writes', integer(1)),
    last: flag('begin with the writes that the index remembers, up to 256'),
    jsonl: { ...flag('print each write as a line of JSON, as it comes'), conflicts: ['json'] },
    json: flag('print one JSON document at the end'),
  },
  examples: [
    'freshdex watch pages.idx',
    'freshdex watch pages.idx --last --for 1s',
    'freshdex watch pages.idx --writes 100 --jsonl > writes.jsonl',
  ],
  async run([dir], { for: forMs, writes: most = Number.POSITIVE_INFINITY, last, json, jsonl }) {
    const stop = new AbortController()
    const end = () => stop.abort()
    // Ctrl-C is how one stops watching: that is no failure.
    process.once('SIGINT', end)
    const timer = forMs === undefined ? undefined : setTimeout(end, forMs)
    const watched: RecentWrite[] = []
    suspendClock()
    try {
      await withReader(dir, async (index) => {
        const from = last ? { after: 0 } : {}
        let number = 0
        for await (const write of index.refresh.watch({ ...from, signal: stop.signal })) {
          if (json) watched.push(write)
          else if (jsonl) print(toJson(write))
          else for (const line of writtenLines(write)) print(line)
          if (++number >= most) break
        }
      })
    } finally {
      clearTimeout(timer)
      process.off('SIGINT', end)
    }
    return json ? { json: { writes: watched } } : {}
  },
})
