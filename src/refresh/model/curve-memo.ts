/**
 * The divergence curves of pages, each fitted once for every state of the page's profile. A curve is remembered with a
 * hash of everything it was fitted to, so an empty memo gives the same curves as a full one.
 */
import type { DivergenceCurve } from '../../change/divergence-curve.js'
import { SKETCH_MINIMA } from '../../change/sketches.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import { MORE_PROFILES, PROFILE_OBSERVATIONS } from '../../ledger/columns.js'
import { curveOf } from '../../ledger/profile.js'

const FIRST_ROWS = 1024
/** Stands in place of the number of items. */
const NOT_FITTED = 255
const NO_CURVE = 0

/** The hash of a profile, two words of 32 bits. Two profiles of one page have the same hash with probability 2^-64. */
const seal = new Uint32Array(2)
const number = new Float64Array(1)
const halves = new Uint32Array(number.buffer)

export class CurveMemo {
  #rows = 0
  #seals = new Uint32Array()
  #items = new Uint8Array()
  #rates = new Float64Array()
  #shares = new Float64Array()

  /** As curveOf() of profile.ts. */
  curveOf(columns: LedgerColumns, doc: number): DivergenceCurve | undefined {
    if (doc >= this.#rows) this.#reserve(doc)
    sealProfile(columns, doc)
    const isKnown =
      this.#items[doc] !== NOT_FITTED && this.#seals[2 * doc] === seal[0] && this.#seals[2 * doc + 1] === seal[1]
    if (!isKnown) this.#fit(columns, doc)
    const items = this.#items[doc]!
    return items === NO_CURVE ? undefined : { ratePerMs: this.#rates[doc]!, items, share: this.#shares[doc]! }
  }

  #fit(columns: LedgerColumns, doc: number): void {
    const curve = curveOf(columns, doc)
    this.#seals.set(seal, 2 * doc)
    this.#items[doc] = curve?.items ?? NO_CURVE
    this.#rates[doc] = curve?.ratePerMs ?? 0
    this.#shares[doc] = curve?.share ?? 0
  }

  #reserve(doc: number): void {
    this.#rows = Math.max(FIRST_ROWS, 2 * this.#rows, doc + 1)
    const items = this.#items
    this.#items = new Uint8Array(this.#rows).fill(NOT_FITTED)
    this.#items.set(items)
    this.#seals = grown(this.#seals, new Uint32Array(2 * this.#rows))
    this.#rates = grown(this.#rates, new Float64Array(this.#rows))
    this.#shares = grown(this.#shares, new Float64Array(this.#rows))
  }
}

/** Hashes everything that curveOf() reads into `seal`. */
function sealProfile(columns: LedgerColumns, doc: number): void {
  const count = columns.observations[doc]!
  seal[0] = 0x9e3779b9
  seal[1] = 0x85ebca6b
  take(columns.profileState[doc]! + 256 * count + 65_536 * columns.earlierItems[doc]!)
  take(columns.earlierRatePerDay[doc]!)
  take(columns.earlierShare[doc]!)
  const first = doc * PROFILE_OBSERVATIONS
  for (let at = first; at < first + count; at++) {
    take(columns.observedAgeSeconds[at]!)
    take(columns.observedDivergence[at]!)
  }
  const versions = columns.versions.length > 0 ? columns.versions[doc]! : 0
  if (versions === 0) return
  take(columns.profileBaseMs[doc]!)
  const oldest = doc * MORE_PROFILES
  for (let at = oldest; at < oldest + versions; at++) take(columns.versionMs[at]!)
  for (let at = oldest * SKETCH_MINIMA; at < (oldest + versions) * SKETCH_MINIMA; at++) take(columns.versionSketch[at]!)
}

function take(value: number): void {
  number[0] = value
  let a = seal[0]!
  let b = seal[1]!
  a = Math.imul(a ^ halves[0]!, 0x2c1b3c6d)
  b = Math.imul(b ^ halves[1]!, 0x297a2d39)
  a ^= b >>> 15
  b ^= a >>> 13
  seal[0] = Math.imul(a, 0x21f0aaad) ^ halves[1]!
  seal[1] = Math.imul(b, 0x735a2d97) ^ halves[0]!
}

function grown<Numbers extends Uint32Array | Float64Array>(before: Numbers, after: Numbers): Numbers {
  after.set(before)
  return after
}
