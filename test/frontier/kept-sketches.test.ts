/** Sketches that are kept from one cycle to the next say what sketches say that are made anew. */
import { describe, expect, it } from 'vitest'
import { Pauses } from '../../src/base/turns.js'
import { AskedQueries } from '../../src/frontier/asked-queries.js'
import { judgeFrontier } from '../../src/frontier/cycle.js'
import { readImpactRules } from '../../src/frontier/cycle-rules.js'
import type { FrontierPage } from '../../src/frontier/frontier-page.js'
import { FrontierPages } from '../../src/frontier/frontier-pages.js'
import { PAIR_FEATURES } from '../../src/frontier/impact/expected-score.js'
import { KeptSketches } from '../../src/frontier/kept-sketches.js'
import { Lessons } from '../../src/frontier/lessons.js'
import { DEFAULT_VIEW, powerView } from '../../src/workload/view-likelihood.js'
import { rounds } from '../support/rounds.js'
import { type SeededRandom, seededRandom } from '../support/seed.js'
import { queries as randomQueries, START, wordsFrom } from './meadow.js'

const ROUNDS = rounds(300, 3000)

/** All that a cycle looks at, and random changes of it. */
class World {
  readonly pages = new FrontierPages()
  readonly queries = new AskedQueries()
  lessons = new Lessons()
  view = DEFAULT_VIEW
  rules = readImpactRules({})
  #workload: { name: string; weight: number }[] = []
  readonly #random: SeededRandom

  constructor(random: SeededRandom) {
    this.#random = random
  }

  async begin(): Promise<void> {
    this.#workload = randomQueries(this.#random, 40).map(([name, weight]) => ({ name, weight }))
    for (let nth = 0; nth < 60; nth++) this.#addPage()
    await this.#follow()
    for (let row = 0; row < this.queries.size; row++) this.#answer(row)
  }

  cycle() {
    const { pages, queries, lessons, view, rules } = this
    const best = () => ({ numbers: new Uint32Array(), scores: new Float64Array() })
    return { pages, queries, lessons, view, rules, sequence: 1, best, numberOf: () => undefined }
  }

  async change(): Promise<void> {
    const random = this.#random
    const what = random.int(20)
    if (what < 4) this.#addPage()
    else if (what < 6) this.#changePage({ inlinks: random.int(50) })
    else if (what < 8) this.#changePage({ anchors: wordsFrom(random, 4).join(' ') })
    else if (what < 10) this.#changePage(undefined)
    else if (what < 14) this.#answer(random.int(this.queries.size))
    else if (what === 14) await this.#askOther()
    else if (what === 15) await this.#weigh()
    else if (what === 16) this.#learn()
    else if (what === 17) this.view = random.pick([DEFAULT_VIEW, powerView(1), powerView(1.5)])
    else if (what === 18)
      this.rules = readImpactRules({ rho: random.pick([1, 0.5]), visibleRanks: random.pick([10, 3]) })
    // Nothing changes.
  }

  #addPage(): void {
    const random = this.#random
    const url = `https://new${random.int(4)}.example/${wordsFrom(random, 3).join('-')}/${random.int(30)}`
    const known = this.pages.find(url)
    const anchors = wordsFrom(random, 4).join(' ')
    const id = known?.id ?? this.pages.newNumber()
    this.pages.set({ id, url, anchors, inlinks: random.int(50), addedMs: START, fetchedMs: undefined })
  }

  #changePage(values: Partial<FrontierPage> | undefined): void {
    const page = this.pages.page(this.#random.int(Math.max(1, this.pages.end)))
    if (page === undefined) return
    if (values === undefined) this.pages.delete(page.url)
    else this.pages.set({ ...page, ...values })
  }

  #answer(row: number): void {
    const scores = Float64Array.from({ length: this.#random.int(21) }, () => 5 * this.#random.next() + 0.1)
    scores.sort().reverse()
    this.queries.setAnswers(
      row,
      1,
      Uint32Array.from(scores, (_, at) => at + 1),
      scores,
    )
  }

  async #askOther(): Promise<void> {
    const [name, weight] = randomQueries(this.#random, 1)[0]!
    if (this.#workload.every((query) => query.name !== name)) this.#workload.push({ name, weight })
    this.#workload.splice(this.#random.int(this.#workload.length), 1)
    await this.#follow()
  }

  async #weigh(): Promise<void> {
    const heavier = this.#random.pick(this.#workload)
    this.#workload = this.#workload.map((query) => (query === heavier ? { ...query, weight: query.weight + 3 } : query))
    await this.#follow()
  }

  async #follow(): Promise<void> {
    const sorted = [...this.#workload].sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1))
    await this.queries.update(sorted, new Pauses())
  }

  #learn(): void {
    this.lessons = new Lessons(this.lessons)
    for (let nth = 0; nth < 60; nth++) {
      const features = Float64Array.from(PAIR_FEATURES, () => this.#random.next())
      this.lessons.addPair(features, 5 * features[0]! * this.#random.int(2))
    }
    this.lessons.addPage('new1.example', [1, 2], 2, 5)
  }
}

describe('kept sketches', () => {
  it('give the impacts of sketches made anew, whatever has changed in between', async () => {
    const random = seededRandom('kept sketches')
    const world = new World(random)
    await world.begin()
    const kept = new KeptSketches()
    let [made, reused] = [0, 0]
    for (let round = 0; round < ROUNDS; round++) {
      for (let change = random.int(3); change > 0; change--) await world.change()
      const fresh = new KeptSketches()
      const expected = await judgeFrontier(world.cycle(), fresh, new Pauses())
      const found = await judgeFrontier(world.cycle(), kept, new Pauses())
      expect(found).toEqual(expected)
      expect(kept.counts.made + kept.counts.reused).toBe(fresh.counts.made)
      made += kept.counts.made
      reused += kept.counts.reused
    }
    // Most changes are of one page or one query.
    expect(reused).toBeGreaterThan(made)
    expect(kept.memoryBytes).toBeGreaterThan(0)
  })

  it('are all there where nothing has changed, and only those are made that a page concerns', async () => {
    const world = new World(seededRandom('kept sketches, a page'))
    await world.begin()
    const kept = new KeptSketches()
    const judge = () => judgeFrontier(world.cycle(), kept, new Pauses())
    const queries = world.queries.size
    await judge()
    expect(kept.counts).toEqual({ made: queries, reused: 0 })
    await judge()
    expect(kept.counts).toEqual({ made: 0, reused: queries })
    const id = world.pages.newNumber()
    const page = { id, url: 'https://new.example/moss', anchors: '', inlinks: 1, addedMs: START, fetchedMs: undefined }
    world.pages.set(page)
    const concerned = Array.from({ length: queries }, (_, row) => world.queries.name(row)).filter((q) => q === 'moss')
    await judge()
    expect(kept.counts).toEqual({ made: concerned.length, reused: queries - concerned.length })
    world.pages.delete(page.url)
    await judge()
    expect(kept.counts).toEqual({ made: concerned.length, reused: queries - concerned.length })
    // A cycle that ends early, and pages that came before and during it.
    world.pages.set(page)
    const pauses = new Pauses(() => {
      world.pages.set({ ...page, id: world.pages.newNumber(), url: `${page.url}-fern/${world.pages.end}` })
      throw new Error('closed')
    })
    await expect(judgeFrontier(world.cycle(), kept, pauses)).rejects.toThrow('closed')
    expect(await judge()).toEqual(await judgeFrontier(world.cycle(), new KeptSketches(), new Pauses()))
  })
})
