/**
 * Words that no document has any more go at a compaction, and nothing else: answers, histories, change profiles and
 * what a write does to the rankings are those of a twin that never compacts, whoever holds, follows, copies or salvages
 * the index meanwhile. FRESHDEX_LONG=1: ten times the rounds.
 */
import { Freshdex, type OpenOptions, type Snapshot, salvage } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { BUSY } from './specimen.js'
import { newPath } from './temporary-folder.js'

interface Page {
  id: number
  title: string
  body: string
}

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 0, 1)
const KEYS = 24
const OPTIONS: OpenOptions<Page> = {
  key: 'id',
  fields: { title: { boost: 2 }, body: {} },
  analyzer: 'english',
  workload: { halfLifeMs: Number.POSITIVE_INFINITY },
}

/** Half of the words are of no other page and no other version; the others come and go. */
function pageOf(random: SeededRandom, id: number, version: number): Page {
  const words = Array.from({ length: random.between(6, 30) }, (_, at) =>
    random.chance(0.5) ? `page${id}version${version}word${at}s` : `shared${random.int(15)}`,
  )
  return { id, title: `shared${id % 7} title`, body: words.join(' ') }
}

const QUERIES = ['shared1', 'shared2 shared3', 'shared4 OR shared5', '"shared1 shared2"', 'title shared6', 'shared*']

function answersOf(reader: Pick<Snapshot<Page>, 'search' | 'get'>): object {
  return [...QUERIES, 'page3version1word2s', 'pag*', 'sharde7~'].map((query) => {
    const { total, hits } = reader.search(query, { limit: 100, docs: true, learn: false })
    // Those of the same score are in the order of their numbers, which depend on who holds what.
    const byKey = hits.map(({ key, score, doc }) => ({ key: Number(key), score, doc })).sort((a, b) => a.key - b.key)
    return { query, total, hits: byKey }
  })
}

function historiesOf(index: Freshdex<Page>, at: number): object {
  const told = Array.from({ length: KEYS }, (_, id) => index.refresh.explain(id, { at }))
  // Sums over all pages are taken in another order after an opening.
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value)
  return JSON.parse(JSON.stringify(told, rounded))
}

async function expectAnswers(folder: string, answers: object): Promise<void> {
  const index = await Freshdex.open<Page>(folder, OPTIONS)
  expect(answersOf(index)).toEqual(answers)
  expect(await index.check({ level: 3 })).toMatchObject({ ok: true, faults: [] })
  await index.close()
}

describe('words that no document has any more', () => {
  for (const place of ['in memory', 'in a folder'] as const) {
    it(`leave nothing behind ${place}`, async () => {
      const path = place === 'in memory' ? ':memory:' : newPath()
      const index = await Freshdex.open<Page>(path, OPTIONS)
      for (let round = 0; round < 20; round++) {
        const body = (id: number) => Array.from({ length: 25 }, (_, at) => `w${round}x${id}x${at}`).join(' ')
        await index.write({ put: Array.from({ length: 100 }, (_, id) => ({ id, title: '', body: body(id) })) })
      }
      expect(index.stats().terms).toBe(50_000)
      const before = index.stats().memory.terms
      await index.write({ remove: Array.from({ length: 100 }, (_, id) => id) })
      await index.compact()
      expect(await index.check({ level: 3 })).toMatchObject({ ok: true, documents: 0, terms: 0 })
      expect(index.stats().terms).toBe(0)
      expect(index.stats().memory.terms).toBeLessThan(before / 100)
      if (place === 'in a folder') expect(index.stats().disk?.segmentBytes).toBeLessThan(20_000)
      await index.write({ put: [{ id: 1, title: 'again', body: 'w0x0x0 and words' }] })
      expect(index.search('w0x0x0').total).toBe(1)
      await index.close()
      if (place === 'in memory') return
      const reopened = await Freshdex.open<Page>(path, OPTIONS)
      expect(reopened.search('w0x0x0').total).toBe(1)
      expect(await reopened.check({ level: 3 })).toMatchObject({ ok: true, documents: 1 })
      await reopened.close()
    })
  }

  it('are missed by nobody: not by snapshots, followers, copies, histories or the measurement', async () => {
    await withSeed('unused words', async (seed) => {
      const random = new SeededRandom(seed)
      const folder = newPath()
      let now = START_MS
      const options = { ...OPTIONS, now: () => now }
      let index = await Freshdex.open<Page>(folder, { ...options, upkeep: BUSY })
      const twin = await Freshdex.open<Page>(':memory:', options)
      const both = async (act: (index: Freshdex<Page>) => unknown) => {
        await act(index)
        await act(twin)
      }
      await both((one) =>
        one.write({ put: Array.from({ length: KEYS }, (_, id) => pageOf(new SeededRandom(id), id, 0)) }),
      )
      for (const query of QUERIES.slice(0, 5)) await both((one) => one.workload.record(query))
      await both((one) => one.refresh.fit())
      const follower = await Freshdex.open<Page>(folder, { readOnly: true, now: () => now })
      const held: { snapshot: Snapshot<Page>; answers: object }[] = []
      let reclaims = 0
      for (let round = 1; round <= rounds(30, 300); round++) {
        now += DAY_MS / 4
        const put = Array.from({ length: random.between(1, 6) }, () => random.int(KEYS))
        const pages = [...new Set(put)].map((id) => pageOf(random, id, round))
        const remove = random.chance(0.2) ? [random.int(KEYS)] : []
        const batch = { put: pages.filter(({ id }) => !remove.includes(id)), remove }
        // Fits that begin by themselves come when there is time for them, and an opening looks at statistics anew:
        // behind this one both measure alike, and a compaction comes in between.
        await both((one) => one.refresh.fit())
        if (random.chance(0.3)) {
          const { terms } = index.stats()
          await index.compact()
          if (index.stats().terms < terms) reclaims++
        }
        const gains = []
        for (const one of [index, twin]) {
          const report = await one.write(batch)
          gains.push({ added: report.added, replaced: report.replaced, gains: report.gains })
        }
        expect(gains[0], `gains of round ${round}`).toEqual(gains[1])
        if (random.chance(0.4)) {
          const { terms } = index.stats()
          await index.compact()
          if (index.stats().terms < terms) reclaims++
        }
        if (random.chance(0.5)) {
          await follower.catchUp()
          expect(answersOf(follower), `what a follower sees in round ${round}`).toEqual(answersOf(twin))
        }
        if (random.chance(0.3)) held.push({ snapshot: index.snapshot(), answers: answersOf(twin) })
        if (random.chance(0.1)) {
          for (const { snapshot, answers } of held.splice(0)) {
            expect(answersOf(snapshot)).toEqual(answers)
            snapshot.close()
          }
          await index.close()
          index = await Freshdex.open<Page>(folder, { ...options, upkeep: BUSY })
        }
        expect(answersOf(index), `answers of round ${round}`).toEqual(answersOf(twin))
      }
      expect(reclaims).toBeGreaterThan(2)
      for (const { snapshot, answers } of held) expect(answersOf(snapshot)).toEqual(answers)
      await both((one) => one.refresh.fit())
      expect(historiesOf(index, now)).toEqual(historiesOf(twin, now))
      expect(await index.check({ level: 3 })).toMatchObject({ ok: true, faults: [] })
      const copy = newPath('copy')
      await index.backup(copy)
      await index.close()
      await follower.close()
      await expectAnswers(copy, answersOf(twin))
      const saved = newPath('saved')
      expect(await salvage(folder, saved)).toMatchObject({ lost: [], problems: [] })
      await expectAnswers(saved, answersOf(twin))
      await twin.close()
    })
  })
})
