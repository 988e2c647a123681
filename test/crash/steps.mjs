/**
 * What is done to an index besides its batches, step by step: before batch n is written, pages of the frontier come and
 * go, documents are signalled, documents are clustered, and a plan learns from the pages that were fetched. Each step
 * is one commit, and a function of a seed, n and its place.
 *
 * A position says how far an index has come: so many batches, and so many steps of the next one. As one number, its
 * code, it grows with each step, but not by 1.
 */
import { batchOf, generator, KEYS, keyOf, queryOf, timeOf } from './batches.mjs'

/** More than the steps of any batch. */
const STEPS = 16
const KINDS = ['sitemap', 'etag', 'last-modified', 'feed', 'push']
/** Pages that never become documents. */
const STRANGERS = 10

export const START = { number: 0, step: 0 }

export const codeOf = ({ number, step }) => number * STEPS + step
export const positionOf = (code) => ({ number: Math.floor(code / STEPS), step: code % STEPS })

/**
 * Batches that are sent while others are on their way: with steps that wait for nothing, and need no document to be
 * there.
 */
export const isInCrowd = (number) => number % 5 === 2 || number % 5 === 3

/** The write comes last. */
export function stepsOf(seed, number) {
  const draw = generator(seed ^ 0x5eed, number)
  const { put, remove } = batchOf(seed, number)
  const at = (seconds) => timeOf(number) - 30_000 + seconds * 1000
  const some = (count, make) => Array.from({ length: 1 + draw(count) }, make)
  const steps = []
  if (draw(2) === 0) steps.push({ kind: 'add', at: at(0), pages: some(6, () => pageOf(draw)) })
  if (draw(4) === 0) steps.push({ kind: 'remove', urls: some(3, () => urlOf(draw)) })
  if (number % 5 < 2 || number % 5 === 4)
    steps.push({ kind: 'signal', at: at(1), signals: some(6, () => [keyOf(draw(KEYS)), KINDS[draw(KINDS.length)]]) })
  if (number % 5 === 4 && draw(2) === 0) steps.push({ kind: 'cluster', at: at(2), seed: number % 100 })
  if (number % 5 === 0 && draw(3) > 0) steps.push({ kind: draw(2) === 0 ? 'next' : 'plan', at: at(3) })
  return [...steps, { kind: 'write', at: timeOf(number), put, remove }]
}

/** The position behind a step, by its place from 0 on. */
export function positionAfter(seed, number, place) {
  const isLast = place === stepsOf(seed, number).length - 1
  return isLast ? { number, step: 0 } : { number: number - 1, step: place + 1 }
}

/** A batch is about to begin, or to go on. */
export function beginBatch(index, number) {
  index.workload.record(queryOf(number), { at: timeOf(number) })
}

/** Has it taken place in the queue of the index when this returns? Not if it looks at much before it commits. */
export const isPrompt = ({ kind }) => kind !== 'cluster' && kind !== 'next' && kind !== 'plan'

/** Resolves when it is acknowledged. */
export async function perform(index, step) {
  const { at } = step
  switch (step.kind) {
    case 'add':
      return index.frontier.add(step.pages, { at })
    case 'remove':
      return index.frontier.remove(step.urls)
    case 'signal':
      return index.refresh.signalAll(signalsIn(step, (key) => index.has(key)).map(([key, kind]) => [key, { kind, at }]))
    case 'cluster':
      return index.clusters.build({ clusters: 3, seed: step.seed, at })
    case 'next':
      return index.frontier.next({ budget: 5, at })
    case 'plan':
      return index.plan({ budget: 5, at })
    case 'write':
      return index.write({ put: step.put, remove: step.remove }, { at })
  }
}

/** Those of documents that are there. */
export function signalsIn({ signals }, isThere) {
  return signals.filter(([key]) => isThere(key))
}

const urlOf = (draw) => (draw(3) === 0 ? `https://host3.example/${draw(STRANGERS)}` : keyOf(draw(KEYS / 2) * 2 + 1))

function pageOf(draw) {
  const anchors = Array.from({ length: draw(3) }, () => `title w${draw(9)}`)
  return draw(2) === 0 ? { url: urlOf(draw), anchors } : { url: urlOf(draw), anchors, inlinks: draw(40) }
}
