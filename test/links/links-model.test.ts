/**
 * Random documents that link to each other, and to keys that are no documents, against the naive twin: after every
 * batch the answers are those of an index that was given the texts of links as a field and their number as a weight.
 */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Analyzer, Freshdex, type OpenOptions, type PageLink, type Query } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { difference } from '../model/comparison.js'
import { standardTokens, withoutAccents } from '../model/configurations.js'
import { HitOrder } from '../model/hit-order.js'
import type { NaiveConfig, NaiveKey } from '../model/naive-index.js'
import { generateQuery } from '../model/query-generator.js'
import { inventText, inventWord, type TextShape, Vocabulary } from '../support/corpus.js'
import { rounds } from '../support/rounds.js'
import { type SeededRandom, seededRandom, withSeed } from '../support/seed.js'
import { type LinkingPage, LinksTwin } from './links-twin.js'

/** Writes of single documents in each of the four runs: 20,000 in all. */
const OPERATIONS = rounds(5_000, 50_000)
const LARGEST_BATCH = 12
const MOST_DOCUMENTS = 60
const ALL = { limit: 1_000, learn: false }

const capitals: Analyzer = {
  name: 'capitals',
  version: '1',
  analyze: (text) => standardTokens(text).map((token) => token.toUpperCase()),
  normalize: (word) => word.toUpperCase(),
}

interface Run {
  readonly name: string
  readonly isOnDisk: boolean
  readonly options: Partial<OpenOptions<LinkingDocument>>
  readonly twin?: Partial<NaiveConfig>
}

interface LinkingDocument extends LinkingPage {
  readonly anchors?: string
}

const RUNS: readonly Run[] = [
  { name: 'in memory', isOnDisk: false, options: {} },
  {
    name: 'an analyzer of the user',
    isOnDisk: false,
    options: { analyzer: capitals },
    twin: {
      seesOnlyTokens: true,
      analyze: (text) => standardTokens(text).map((token) => token.toUpperCase()),
      normalize: (word) => word.toUpperCase(),
    },
  },
  { name: 'in a folder', isOnDisk: true, options: { upkeep: { logBytes: 20_000, foldPostings: 100 } } },
  { name: 'in a folder, nothing stored', isOnDisk: true, options: { store: false } },
]

describe('links and their targets', () => {
  it.each(RUNS)('agree with the naive twin: $name', { timeout: rounds(300_000, 3_000_000) }, async (run) => {
    await withSeed(`links ${run.name}`, async (seed) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'freshdex-links-'))
      try {
        const place = run.isOnDisk ? path.join(folder, 'index') : ':memory:'
        await new LinkRun(seededRandom(`links ${run.name}`, seed), run, place).play()
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
  })
})

class LinkRun {
  readonly #random: SeededRandom
  readonly #run: Run
  readonly #place: string
  readonly #twin: LinksTwin
  readonly #shape: TextShape
  readonly #order = new HitOrder()
  #index!: Freshdex<LinkingDocument>

