/**
 * A ledger of pages as a crawler comes to know them: half of them never change, a third is rewritten now and then, the
 * rest gets something new all the time that stays for a while. Refreshed 1 to 15 times in the last year; stakes over
 * several orders of magnitude; a fifth of the pages are of sites that send signals, and all are in folders.
 */
import type { Ledger } from './library-parts.js'
import { bell } from './random-numbers.js'

const DAY_MS = 86_400_000
const NOW_MS = 20_000 * DAY_MS
const MINIMA = 8
const SITES = 50
/** Of all sites together. */
const FOLDERS = 1000

/** How pages change: how likely between two refreshes, and how many of the smallest hashes are others then. */
const KINDS = [
  { until: 0.5, chance: 0, moved: 0 },
  { until: 0.83, chance: 0.3, moved: 8 },
  { until: 1, chance: 0.8, moved: 1 },
] as const

type Random = () => number

export function watchedPages(ledger: Ledger, random: Random, pages: number): { ledger: Ledger; nowMs: number } {
  for (let doc = 0; doc < pages; doc++) {
    const { chance, moved } = kindOf(doc)
    const minima = new Uint32Array(MINIMA).map(() => (random() * 2 ** 32) >>> 0).sort()
    let atMs = NOW_MS - (30 + 335 * random()) * DAY_MS
    ledger.created(doc, atMs, { minima, at: 0 })
    ledger.sections.place(doc, `https://site${doc % SITES}.example/folder${doc % FOLDERS}/${doc}`)
    ledger.setStake(doc, Math.exp(2 * bell(random)))
    for (let left = 1 + Math.floor(15 * random()); left > 0; left--) {
      atMs += ((NOW_MS - atMs) * random()) / left
      refresh(ledger, random, doc, atMs, chance, () => move(minima, random, moved))
    }
    if (random() < 0.2) signal(ledger, random, doc)
  }
  return { ledger, nowMs: NOW_MS }
}

/** Any of the pages. */
export function refreshPages(ledger: Ledger, random: Random, count: number, atMs: number): void {
  const minima = new Uint32Array(MINIMA)
  for (let left = count; left > 0; left--) {
    const doc = Math.floor(random() * ledger.rows)
    refresh(ledger, random, doc, atMs, kindOf(doc).chance, () => move(minima, random, MINIMA))
  }
}

function refresh(ledger: Ledger, random: Random, doc: number, atMs: number, chance: number, move: () => Uint32Array) {
  if (random() >= chance) ledger.refreshed(doc, atMs, 'same', 0)
  else {
    const deltaQuality = random() < 0.5 ? 0 : ledger.columns.stake[doc]! * random()
    ledger.refreshed(doc, atMs, 'changed', deltaQuality, { minima: move(), at: 0 })
  }
}

function move(minima: Uint32Array, random: Random, moved: number): Uint32Array {
  for (let left = moved; left > 0; left--) minima[Math.floor(random() * MINIMA)] = (random() * 2 ** 32) >>> 0
  return minima.sort()
}

function signal(ledger: Ledger, random: Random, doc: number): void {
  const signals = Math.floor(3 * random())
  const heard = signals === 0 ? {} : { signals, signalKinds: 1, signalMs: NOW_MS }
  ledger.restore({ ...ledger.rowOf(doc)!, site: 1 + Math.floor(SITES * random()), ...heard })
}

function kindOf(doc: number) {
  // By number, evenly spread: multiples of the golden section.
  const place = (doc * 0.618033988749895) % 1
  return KINDS.find(({ until }) => place < until)!
}
