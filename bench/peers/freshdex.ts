/** freshdex among the peers: through its JavaScript API, as users have it. */
import path from 'node:path'
import type { Query } from 'freshdex'
import { toQuery } from '../class-queries.js'
import { describeCommit } from '../machine.js'
import { BEST, COUNT_LIMIT } from '../peer-contract.js'
import { buildTextIndex, openTextIndex } from '../text-index.js'
import { drive } from './driver.js'

const folderOf = (folder: string) => path.join(folder, 'index')

await drive<{ readonly query: Query; readonly countUpTo: number }>({
  version: describeCommit().commit,

  build: (folder, pages) => buildTextIndex(folderOf(folder), pages),

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