  constructor(random: SeededRandom, run: Run, place: string) {
    this.#random = random
    this.#run = run
    this.#place = place
    this.#shape = { vocabulary: new Vocabulary(random, 120) }
    this.#twin = new LinksTwin({
      key: 'id',
      fields: [
        { name: 'body', boost: 1 },
        { name: 'anchors', boost: 2 },
      ],
      scoring: { model: 'bm25', k1: 1.2, b: 0.75 },
      weight: { property: 'weight', alpha: 1, beta: 0.25 },
      analyze: standardTokens,
      normalize: withoutAccents,
      ...run.twin,
    })
  }

  async play(): Promise<void> {
    await this.#open()
    for (let operations = 0; operations < OPERATIONS; ) {
      operations += await this.#write()
      if (this.#random.chance(0.02)) await this.#upkeep()
      this.#compare()
    }
    await this.#upkeep()
    for (let nth = 0; nth < 50; nth++) this.#compare()
    await this.#index.close()
  }

  async #open(): Promise<void> {
    this.#index = await Freshdex.open<LinkingDocument>(this.#place, {
      key: 'id',
      fields: { body: {}, anchors: { from: 'out', boost: 2 } },
      scoring: { weight: { from: 'out' }, beta: 0.25 },
      ...this.#run.options,
    })
  }

  async #write(): Promise<number> {
    const random = this.#random
    const used = new Set<NaiveKey>()
    const [put, remove]: [LinkingPage[], NaiveKey[]] = [[], []]
    const crowding = this.#twin.keys().length / MOST_DOCUMENTS
    for (let size = random.between(1, LARGEST_BATCH); size > 0; size--) {
      const key = this.#key()
      if (used.has(key)) continue
      used.add(key)
      if (random.chance(0.1 + 0.4 * crowding)) remove.push(key)
      else put.push(this.#page(key))
    }
    const before = new Set(this.#twin.keys())
    const own = put.filter(({ id }) => before.has(id))
    const unchanged = own.filter(({ id, body }) => this.#twin.document(id)?.body === body).length
    this.#twin.write(put, remove)
    for (const { id } of put) if (!before.has(id)) this.#order.added(id)
    for (const key of remove) this.#order.removed(key)
    const report = await this.#index.write({ put, remove })
    // With an analyzer of the user, the index can tell documents apart by their tokens only.
    if (this.#run.twin === undefined) expect(report).toMatchObject({ unchanged, replaced: own.length - unchanged })
    return put.length + remove.length
  }

  /** Few keys, so that links find documents, and documents links that were there before them. */
  #key(): NaiveKey {
    const number = this.#random.between(0, MOST_DOCUMENTS)
    return this.#random.chance(0.3) ? number : `/page/${number}`
  }

  #page(id: NaiveKey): LinkingPage {
    const random = this.#random
    const known = this.#twin.document(id)
    const keepsBody = known !== undefined && random.chance(0.5)
    const keepsLinks = known !== undefined && random.chance(0.3)
    return {
      id,
      body: keepsBody ? known.body : inventText(random, this.#shape, random.between(1, 5)),
      ...(keepsLinks ? (known.out === undefined ? {} : { out: known.out }) : this.#links(known?.out ?? [])),
    }
  }

  #links(known: readonly PageLink[]): { out?: PageLink[] } {
    const random = this.#random
    if (random.chance(0.1)) return {}
    const kept = random.shuffle(known).filter(() => random.chance(0.7))
    const added = Array.from({ length: random.int(5) }, () => ({ to: this.#key(), ...this.#text() }))
    return { out: [...kept, ...added] }
  }

  #text(): { text?: string } {
    const random = this.#random
    if (random.chance(0.1)) return random.chance(0.5) ? {} : { text: '' }
    const words = Array.from({ length: random.between(1, 4) }, () => inventWord(random, this.#shape))
    return { text: words.join(random.chance(0.05) ? '\n' : ' ') }
  }

  async #upkeep(): Promise<void> {
    if (this.#random.chance(0.4)) await this.#index.compact()
    const report = await this.#index.check()
    expect(report.faults).toEqual([])
    // Pages that were removed, or are in the frontier no more for other reasons, are not put there again.
    for (const key of this.#twin.keys()) {
      if (typeof key === 'string') expect(await this.#index.frontier.explain(key)).toBeUndefined()
    }
    if (!this.#run.isOnDisk) return
    await this.#index.close()
    await this.#open()
  }

  #compare(): void {
    const source = { random: this.#random, twin: this.#twin.index, shape: this.#shape, fields: ['body', 'anchors'] }
    const query = generateQuery(source)
    const answer = this.#index.search(query as Query, ALL)
    const hits = answer.hits.map(({ key, score }) => ({ key: key as NaiveKey, score }))
    const found = difference(
      { ...answer, hits },
      this.#twin.index.search(query),
      { limit: ALL.limit, offset: 0 },
      this.#order,
    )
    if (found !== undefined) throw new Error(`${JSON.stringify(query)}: ${found}`)
  }
}
