/** Compares two indexes of the same pages as wholes. */
import type { Freshdex, Stats } from 'freshdex'
import { type Asked, compareAnswers, compareFrequencies } from './answer-comparison.js'
import type { BenchRequest } from './bench.js'
import type { History, Page } from './snapshot-data.js'

/** Every version of every page, one write per week. */
export async function replayWeeks(request: BenchRequest, index: Freshdex<Page>, { weeks }: History): Promise<void> {
  for (const [number, { added, replaced, gone }] of weeks.entries()) {
    await index.write({ put: [...added, ...replaced], remove: gone })
    if (number % 12 === 0) request.progress(`week ${number} of ${weeks.length}`)
  }
}

/** Checks both and asks both the same; the differences, in words. */
export async function compareStates(
  indexes: Readonly<Record<string, Freshdex<Page>>>,
  asked: Asked[],
): Promise<string[]> {
  const differences: string[] = []
  for (const [name, index] of Object.entries(indexes)) {
    const { ok, faults } = await index.check()
    if (!ok) differences.push(`check of the ${name} index: ${faults[0]?.invariant}: ${faults[0]?.message}`)
  }
  const [a, b] = Object.values(indexes) as [Freshdex<Page>, Freshdex<Page>]
  const [left, right] = [countsOf(a.stats()), countsOf(b.stats())]
  if (left !== right) differences.push(`statistics: ${left} and ${right}`)
  for (const query of asked) {
    const difference = compareAnswers(a, b, query) ?? compareFrequencies(a, b, query)
    if (difference !== undefined) differences.push(`${query.kind} ${query.text}: ${difference}`)
  }
  return differences
}

/** Every page gives back its last version, and no page that is gone gives anything. */
export function compareStored(index: Freshdex<Page>, { weeks, final }: History): string[] {
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
