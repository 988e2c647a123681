/** How experiments index the pages of a world. */
import type { Freshdex, OpenOptions, PresetName } from '../index.js'
import type { AskedQuery } from './generated-workload.js'
import type { WorldPage } from './world.js'

export function pageOptions(analyzer: PresetName): OpenOptions<WorldPage> {
  return { key: 'url', fields: { title: { boost: 2 }, text: {} }, analyzer }
}

/** RangeError for a query that an index cannot measure by. */
export function recordQueries(index: Freshdex<WorldPage>, counted: readonly AskedQuery[]): void {
  for (const { query, count } of counted)
    if (!index.workload.record(query, { count, at: 0 })) throw new RangeError(`the query ${query} cannot be measured`)
}

export function* inBatches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
