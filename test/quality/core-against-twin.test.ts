import { describe, expect, it } from 'vitest'
import { loadAddon } from '../../src/core/binding.js'
import { rounds } from '../support/rounds.js'
import { type SeededRandom, seededRandom, withSeed } from '../support/seed.js'
import { paperView, type View } from './exact-quality.js'
import { awkwardAnswerList, naturalAnswerList } from './random-answer-list.js'
import * as twin from './twin.js'

const core = loadAddon()

describe('the core and its twin', () => {
  it('make the same curves', () => {
    withSeed('curves', (seed) => {
      const random = seededRandom('curves', seed)
      let values = 0
      let different = 0
      for (let round = 0; round < rounds(400, 4_000); round++) {
        const scores = randomList(random)
        const pieces = random.between(1, 8)
        for (const [ours, { values: theirs }] of [
          [core.fitCurve(scores, pieces), twin.fitCurve([...scores], pieces)],
          [core.interpolateCurve(scores, pieces), twin.interpolateCurve([...scores], pieces)],
        ] as const) {
          expect(ours).toHaveLength(pieces + 2)
          for (const [at, value] of ours.entries()) {
            values++
            if (value !== theirs[at]) different++
            expect(floatsBetween(value, theirs[at] as number), `${pieces} pieces for ${scores}`).toBeLessThanOrEqual(2)
          }
        }
      }
      // Both round the same number but for the last bits of their logarithms.
      expect(different).toBeLessThan(values / 1000)
    })
  })

  it('go from scores to ranks and back alike', () => {
    withSeed('ranks', (seed) => {
      const random = seededRandom('ranks', seed)
      for (let round = 0; round < rounds(500, 5_000); round++) {
        const { scores, values, curve } = randomCurve(random)
        for (let i = 0; i < 10; i++) {
          const score = randomScore(random, scores) || 1
          const rank = 1 + (curve.n - 1) * random.next()
          // A flat curve makes one unit in the last place of ln score a millionth of a rank.
          expect(core.rankOf(values, curve.n, score) / twin.rankOf(curve, score)).toBeCloseTo(1, 6)
          expect(core.scoreAt(values, curve.n, rank) / twin.scoreAt(curve, rank)).toBeCloseTo(1, 9)
        }
      }
    })
  })

  it('estimate alike, under the likelihood of the paper', () => {
    withSeed('moves', (seed) =>
      compareMoves(seededRandom('moves', seed), () => ({ view: paperView, native: undefined })),
    )
  })

  it('estimate alike, under any other', () => {
    withSeed('moves and views', (seed) => compareMoves(seededRandom('moves and views', seed), randomView))
  })

  it('agree on a page that is alone', () => {
    for (const s1 of [0, 2]) {
      for (const s2 of [0, 2, 3]) {
        const ours = core.deltaQuality(new Float32Array(0), 0, undefined, s1, s2)
        const { before, after, deltaQuality } = twin.deltaQuality({ n: 0, values: [] }, paperView, s1, s2)
        expect(ours).toEqual({ rankBefore: orZero(before), rankAfter: orZero(after), deltaQuality })
      }
    }
  })
})

interface ViewPair {
  readonly view: View
  readonly native: { readonly head: Float64Array; readonly tail: Float64Array } | undefined
}

function compareMoves(random: SeededRandom, viewOf: (random: SeededRandom) => ViewPair): void {
  let compared = 0
  const moves = rounds(1_500, 15_000)
  for (let round = 0; round < moves; round++) {
    const { scores, values, curve } = randomCurve(random)
    const { view, native } = viewOf(random)
    const [s1, s2] = [randomScore(random, scores), randomScore(random, scores)]
    if ([s1, s2].some((score) => isOnTheEdge(curve, score))) continue
    compared++
    const ours = core.deltaQuality(values, curve.n, native, s1, s2)
    const theirs = twin.deltaQuality(curve, view, s1, s2)
    const message = `n ${curve.n}, values ${values}, s1 ${s1}, s2 ${s2}`
    expect([ours.rankBefore, ours.rankAfter], message).toEqual([orZero(theirs.before), orZero(theirs.after)])
    const scale = Math.max(s1, s2, twin.scoreAt(curve, 1))
    expect(ours.deltaQuality / scale, message).toBeCloseTo(theirs.deltaQuality / scale, 9)
  }
  expect(compared).toBeGreaterThan(moves / 2)
}

/** Where the last bits of a logarithm decide to which whole rank a score belongs. */
function isOnTheEdge(curve: twin.TwinCurve, score: number): boolean {
  if (score === 0 || curve.n < 4) return false
  const halves = 2 * twin.rankOf(curve, score)
  const distance = Math.abs(halves - Math.round(halves))
  const atTheEnd = Math.abs(Math.log(score) - (curve.values.at(-1) as number)) < 1e-12
  return atTheEnd || (distance > 0 && distance < 1e-6 * halves)
}

function randomList(random: SeededRandom): Float32Array {
  const n = random.chance(0.4) ? random.between(1, 9) : random.between(1, random.chance(0.1) ? 3000 : 400)
  return random.chance(0.4) ? naturalAnswerList(random, n) : awkwardAnswerList(random, n)
}

function randomCurve(random: SeededRandom): { scores: Float32Array; values: Float32Array; curve: twin.TwinCurve } {
  const scores = randomList(random)
  const values = core.fitCurve(scores, random.between(1, 8))
  return { scores, values, curve: { n: scores.length, values: [...values] } }
}

function randomScore(random: SeededRandom, scores: Float32Array): number {
  const kind = random.next()
  if (kind < 0.15) return 0
  if (kind < 0.25) return (scores[0] as number) * (1 + random.next())
  if (kind < 0.35) return (scores.at(-1) as number) * random.next()
  return (scores[random.int(scores.length)] as number) * (random.chance(0.3) ? 1 : 0.9 + 0.2 * random.next())
}

function randomView(random: SeededRandom): ViewPair {
  let value = 2
  const fall = () => {
    value *= random.chance(0.2) ? 1 : 0.05 + 0.9 * random.next()
    return value
  }
  const head = Array.from({ length: random.between(1, 30) }, fall)
  let rank = head.length
  const tail = Array.from({ length: random.int(4) }, (): [number, number] => {
    rank += 0.5 + random.next() * 1500
    return [rank, fall()]
  })
  // The end has to fall.
  if (tail.length > 0) tail.push([2 * rank, random.chance(0.3) ? 0 : value / 3])
  return {
    view: twin.tabledView(head, tail),
    native: { head: Float64Array.from(head), tail: Float64Array.from(tail.flat()) },
  }
}

function orZero(rank: number): number {
  return rank === Number.POSITIVE_INFINITY ? 0 : rank
}

/** How many float32 steps lie between two numbers. */
function floatsBetween(a: number, b: number): number {
  const ordinal = (value: number) => {
    const bits = new Int32Array(Float32Array.of(value).buffer)[0] as number
    return bits < 0 ? -(bits & 0x7fffffff) : bits
  }
  return Math.abs(ordinal(a) - ordinal(b))
}
