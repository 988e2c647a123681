/** Rounds of peers, summed up: latencies by class and stratum, by what of freshdex's, and where freshdex is behind. */
import type { ClassQuery } from './class-queries.js'
import { quartilesOf } from './experiment-parts.js'
import type { Counting } from './peer-contract.js'
import { FRESHDEX, type Peer } from './peer-programs.js'
import type { Round } from './peer-rounds.js'
import { spreadOf } from './percentiles.js'

/**
 * Microseconds are medians over rounds, with quartiles. A ratio is that of the peer's to freshdex's in the same round
 * over the same queries, those that the peer had time for: above 1, freshdex is faster.
 */
export interface PeerLatency {
  readonly queries: number
  readonly p50: number
  readonly p50Low: number
  readonly p50High: number
  readonly p99: number
  readonly p99Low: number
  readonly p99High: number
  readonly p50Ratio: number
  readonly p50RatioLow: number
  readonly p50RatioHigh: number
  readonly p99Ratio: number
  readonly p99RatioLow: number
  readonly p99RatioHigh: number
}

/** The peer that is best at something, and how many times slower than freshdex it is. */
export interface Lead {
  readonly bestAtP50: string
  readonly p50Ratio: number
  readonly bestAtP99: string
  readonly p99Ratio: number
}

export type ByGroup<Value> = Record<string, Value>

/** The queries that are summed up together: a class, and a stratum of it. */
interface Group {
  readonly name: string
  readonly isClass: boolean
  readonly places: readonly number[]
}

export interface Comparison {
  /** By class and stratum, then by peer. */
  readonly latencies: ByGroup<Record<string, PeerLatency>>
  /** Of classes, without peers that are asked something else there. */
  readonly leads: ByGroup<Lead>
  /** The same of strata. */
  readonly strataLeads: ByGroup<Lead>
}

export function compareRounds(
  rounds: readonly Round[],
  asked: readonly ClassQuery[],
  counting: Counting,
  peers: readonly Peer[],
): Comparison {
  const comparison: Comparison = { latencies: {}, leads: {}, strataLeads: {} }
  for (const { name, isClass, places } of groupsOf(asked)) {
    const rows: Record<string, PeerLatency> = {}
    const rivals: [string, PeerLatency][] = []
    for (const peer of [FRESHDEX, ...peers]) {
      const latency = latencyOf(rounds, counting, peer.name, places)
      if (latency === undefined) continue
      rows[peer.name] = latency
      const isSameQuestion = peer.otherwise?.includes(asked[places[0]!]!.class) !== true
      if (peer !== FRESHDEX && isSameQuestion) rivals.push([peer.name, latency])
    }
    comparison.latencies[name] = rows
    if (rivals.length > 0) (isClass ? comparison.leads : comparison.strataLeads)[name] = leadOver(rivals)
  }
  return comparison
}

/** Groups in which a peer is ahead, with the numbers of both. */
export function groupsBehind({ leads, strataLeads, latencies }: Comparison, of: 'classes' | 'strata') {
  const rows: ByGroup<{ peer: string; freshdexUs: number; peerUs: number; ratio: number }> = {}
  for (const [name, lead] of Object.entries(of === 'classes' ? leads : strataLeads)) {
    for (const share of ['p50', 'p99'] as const) {
      const ratio = lead[`${share}Ratio`]
      if (ratio >= 1) continue
      const peer = lead[share === 'p50' ? 'bestAtP50' : 'bestAtP99']
      const us = (one: string) => latencies[name]![one]![share]
      rows[`${name}, ${share}`] = { peer, freshdexUs: us(FRESHDEX.name), peerUs: us(peer), ratio }
    }
  }
  return rows
}

function groupsOf(asked: readonly ClassQuery[]): Group[] {
  const places = new Map<string, { isClass: boolean; places: number[] }>()
  const add = (name: string, isClass: boolean, place: number) => {
    if (!places.has(name)) places.set(name, { isClass, places: [] })
    places.get(name)!.places.push(place)
  }
  for (const [place, query] of asked.entries()) {
    add(query.class, true, place)
    if (query.stratum !== '') add(`${query.class} ${query.stratum}`, false, place)
  }
  return [...places]
    .map(([name, group]) => ({ name, ...group }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

function latencyOf(
  rounds: readonly Round[],
  counting: Counting,
  name: string,
  places: readonly number[],
): PeerLatency | undefined {
  const perRound = rounds.map((round) => {
    const theirs = round.get(name)![counting].us
    const ours = round.get(FRESHDEX.name)![counting].us
    const both = places.filter((place) => theirs[place] !== null && ours[place] !== null)
    if (both.length === 0) return undefined
    const spread = (us: readonly (number | null)[]) => spreadOf(both.map((place) => us[place]!))
    return { queries: both.length, theirs: spread(theirs), ours: spread(ours) }
  })
  const told = perRound.filter((round) => round !== undefined)
  if (told.length === 0) return undefined
  const p50 = quartilesOf(told.map(({ theirs }) => theirs.p50))
  const p99 = quartilesOf(told.map(({ theirs }) => theirs.p99))
  const p50Ratio = quartilesOf(told.map(({ theirs, ours }) => theirs.p50 / ours.p50))
  const p99Ratio = quartilesOf(told.map(({ theirs, ours }) => theirs.p99 / ours.p99))
  return {
    queries: Math.min(...told.map(({ queries }) => queries)),
    ...{ p50: p50.median, p50Low: p50.p25, p50High: p50.p75 },
    ...{ p99: p99.median, p99Low: p99.p25, p99High: p99.p75 },
    ...{ p50Ratio: p50Ratio.median, p50RatioLow: p50Ratio.p25, p50RatioHigh: p50Ratio.p75 },
    ...{ p99Ratio: p99Ratio.median, p99RatioLow: p99Ratio.p25, p99RatioHigh: p99Ratio.p75 },
  }
}

function leadOver(rivals: readonly (readonly [string, PeerLatency])[]): Lead {
  const best = (ratio: 'p50Ratio' | 'p99Ratio') =>
    rivals.reduce((least, rival) => (rival[1][ratio] < least[1][ratio] ? rival : least))
  const [[bestAtP50, { p50Ratio }], [bestAtP99, { p99Ratio }]] = [best('p50Ratio'), best('p99Ratio')]
  return { bestAtP50, p50Ratio, bestAtP99, p99Ratio }
}
