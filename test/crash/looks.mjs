/** What can be seen of an index besides its documents, and what should be at a state: two plain objects to compare. */
import path from 'node:path'
import Database from 'better-sqlite3'
import { unpack } from 'msgpackr'
import { KEYS, keyOf } from './batches.mjs'

const ALL_KEYS = Array.from({ length: KEYS }, (_, nth) => keyOf(nth))
const byName = (entries) => Object.fromEntries([...entries].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))

/** As the index says it. */
export function looksOf(index) {
  const found = (look) => byName(ALL_KEYS.map((key) => [key, look(key)]).filter(([, value]) => value !== undefined))
  const explained = new Map(ALL_KEYS.map((key) => [key, index.refresh.explain(key)]))
  const { at, seed, documents } = index.clusters.last() ?? {}
  const inClusters = index.clusters.list().reduce((sum, { size }) => sum + size, 0)
  return {
    histories: found((key) => historyOf(explained.get(key))),
    signals: found((key) => signalsOf(explained.get(key))),
    trust: byName(index.stats().signals.map(({ site, kinds }) => [site, byName(countsOf(kinds))])),
    clustering: at === undefined ? undefined : { at, seed, documents, inClusters },
    clustered: found((key) => index.clusters.explain(key)?.cluster && true),
    waiting: index.frontier.size,
    values: valuesIn(index),
  }
}

export function expectedLooks(state) {
  const { documents, refreshes, signals, trust, clustering, clustered, frontier } = state
  return {
    histories: byName(refreshes),
    signals: byName(signals),
    trust: byName(Array.from(trust, ([site, kinds]) => [site, byName(Object.entries(kinds))])),
    clustering: clustering && { ...clustering, inClusters: clustering.documents },
    clustered: byName(Array.from(clustered, (key) => [key, true])),
    waiting: [...frontier.values()].filter(({ fetchedMs }) => fetchedMs === null).length,
    values: expectedValues([...documents.values()]),
  }
}

/** The rows themselves: an index that is asked for more than their number learns from them. */
export function frontierIn(folder) {
  const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
  const rows = db.prepare('SELECT url, anchors, inlinks, added_ms, fetched_ms FROM frontier').all()
  const lessons = db.prepare('SELECT lessons FROM frontier_state').pluck().get()
  db.close()
  const pages = rows.map(({ url, anchors, inlinks, added_ms: addedMs, fetched_ms: fetchedMs }) => [
    url,
    { anchors: anchors.length === 0 ? [] : String(anchors).split('\n'), inlinks, addedMs, fetchedMs },
  ])
  return { pages: byName(pages), learnt: lessons.length === 0 ? 0 : unpack(lessons).impacts[0] }
}

export function expectedFrontier({ frontier, learnt }) {
  return { pages: byName(frontier), learnt }
}

/** How many documents have each value of each column. */
function valuesIn(index) {
  const facets = ['group', { column: 'number', limit: 10_000 }]
  const counted = index.search('*', { facets, limit: 1, learn: false }).facets
  const counts = (column) => byName(counted[column].map(({ value, count }) => [value, count]))
  return { group: counts('group'), number: counts('number') }
}

function expectedValues(documents) {
  const counts = (valuesOf) => {
    const counted = new Map()
    for (const value of documents.flatMap(valuesOf)) counted.set(value, (counted.get(value) ?? 0) + 1)
    return byName(counted)
  }
  return { group: counts(({ group }) => group), number: counts(({ number }) => [number]) }
}

function historyOf(explained) {
  if (explained === undefined) return undefined
  const { createdAt, refreshedAt, refreshes, changes, lastOutcome, change } = explained
  // The last refresh that the change profile knows. Batches are whole minutes apart, which its seconds hold exactly.
  const profiledAt = change.baseMs + (change.observations.at(-1)?.ageMs ?? 0)
  return { createdAt, refreshedAt, profiledAt, refreshes, changes, lastOutcome }
}

function signalsOf(explained) {
  if (explained?.signals === undefined) return undefined
  const { count, kinds, firstAt } = explained.signals
  return { count, kinds: [...kinds].sort(), firstAt }
}

function countsOf(kinds) {
  return Object.entries(kinds).map(([kind, { precision: _, recall: __, ...counts }]) => [kind, counts])
}
