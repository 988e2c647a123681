/**
 * Claim: an index that took in every version of every page, week by week, cannot be told from one built from the last
 * versions alone: statistics, totals, scores and document frequencies are the same, before and after compact().
 */
import { Freshdex, type PresetName } from 'freshdex'
import { type Asked, chooseQueries } from './answer-comparison.js'
import type { Bench } from './bench.js'
import { compareStates, compareStored, replayWeeks } from './index-comparison.js'
import { ANALYZER, inBatches, type Page, pageOptions, readHistory, readQueries } from './snapshot-data.js'

const BATCH = 500
const EXAMPLES = 10

export const replay: Bench = {
  name: 'replay',
  question: 'Does an index that saw every page version answer like one built from the last versions?',
  options: {
    queries: { kind: 'count', default: 2000, help: 'as AND; fewer as OR, phrase, prefix and fuzzy' },
    analyzer: ANALYZER,
  },

  async run(request) {
    const history = await readHistory(request.folder)
    const settings = pageOptions(request.word<PresetName>('analyzer'))
    const replayed = await Freshdex.open<Page>(':memory:', settings)
    const fresh = await Freshdex.open<Page>(':memory:', settings)
    await replayWeeks(request, replayed, history)
    for (const put of inBatches(history.final, BATCH)) await fresh.write({ put })
    request.progress(`replayed ${history.versions} versions; comparing`)

    const asked = chooseQueries(fresh, await readQueries(request.folder), request.count('queries'))
    const differences = compareStored(replayed, history)
    differences.push(...(await compareStates({ replayed, fresh }, asked)))
    await replayed.compact()
    await fresh.compact()
    differences.push(
      ...(await compareStates({ replayed, fresh }, asked)).map((difference) => `compacted: ${difference}`),
    )
    if (replayed.stats().postings !== fresh.stats().postings) differences.push('compacted: number of postings')
    const result = {
      pages: history.final.length,
      weeks: history.weeks.length,
      versions: history.versions,
      queries: asked.length,
      queriesByKind: countBy(asked),
      differences: differences.length,
      stats: fresh.stats(),
      ...(differences.length > 0 ? { examples: differences.slice(0, EXAMPLES) } : {}),
    }
    await replayed.close()
    await fresh.close()
    return { result, isClaimKept: differences.length === 0 }
  },
}

function countBy(asked: readonly Asked[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind } of asked) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
