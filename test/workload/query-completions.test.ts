/** Completions of queries against a scan of all of them. */
import { describe, expect, it } from 'vitest'
import { plainText } from '../../src/base/plain-text.js'
import { NearBeginnings } from '../../src/workload/near-beginnings.js'
import { QueryCompletions } from '../../src/workload/query-completions.js'
import { QueryLog } from '../../src/workload/query-log.js'
import { editDistance } from '../model/naive-scoring.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const LETTERS = ['a', 'b', 'c', 'É', 'ü', ' ', '😀', 'Z']

function randomText(random: SeededRandom, longest: number): string {
  return Array.from({ length: random.between(1, longest) }, () => random.pick(LETTERS)).join('')
}

/** The fewest edits of a beginning; undefined where none is near. */
function nearest(given: string, text: string, edits: number): number | undefined {
  const [word, points] = [[...given], [...text]]
  const isSwapped = word.length > 1 && points[0] === word[1] && points[1] === word[0]
  if (points[0] !== word[0] && !isSwapped) return undefined
  const distances = points.map((_, at) => editDistance(word, points.slice(0, at + 1)))
  const least = Math.min(word.length, ...distances)
  return least > edits ? undefined : least
}

describe('completions of queries', () => {
  it('are those of a scan, whatever is added, raised and deleted', () => {
    withSeed('query completions', (seed) => {
      const random = new SeededRandom(seed)
      for (let life = 0; life < rounds(6, 60); life++) {
        const completions = new QueryCompletions(plainText)
        const twin = new Map<string, number>()
        for (let step = 0; step < 3000; step++) {
          const way = random.next()
          if (way < 0.75) {
            const name = randomText(random, 7)
            const rank = Math.max(twin.get(name) ?? 0, random.between(1, 40))
            completions.set(name, rank)
            twin.set(name, rank)
          } else if (way < 0.9 && twin.size > 0) {
            const name = random.pick([...twin.keys()].slice(-20))
            completions.delete(name)
            twin.delete(name)
          } else if (step % 5 === 0) compare(random, completions, twin)
        }
        expect(completions.size).toBe(twin.size)
      }
    })
  })

  function compare(random: SeededRandom, completions: QueryCompletions, twin: ReadonlyMap<string, number>): void {
    const text = plainText(randomText(random, 6))
    if (text === '') return
    const limit = random.between(1, 12)
    const all = Array.from(twin, ([name, rank]) => ({ name, rank, plain: plainText(name) }))
    all.sort((a, b) => b.rank - a.rank || (a.name < b.name ? -1 : 1))
    const begun = all.filter(({ plain }) => plain.startsWith(text)).slice(0, limit)
    expect(completions.beginningWith(text, limit)).toEqual(begun.map(({ name }) => ({ name, edits: 0 })))
    const edits = random.between(1, 2)
    const near = all
      .map(({ name, plain }) => ({ name, edits: nearest(text, plain, edits) ?? 0 }))
      .filter((query) => query.edits > 0)
    near.sort((a, b) => a.edits - b.edits)
    expect(completions.nearTo(text, edits, limit), text).toEqual(near.slice(0, limit))
  }

  it('know the fewest edits of a beginning', () => {
    withSeed('near beginnings', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < rounds(300, 3000); round++) {
        const given = randomText(random, 6)
        const edits = random.between(1, 2)
        const near = new NearBeginnings(given, edits)
        const texts = Array.from({ length: 20 }, () => randomText(random, 8)).sort()
        for (const text of texts) {
          const isLed = near.leads().some((lead) => text.startsWith(lead))
          const distance = isLed ? near.distance(text) : -1
          expect(distance < 0 || distance > edits ? undefined : distance, `${given} ${text}`).toBe(
            nearest(given, text, edits),
          )
        }
      }
    })
  })

  it('of a log follow what it records, drops, forgets and takes over', () => {
    const log = new QueryLog({ maxQueries: 4, halfLifeMs: 1000 })
    log.record('kube pods', 5, 0)
    expect(log.completions.beginningWith('k', 9)).toEqual([{ name: 'kube pods', edits: 0 }])
    log.record('kite', 1, 5000)
    // Five, five half-lives ago, are less than one.
    expect(log.completions.beginningWith('k', 9).map(({ name }) => name)).toEqual(['kite', 'kube pods'])
    expect(log.weightOf('kube pods', 5000)).toBeCloseTo(5 / 32)
    log.record('kube pods', 2, 5000)
    expect(log.completions.beginningWith('k', 1).map(({ name }) => name)).toEqual(['kube pods'])
    log.forget('kube pods')
    expect(log.completions.beginningWith('k', 9).map(({ name }) => name)).toEqual(['kite'])
    for (let at = 0; at < 20; at++) log.record(`k${at}`, 1, 5000)
    expect(log.completions.size).toBe(log.size)
    const rows = log.changedRows().rows
    log.clear()
    expect(log.completions.size).toBe(0)
    log.restore([])
    const other = new QueryLog()
    expect(other.completions.size).toBe(0)
    other.restore(rows)
    expect(other.completions.size).toBe(rows.length)
    // A query that is known by the hashes of its words only.
    other.record('0123456789abcdef', 1, 5000)
    expect(other.completions.beginningWith('0', 9)).toEqual([])
    expect(other.weightOf('no such query', 0)).toBe(0)
  })
})
