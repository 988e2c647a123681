import type { Key } from '../documents.js'
import { hostOf } from '../refresh/host.js'

/** Those that are not beyond the limit of their host, in their order. */
export function withinHosts<Item>(items: readonly Item[], perHost: number, keyOf: (item: Item) => Key): Item[] {
  if (perHost === Number.POSITIVE_INFINITY) return [...items]
  const taken = new Map<string, number>()
  return items.filter((item) => {
    const host = hostOf(keyOf(item))
    const before = taken.get(host) ?? 0
    taken.set(host, before + 1)
    return before < perHost
  })
}
