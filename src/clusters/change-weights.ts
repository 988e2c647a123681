/**
 * How likely a page changes within a download cycle, from the cycles in which it was seen to change (Tan and Mitra,
 * Clustering-based incremental web crawling, section 4):
 *
 *   λ = Σ w_i I_i, φ = 1 - e^(-λ), I_i = 1 if cycle i saw a change, cycle n the last one.
 *
 * The weights of a history sum up to 1, so that the four ways to choose them can be compared: λ is a weighted share of
 * changes, and φ never passes 1 - 1/e. Cycles without a visit are no part of a history.
 */
import { choiceOption, parameter } from '../base/checks.js'

/**
 * nad, non-adaptive: all cycles alike, 1 / n. sad, short-sighted: only the last. aad, arithmetic: i / (n (n + 1) / 2).
 * gad, geometric: 2^(i - 1) / (2^n - 1).
 */
export const CHANGE_WEIGHTINGS = ['nad', 'sad', 'aad', 'gad'] as const
export type ChangeWeighting = (typeof CHANGE_WEIGHTINGS)[number]

/** The number of cycles that 32 bits hold. */
export const PACKED_CYCLES = 32

/** The last cycles of a page, at most PACKED_CYCLES. */
export interface PackedHistory {
  /**
   * 32 bits, the last cycle in the lowest; a bit is set where a change was seen. Bits beyond `cycles` are of no
   * account.
   */
  readonly bits: number
  readonly cycles: number
}

/** λ of a history, oldest cycle first; 0 for an empty history, about which cluster-priors.ts knows more. */
export function changeFrequency(history: ArrayLike<boolean | number>, weighting: ChangeWeighting = 'nad'): number {
  checkWeighting(weighting)
  const cycles = history.length
  if (cycles === 0) return 0
  if (weighting === 'sad') return history[cycles - 1] ? 1 : 0
  if (weighting === 'gad') return geometricFrequency(history)
  let sum = 0
  for (let at = 0; at < cycles; at++) if (history[at]) sum += weighting === 'nad' ? 1 : at + 1
  return weighting === 'nad' ? sum / cycles : sum / ((cycles * (cycles + 1)) / 2)
}

/** λ of a packed history, computed without unpacking it. */
export function packedChangeFrequency({ bits, cycles }: PackedHistory, weighting: ChangeWeighting = 'nad'): number {
  checkWeighting(weighting)
  parameter('cycles', cycles, { min: 0, max: PACKED_CYCLES, integer: true })
  if (cycles === 0) return 0
  const known = cycles === PACKED_CYCLES ? bits | 0 : bits & ((1 << cycles) - 1)
  switch (weighting) {
    case 'nad':
      return bitCount(known) / cycles
    case 'sad':
      return known & 1
    case 'aad':
      return arithmeticSum(known, cycles) / ((cycles * (cycles + 1)) / 2)
    case 'gad':
      // The last cycle has the largest weight and the lowest bit: read from the other end, the bits are the numerator.
      return (reversedBits(known) >>> (PACKED_CYCLES - cycles)) / (2 ** cycles - 1)
  }
}

/** One more cycle at the end of a history; the oldest one falls off a full one. */
export function withCycle({ bits, cycles }: PackedHistory, changed: boolean): PackedHistory {
  return { bits: ((bits << 1) | (changed ? 1 : 0)) >>> 0, cycles: Math.min(cycles + 1, PACKED_CYCLES) }
}

/** φ: the probability that a page with this λ changes at least once within a cycle. */
export function changeProbability(frequency: number): number {
  return -Math.expm1(-parameter('frequency', frequency, { min: 0 }))
}

/**
 * 2^n passes all numbers long before a history ends, so λ_n is made of λ_(n-1): both sides of its definition times (2^n
 * - 1) / 2^n.
 */
function geometricFrequency(history: ArrayLike<boolean | number>): number {
  let frequency = 0
  for (let at = 0; at < history.length; at++) {
    const tail = 2 ** -(at + 1)
    frequency = (frequency * (0.5 - tail) + (history[at] ? 0.5 : 0)) / (1 - tail)
  }
  return frequency
}

/** Sum of i over the cycles with a change; the bit of cycle i is n - i. */
function arithmeticSum(bits: number, cycles: number): number {
  let sum = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) sum += cycles - (31 - Math.clz32(rest & -rest))
  return sum
}

/** Sums of neighbours, then of neighbouring pairs, and so on. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** Swaps neighbours, then neighbouring pairs, and so on. */
function reversedBits(bits: number): number {
  let swapped = ((bits >>> 1) & 0x5555_5555) | ((bits & 0x5555_5555) << 1)
  swapped = ((swapped >>> 2) & 0x3333_3333) | ((swapped & 0x3333_3333) << 2)
  swapped = ((swapped >>> 4) & 0x0f0f_0f0f) | ((swapped & 0x0f0f_0f0f) << 4)
  swapped = ((swapped >>> 8) & 0x00ff_00ff) | ((swapped & 0x00ff_00ff) << 8)
  return (swapped >>> 16) | (swapped << 16)
}

function checkWeighting(weighting: ChangeWeighting): void {
  choiceOption('weighting', weighting, 'nad', CHANGE_WEIGHTINGS)
}
