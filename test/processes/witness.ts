/**
 * Looks at an index that somebody else writes: everything it sees in one read is of one generation, and generations
 * only grow.
 */
import type { Snapshot } from 'freshdex'
import { expect } from 'vitest'
import { DOCUMENTS, frequencyOf, type Page } from './generations.mjs'

type Readable = Pick<Snapshot<Page>, 'search' | 'get' | 'has' | 'stats' | 'documents'>

export class Witness {
  /** By the frequency that they depend on. */
  readonly #scores = new Map<number, number>()
  /** The newest generation seen. */
  generation = 0
  looks = 0
  /** Different generations seen. */
  moments = 0

  /** Several reads without a pause: none of them may see another moment. Returns the generation. */
  look(reader: Readable): number {
    const { hits, total } = reader.search('shared', { limit: 100, docs: true })
    const [first] = hits
    if (first === undefined) {
      expect([this.generation, total, reader.stats().documents]).toEqual([0, 0, 0])
      return 0
    }
    const { generation } = first.doc as Page
    expect(hits.map(({ key }) => key).sort((a, b) => Number(a) - Number(b))).toEqual([...Array(DOCUMENTS).keys()])
    expect(new Set(hits.map(({ doc }) => (doc as Page).generation))).toEqual(new Set([generation]))
    this.#expectScores(generation, new Set(hits.map(({ score }) => score)))
    expect(reader.search(`g${generation}`, { limit: 0 }).total).toBe(DOCUMENTS + 1)
    const lone = reader.search('lone', { docs: true })
    expect(lone.hits.map(({ key, doc }) => [key, doc?.generation])).toEqual([[`lone ${generation}`, generation]])
    expect(reader.get(generation % DOCUMENTS)?.generation).toBe(generation)
    expect(reader.has(`lone ${generation - 1}`)).toBe(false)
    expect(reader.stats()).toMatchObject({ documents: DOCUMENTS + 1, sequence: generation })
    const all = [...reader.documents()].map((document) => document.generation)
    expect(all).toEqual(Array(DOCUMENTS + 1).fill(generation))
    this.looks++
    return generation
  }

  /** The same, of a reader that goes on. */
  follow(reader: Readable): void {
    const generation = this.look(reader)
    expect(generation).toBeGreaterThanOrEqual(this.generation)
    if (generation > this.generation) this.moments++
    this.generation = generation
  }

  /** The same text has the same score, whenever it is seen. */
  #expectScores(generation: number, scores: ReadonlySet<number>): void {
    expect(scores.size).toBe(1)
    const [score] = [...scores] as [number]
    const frequency = frequencyOf(generation)
    expect(score).toBe(this.#scores.get(frequency) ?? score)
    this.#scores.set(frequency, score)
  }
}
