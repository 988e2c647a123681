/**
 * Randomness that can be repeated. Every stream comes from one seed, FRESHDEX_SEED or a fixed default, and a label that
 * keeps the streams of different tests apart; a failure inside `withSeed` says how to run it again.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const DEFAULT_SEED = 20_260_101

/** The seed of this run: an integer in [0, 2^32). */
export function runSeed(): number {
  const text = process.env.FRESHDEX_SEED
  if (text === undefined || text === '') return DEFAULT_SEED
  const seed = Number(text)
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) {
    throw new RangeError(`FRESHDEX_SEED must be an integer from 0 to 4294967295, got ${text}`)
  }
  return seed
}

export function seededRandom(label: string, seed: number = runSeed()): SeededRandom {
  return new SeededRandom(hashLabel(label, seed))
}

/**
 * A counter run through a 32-bit mixer (steps of an odd constant visit every state once, so the period is 2^32): small,
 * the same on every machine, and even enough for choosing test cases.
 */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Uniform in [0, 1), in steps of 2^-53. Bound, so that it can stand where a plain function is asked for. */
  readonly next = (): number => (this.uint32() * 2 ** 21 + (this.uint32() >>> 11)) / 2 ** 53

  uint32(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    return mix(this.#state)
  }

  /** Uniform among 0 … n - 1. */
  int(n: number): number {
    if (!Number.isSafeInteger(n) || n < 1) throw new RangeError(`int needs a positive integer, got ${n}`)
    return Math.floor(this.next() * n)
  }

  /** Uniform among low … high, both included. */
  between(low: number, high: number): number {
    return low + this.int(high - low + 1)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)] as T
  }

  /** A new array with the same items in random order. */
  shuffle<T>(items: Iterable<T>): T[] {
    const shuffled = [...items]
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.int(last + 1)
      const item = shuffled[last] as T
      shuffled[last] = shuffled[other] as T
      shuffled[other] = item
    }
    return shuffled
  }

  /** An independent stream, for a part of a test whose draws must not move those of the rest. */
  fork(label: string): SeededRandom {
    return new SeededRandom(hashLabel(label, this.uint32()))
  }
}

/**
 * Runs the body, sync or async, with a seed made from the label and the seed of the run. What it throws says first how
 * to see it again.
 */
export function withSeed<T>(label: string, body: (seed: number) => T): T {
  const place = placeOfTest()
  try {
    const result = body(hashLabel(label, runSeed()))
    return result instanceof Promise ? (result.catch((error) => rethrow(error, place)) as T) : result
  } catch (error) {
    return rethrow(error, place)
  }
}

function rethrow(error: unknown, place: string): never {
  const hint = `reproduce with FRESHDEX_SEED=${runSeed()} npm test --${place}`
  if (!(error instanceof Error)) throw new Error(`${hint}\n${String(error)}`, { cause: error })
  error.message = `${hint}\n${error.message}`
  throw error
}

function placeOfTest(): string {
  const { testPath } = expect.getState()
  if (testPath === undefined) return ''
  const root = fileURLToPath(new URL('../..', import.meta.url))
  return ` ${path.relative(root, testPath)}`
}

function hashLabel(label: string, seed: number): number {
  let hash = mix(seed)
  for (const character of label) hash = mix(hash ^ (character.codePointAt(0) as number))
  return hash
}

/** Two rounds of shift and multiply by an odd constant: each is a bijection of 32-bit numbers, so no state is lost. */
function mix(value: number): number {
  let mixed = value >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
