/**
 * Claim: an index that took in every version of every page, week by week, cannot be told from one built from the last
 * versions alone: statistics, totals, scores and document frequencies are the same, before and after compact().
 */
import { Freshdex, type PresetName, type Stats } from 'freshdex'
import { type Asked, chooseQueries, compareAnswers, compareFrequencies } from './answer-comparison.js'
import type { Bench, BenchRequest } from './bench.js'
import { ANALYZER, type History, inBatches, type Page, pageOptions, readHistory, readQueries } from './snapshot-data.js'

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

    const asked = chooseQueries(fresh, readQueries(request.folder), request.count('queries'))
    const differences = compareStored(replayed, history)
    differences.push(...(await compareStates(replayed, fresh, asked)))
    await replayed.compact()
    await fresh.compact()
    differences.push(...(await compareStates(replayed, fresh, asked)).map((difference) => `compacted: ${difference}`))
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

async function replayWeeks(request: BenchRequest, index: Freshdex<Page>, { weeks }: History): Promise<void> {
  for (const [number, { added, replaced, gone }] of weeks.entries()) {
    await index.write({ put: [...added, ...replaced], remove: gone })
    if (number % 12 === 0) request.progress(`week ${number} of ${weeks.length}`)
  }
}

async function compareStates(replayed: Freshdex<Page>, fresh: Freshdex<Page>, asked: Asked[]): Promise<string[]> {
  const differences: string[] = []
  for (const [name, index] of Object.entries({ replayed, fresh })) {
    const { ok, faults } = await index.check()
    if (!ok) differences.push(`check of the ${name} index: ${faults[0]?.invariant}: ${faults[0]?.message}`)
  }
  const [left, right] = [countsOf(replayed.stats()), countsOf(fresh.stats())]
  if (left !== right) differences.push(`statistics: ${left} and ${right}`)
  for (const query of asked) {
    const difference = compareAnswers(replayed, fresh, query) ?? compareFrequencies(replayed, fresh, query)
    if (difference !== undefined) differences.push(`${query.kind} ${query.text}: ${difference}`)
  }
  return differences
}

/** Every page gives back its last version, and no page that is gone gives anything. */
function compareStored(index: Freshdex<Page>, { weeks, final }: History): string[] {
  const last = new Map(final.map((page) => [page.url, page]))
  const urls = new Set(weeks.flatMap(({ added }) => added.map(({ url }) => url)))
  const isDifferent = (url: string) => {
    const [stored, page] = [index.get(url), last.get(url)]
    return stored?.title !== page?.title || stored?.text !== page?.text
  }
  return [...urls].filter(isDifferent).map((url) => `stored form of ${url}`)
}

function countsOf({ documents, fields }: Stats): string {
  return JSON.stringify({ documents, fields })
}

function countBy(asked: readonly Asked[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind } of asked) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
