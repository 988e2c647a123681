/** Worlds of scores without any text: what every page scores for every query, step by step. */
import type { ScoredWorld } from '../../../src/lab/quality/repository-quality.js'
import { NO_VERSION } from '../../../src/lab/quality/timeline.js'
import type { SeededRandom } from '../../support/seed.js'

/** By query; what is not named does not match. */
export type QueryScores = Readonly<Record<number, number>>

/** What a step changes, by page; undefined: gone. Every entry is a version of its own. */
export type ScoreStep = ReadonlyMap<number, QueryScores | undefined>

const STEP_MS = 1000

export function scoredWorld(pages: number, weights: readonly number[], steps: readonly ScoreStep[]): ScoredWorld {
  const pageOf: number[] = []
  const changeEnds: number[] = []
  const changedPages: number[] = []
  const changedVersions: number[] = []
  const matchEnds: number[] = []
  const queries: number[] = []
  const scores: number[] = []
  for (const step of steps) {
    for (const [page, found] of step) {
      changedPages.push(page)
      changedVersions.push(found === undefined ? NO_VERSION : pageOf.length)
      if (found === undefined) continue
      pageOf.push(page)
      for (const [query, score] of Object.entries(found)) {
        if (score === 0) continue
        queries.push(Number(query))
        scores.push(score)
      }
      matchEnds.push(queries.length)
    }
    changeEnds.push(changedPages.length)
  }
  return {
    timeline: {
      urls: Array.from({ length: pages }, (_, page) => `page-${page}`),
      atMs: Float64Array.from(steps, (_, step) => step * STEP_MS),
      pageOf: Uint32Array.from(pageOf),
      changeEnds: Uint32Array.from(changeEnds),
      changedPages: Uint32Array.from(changedPages),
      changedVersions: Int32Array.from(changedVersions),
    },
    scores: {
      weights: Float64Array.from(weights),
      matchEnds: Uint32Array.from(matchEnds),
      queries: Uint32Array.from(queries),
      scores: Float64Array.from(scores),
    },
  }
}

export interface RandomWorld {
  readonly pages: number
  readonly weights: readonly number[]
  readonly steps: readonly ScoreStep[]
}

/** Few pages and fewer scores: ties, empty lists, pages that come, go and come back. */
export function randomWorld(random: SeededRandom): RandomWorld {
  const pages = random.between(1, 12)
  const weights = Array.from({ length: random.between(1, 5) }, () => random.between(1, 9))
  const isThere = new Set<number>()
  const version = (): QueryScores =>
    Object.fromEntries(
      weights.map((_, query) => [query, random.chance(0.5) ? random.between(0, 4) / 4 : random.next()]),
    )
  const steps = Array.from({ length: random.between(2, 8) }, (_, step) => {
    const changes = new Map<number, QueryScores | undefined>()
    for (let page = 0; page < pages; page++) {
      if (!random.chance(step === 0 ? 0.8 : 0.4)) continue
      if (isThere.has(page) && random.chance(0.2)) {
        isThere.delete(page)
        changes.set(page, undefined)
      } else {
        isThere.add(page)
        changes.set(page, version())
      }
    }
    return changes
  })
  return { pages, weights, steps }
}
