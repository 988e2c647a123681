/** Ledgers full of made-up pasts. */
import { Ledger } from '../../src/ledger/ledger.js'
import type { SeededRandom } from './seed.js'

const DAY_MS = 86_400_000
const NOW_MS = 20_000 * DAY_MS

/** Pages with up to eight refreshes, some gone or removed, some never refreshed, many that never gained anything. */
export function randomHistories(random: SeededRandom, pages: number): { ledger: Ledger; nowMs: number } {
  const ledger = new Ledger()
  for (let doc = 0; doc < pages; doc++) {
    let atMs = NOW_MS - random.between(1, 100) * DAY_MS
    ledger.created(doc, atMs)
    if (random.chance(0.8)) ledger.setStake(doc, random.next() ** 3 * 100)
    for (let left = random.int(9); left > 0; left--) {
      atMs += Math.floor((random.next() * (NOW_MS - atMs)) / left)
      refreshAtRandom(random, ledger, doc, atMs)
    }
    if (random.chance(0.05)) ledger.gone(doc, NOW_MS)
  }
  return { ledger, nowMs: NOW_MS }
}

export function refreshAtRandom(random: SeededRandom, ledger: Ledger, doc: number, atMs: number): void {
  const deltaQuality = random.chance(0.6) ? 0 : random.next() ** 4
  ledger.refreshed(doc, atMs, deltaQuality > 0 ? 'changed' : 'same', deltaQuality)
}
