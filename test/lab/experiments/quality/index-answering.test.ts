/** A world that answers as an index does: the same words, fields and scores, and the queries that it has learnt. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Freshdex, type OpenOptions } from '../../../../src/index.js'
import {
  answeringNotes,
  answeringOf,
  asIndexed,
  askedOf,
  type IndexAnswering,
  scoringAsIndexed,
} from '../../../../src/lab/experiments/quality/index-answering.js'
import { loadQualityInput } from '../../../../src/lab/experiments/quality/input.js'
import { runQualityTask } from '../../../../src/lab/experiments/quality/run.js'
import type { QualitySpec } from '../../../../src/lab/experiments/quality/spec.js'
import { countWorld } from '../../../../src/lab/quality/counted-world.js'
import { scoreVersions } from '../../../../src/lab/quality/version-scores.js'
import { writeSnapshotFolder } from '../../../../src/lab/worlds/snapshot-writer.js'
import { page, stepsOf, worldOf } from '../../quality/small-worlds.js'
import { WorldPlace } from '../../worlds/world-reading.js'

type Options = OpenOptions<Record<string, unknown>>

async function answering(options: Partial<Options>, hasLinks = false): Promise<IndexAnswering> {
  const fields = { title: { boost: 3 }, body: { boost: 0.5 } }
  await using index = await Freshdex.open<Record<string, unknown>>(':memory:', { key: 'url', fields, ...options })
  return answeringOf('pages.idx', index.stats(), hasLinks)
}

const FIRST = [
  page('/ferry', 'ferries leave the harbour at dawn', 'Ferries'),
  page('/market', 'a market of fish and a ferry', 'Markets'),
  page('/boats', 'boats boats boats for the ferry ferry', 'Boats'),
]
const STEPS = stepsOf({ put: FIRST }, { put: [page('/market', 'fish and bread', 'Ferry market')] }, {})
const ASKED = [
  { query: 'ferry', count: 5 },
  { query: 'markets', count: 2 },
]

describe('the scores of a world as of an index', () => {
  const cases: Record<string, Partial<Options>> = {
    'bm25 with other constants, english': { analyzer: 'english', scoring: { model: 'bm25', k1: 0.4, b: 0.2 } },
    'tfidf, standard': { scoring: 'tfidf' },
    'no title': { fields: { content: { boost: 2 } } },
    'title alone': { fields: { title: {} } },
  }
  for (const [name, options] of Object.entries(cases)) {
    it(`are those of its search: ${name}`, async () => {
      const told = await answering(options)
      const { analyzer, fields } = told
      const counted = await countWorld(asIndexed(worldOf(STEPS), told), ASKED, { pages: 'all', analyzer })
      const { matchEnds, queries, scores } = scoreVersions(counted, scoringAsIndexed(told, undefined))
      await using index = await Freshdex.open<Record<string, unknown>>(':memory:', {
        ...{ key: 'url', fields: { title: { boost: 3 }, body: { boost: 0.5 } }, workload: false, ...options },
      })
      const put = FIRST.map(({ url, title, text }) => ({
        url,
        ...(fields.title === null ? {} : { [fields.title.name]: title }),
        ...(fields.text === null ? {} : { [fields.text.name]: text }),
      }))
      await index.write({ put })
      for (const [number, { query }] of ASKED.entries()) {
        const found = FIRST.flatMap(({ url }, version) => {
          for (let at = matchEnds[version - 1] ?? 0; at < matchEnds[version]!; at++)
            if (queries[at] === number) return [{ key: url, score: scores[at]! }]
          return []
        })
        const { hits } = index.search(query)
        expect(found.map(({ key }) => key).sort()).toEqual(hits.map(({ key }) => key).sort())
        for (const { key, score } of found) expect(score).toBeCloseTo(hits.find((hit) => hit.key === key)!.score, 12)
      }
    })
  }
})

describe('what is taken over of an index', () => {
  it('names the fields that stand for title and text, and those that are left out', async () => {
    const fields = { tags: {}, title: {}, body: { boost: 4 } }
    const told = await answering({ fields, scoring: 'tfidf', analyzer: 'english' })
    expect(told).toEqual({
      ...{ index: 'pages.idx', analyzer: 'english', model: 'tfidf', leftOutFields: ['tags'] },
      fields: { title: { name: 'title', boost: 1 }, text: { name: 'body', boost: 4 } },
    })
    expect(answeringNotes(told)).toEqual([
      'Scores are those of the index pages.idx: tfidf, words by the analyzer english; title is its field title ' +
        '(boost 1), text is its field body (boost 4).',
      'Left out: the field tags of the index, which pages of a world do not have.',
    ])
    expect((await answering({ fields: { notes: {} } })).fields).toEqual({
      title: null,
      text: { name: 'notes', boost: 1 },
    })
  })

  it('uses a weight that is the inlinks of pages, and says why it leaves another one out', async () => {
    const weighted = (weight: string, alpha = 1) => ({ scoring: { weight, alpha, beta: 0.5 } })
    const linked = await answering(weighted('inlinks', 2), true)
    expect(scoringAsIndexed(linked, new Map([['/ferry', 3]]))).toMatchObject({ alpha: 2, beta: 0.5, model: 'bm25' })
    expect(answeringNotes(linked).at(-1)).toContain('2 · text + 0.5 · inlinks')
    expect(answeringNotes(await answering(weighted('inlinks'))).at(-1)).toContain('has no links.ndjson.gz')
    const other = await answering(weighted('sales'), true)
    expect(answeringNotes(other).at(-1)).toMatch(/^Left out: the weight sales .* called inlinks\. Texts alone/)
    expect(scoringAsIndexed(other, undefined)).not.toHaveProperty('beta')
    await expect(answering(weighted('sales', 0), true)).rejects.toThrow('scores by the weight sales alone')
  })

  it('is nothing where a world cannot answer as the index does', async () => {
    const analyzer = { name: 'letters', version: '1', analyze: (text: string) => [...text] }
    await expect(answering({ analyzer })).rejects.toThrow('by the analyzers standard and english, the index by letters')
    await expect(answering({ fields: { name: {}, maker: {} } })).rejects.toThrow('(name, maker) none is called title')
  })

  it('asks what the index has learnt, by counts that stay the same while weights fade', async () => {
    await using index = await Freshdex.open<Record<string, unknown>>(':memory:', { key: 'url', fields: { text: {} } })
    const log = [
      ['ferry', 7],
      ['fish market', 3],
      ['dawn', 1],
    ] as const
    expect(() => askedOf(index.workload, 10)).toThrow('has learnt no query yet')
    await index.workload.load(log, { at: Date.now() - 40 * 86_400_000 })
    const { workload } = index
    const later = { privacy: workload.privacy, queries: () => workload.queries({ at: Date.now() + 1e9 }) }
    const asked = askedOf(workload, 2)
    expect(asked).toEqual(askedOf(later, 3).slice(0, 2))
    expect(asked).toEqual([
      { query: 'ferry', count: 1e6 },
      { query: 'fish market', count: 428571.429 },
    ])
    await using hashed = await Freshdex.open<Record<string, unknown>>(':memory:', {
      ...{ key: 'url', fields: { text: {} }, workload: { privacy: 'hash' } },
    })
    await hashed.workload.load(log)
    expect(() => askedOf(hashed.workload, 10)).toThrow('only hashes of queries')
  })
})

describe('a run of the experiment as an index answers', () => {
  const place = new WorldPlace()
  const folder = place.path('site')
  beforeAll(() => writeSnapshotFolder(worldOf(STEPS), folder))
  afterAll(() => place.remove())

  it('reads words as the index does, in its own count and in the index that it measures by', async () => {
    const spec: QualitySpec = { data: folder, scoring: 'bm25', queries: 10, pages: 'always', seed: 1, asked: ASKED }
    const standard = await loadQualityInput({ ...spec, policies: ['uniform', 'quality-utility'] })
    const english = await loadQualityInput({
      ...{ ...spec, policies: ['uniform', 'quality-utility'], estimators: ['full'] },
      answering: await answering({ analyzer: 'english' }),
    })
    // Boats, ferry, market, market later. Only the stemmer finds ferry in "ferries", and markets in "Ferry market".
    expect([standard, english].map(({ scores }) => [...scores.matchEnds])).toEqual([
      [1, 1, 3, 4],
      [1, 2, 4, 6],
    ])
    expect(english.gains.full!.at(-1)).toBeGreaterThan(0)
    expect(english.untouchedQuality).not.toBe(standard.untouchedQuality)
    const row = await runQualityTask(english, { policy: 'quality-utility', mode: 'online', budgetShare: 0.5 })
    expect(row.meanQuality).toBeGreaterThan(english.untouchedQuality)
  })

  it('must be scored by the model of the index, and in a folder', async () => {
    const told = await answering({})
    const spec: QualitySpec = { data: folder, scoring: 'tfidf', queries: 10, pages: 'always', seed: 1, answering: told }
    await expect(loadQualityInput(spec)).rejects.toThrow('scoring must be that of the index, bm25, received tfidf')
    const data = { world: 'one-daily', pages: 10, steps: 3 } as const
    await expect(loadQualityInput({ ...spec, scoring: 'bm25', data })).rejects.toThrow('not for a generated world')
  })
})
