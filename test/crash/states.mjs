/** What an index must hold at a position, worked out from the steps before it and nothing else. */
import { codeOf, START, signalsIn, stepsOf } from './steps.mjs'

export function firstState() {
  return {
    position: START,
    documents: new Map(),
    /** Of each document, as historyOf gives it. */
    refreshes: new Map(),
    /** Of each document, since its last refresh: { count, kinds, firstAt }. */
    signals: new Map(),
    /** Of each document whose host has sent signals by its last refresh or signal. */
    sites: new Map(),
    /** Of each site, of each kind that it has sent and of any: the four counts. */
    trust: new Map(),
    /** By URL: { anchors, inlinks, addedMs, fetchedMs }, the last null while it waits. */
    frontier: new Map(),
    learnt: 0,
    /** { at, seed, documents }, undefined before the first. */
    clustering: undefined,
    /** Documents that are in a cluster. */
    clustered: new Set(),
  }
}

/** The state at a later position; the one that is given stays what it is. */
export function advance(seed, from, to) {
  const state = copyOf(from)
  while (codeOf(state.position) < codeOf(to)) takeStep(seed, state)
  return state
}

/** One step further. */
export function advanceOne(seed, from) {
  const state = copyOf(from)
  takeStep(seed, state)
  return state
}

function copyOf(state) {
  const copies = Object.entries(state).map(([name, value]) => {
    if (value instanceof Map) return [name, new Map(value)]
    return [name, value instanceof Set ? new Set(value) : value]
  })
  return Object.fromEntries(copies)
}

function takeStep(seed, state) {
  const { number, step } = state.position
  const steps = stepsOf(seed, number + 1)
  const taken = steps[step]
  TAKE[taken.kind](state, taken)
  state.position = step === steps.length - 1 ? { number: number + 1, step: 0 } : { number, step: step + 1 }
}

const TAKE = { add, remove, signal, cluster, next: learn, plan: learn, write }

function add({ documents, frontier }, { pages, at }) {
  for (const { url, anchors, inlinks } of pages) {
    if (documents.has(url)) continue
    const known = frontier.get(url)
    const isWaiting = known !== undefined && known.fetchedMs === null
    const before = isWaiting ? known : { anchors: [], inlinks: 0, addedMs: at, fetchedMs: null }
    const joined = [...new Set([...before.anchors, ...anchors])]
    frontier.set(url, { ...before, anchors: joined, inlinks: inlinks ?? before.inlinks })
  }
}

function remove({ frontier }, { urls }) {
  for (const url of urls) if (frontier.get(url)?.fetchedMs === null) frontier.delete(url)
}

function signal(state, step) {
  for (const [key, kind] of signalsIn(step, (key) => state.documents.has(key))) {
    const { count, kinds, firstAt } = state.signals.get(key) ?? { count: 0, kinds: [], firstAt: step.at }
    state.signals.set(key, { count: count + 1, kinds: [...new Set([...kinds, kind])].sort(), firstAt })
    const site = hostOf(key)
    state.sites.set(key, site)
    state.trust.set(site, { [kind]: NO_COUNTS, any: NO_COUNTS, ...state.trust.get(site) })
  }
}

function cluster(state, { at, seed }) {
  state.clustering = { at, seed, documents: state.documents.size }
  state.clustered = new Set(state.documents.keys())
}

/** Pages that were fetched are learnt from if they are documents, and forgotten in any case. */
function learn(state) {
  for (const [url, { fetchedMs }] of state.frontier) {
    if (fetchedMs === null) continue
    if (state.documents.has(url)) state.learnt++
    state.frontier.delete(url)
  }
}

function write(state, { put, remove, at }) {
  for (const key of remove) {
    for (const known of ['documents', 'refreshes', 'signals', 'sites', 'clustered']) state[known].delete(key)
  }
  for (const document of put) {
    const { id } = document
    const before = state.documents.get(id)
    const isSame = before !== undefined && before.title === document.title && before.body === document.body
    if (before !== undefined) answer(state, id, isSame ? 'Same' : 'Changed')
    state.refreshes.set(id, refreshed(state.refreshes.get(id), isSame, at))
    state.documents.set(id, document)
    if (state.trust.has(hostOf(id))) state.sites.set(id, hostOf(id))
    const page = state.frontier.get(id)
    if (page?.fetchedMs === null) state.frontier.set(id, { ...page, fetchedMs: at })
  }
}

/** The refresh tells what the signals, or their absence, were worth. */
function answer(state, key, outcome) {
  const kinds = state.signals.get(key)?.kinds ?? []
  state.signals.delete(key)
  const site = state.sites.get(key)
  if (site === undefined) return
  const counts = Object.entries(state.trust.get(site)).map(([kind, before]) => {
    const isHeard = kind === 'any' ? kinds.length > 0 : kinds.includes(kind)
    const cell = `${isHeard ? 'signalled' : 'silent'}${outcome}`
    return [kind, { ...before, [cell]: before[cell] + 1 }]
  })
  state.trust.set(site, Object.fromEntries(counts))
}

function refreshed(history, isSame, at) {
  if (history === undefined)
    return { createdAt: at, refreshedAt: at, profiledAt: at, refreshes: 0, changes: 0, lastOutcome: 'new' }
  return {
    createdAt: history.createdAt,
    refreshedAt: at,
    profiledAt: at,
    refreshes: history.refreshes + 1,
    changes: history.changes + (isSame ? 0 : 1),
    lastOutcome: isSame ? 'same' : 'changed',
  }
}

const NO_COUNTS = { signalledChanged: 0, signalledSame: 0, silentChanged: 0, silentSame: 0 }

const hostOf = (key) => (typeof key === 'number' ? String(key) : new URL(key).host)
