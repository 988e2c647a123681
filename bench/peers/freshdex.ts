/** freshdex among the peers: through its JavaScript API, as users have it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Freshdex, type Query } from 'freshdex'
import { toQuery } from '../class-queries.js'
import type { TextPage } from '../large-collection.js'
import { describeCommit } from '../machine.js'
import { BEST, COUNT_LIMIT } from '../peer-contract.js'
import { untilIdle } from '../process-cpu.js'
import type { TextWrite } from '../replacing/write-sections.js'
import { buildTextIndex, openTextIndex } from '../text-index.js'
import { drive } from './driver.js'

const folderOf = (folder: string) => path.join(folder, 'index')
const queriesOf = (folder: string) => path.join(folder, 'queries')
const BATCH = 1000

/** Everything of the prioritizer is on where there are queries, and off where there are none. */
function openForWriting(folder: string, asked: readonly string[]): Promise<Freshdex<TextPage>> {
  const measures = asked.length > 0
  return Freshdex.open<TextPage>(folderOf(folder), {
    ...{ key: 'url', fields: { text: {} }, analyzer: 'english', store: false, prioritizer: measures },
    ...(measures ? { workload: { maxQueries: asked.length } } : {}),
  })
}

async function prepare(folder: string, pages: Iterable<TextPage>, asked: readonly string[]): Promise<void> {
  const index = await openForWriting(folder, asked)
  if (asked.length > 0) await index.workload.load(asked.map((query) => [query, 1]))
  await index.load(pages, { batch: BATCH })
  await index.compact()
  if (asked.length > 0) await index.refresh.fit()
  await index.close()
  if (asked.length > 0) writeFileSync(queriesOf(folder), asked.join('\n'))
}

async function openWriter(folder: string) {
  const asked = existsSync(queriesOf(folder)) ? readFileSync(queriesOf(folder), 'utf8').split('\n') : []
  const index = await openForWriting(folder, asked)
  await untilIdle()
  return {
    write: async (write: TextWrite) => void (await index.write(write)),
    async settle() {
      await index.write({})
      await untilIdle()
    },
    close: () => index.close(),
  }
}

await drive<{ readonly query: Query; readonly countUpTo: number }>({
  version: describeCommit().commit,

  build: (folder, pages, options) => buildTextIndex(folderOf(folder), pages, options),

  writing: { prepare, open: openWriter },

  async open(folder) {
    const index = await openTextIndex(folderOf(folder))
    return {
      questionOf: (kind, words, counting) => ({
        query: toQuery({ kind, words }),
        countUpTo: counting === 'exact' ? Number.POSITIVE_INFINITY : COUNT_LIMIT,
      }),
      answer({ query, countUpTo }) {
        const { total, hits } = index.search(query, { limit: BEST, countUpTo })
        return { total, keys: hits.map(({ key }) => key) }
      },
    }
  },
})
