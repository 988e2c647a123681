/**
 * A day of churn in fast forward: every minute some pages come with words that nobody ever had, others go, and people
 * ask for what nobody asked before; now and then somebody compacts, copies the index, follows it, or opens it anew.
 * Nothing grows with the time that has passed, and the index is what a map says it is. FRESHDEX_LONG=1: all minutes of
 * the day.
 */
import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { Freshdex, type OpenOptions } from 'freshdex'
import { expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { IS_LONG, rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Page {
  id: string
  body: string
}

const MINUTE_MS = 60_000
const MINUTES = rounds(60, 24 * 60)
const PAGES = 120
const MOST_QUERIES = 200

const OPTIONS: OpenOptions<Page> = {
  key: 'id',
  fields: { body: {} },
  analyzer: 'english',
  workload: { maxQueries: MOST_QUERIES },
  upkeep: { logBytes: 100_000, foldPostings: 200, partitionBytes: 20_000 },
}

const sizeOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0)

test('a day of words and queries that come and go leaves no more than an hour does', async () => {
  await withSeed('churn', async (seed) => {
    const random = new SeededRandom(seed)
    const folder = newPath()
    let now = Date.UTC(2026, 0, 1)
    const open = () => Freshdex.open<Page>(folder, { ...OPTIONS, now: () => now })
    let index = await open()
    const reader = await Freshdex.open<Page>(folder, { readOnly: true, now: () => now })
    const bodies = new Map<string, string>()
    /** What the index took after each compaction, by what it is. */
    const taken: { terms: number; memory: number; segments: number; inUse: number }[] = []
    let word = 0
    for (let minute = 1; minute <= MINUTES; minute++) {
      now += MINUTE_MS
      const put = new Map<string, Page>()
      for (let left = random.between(5, 25); left > 0; left--) {
        const id = `page${random.int(PAGES)}`
        const words = Array.from({ length: 40 }, () =>
          random.chance(0.5) ? `session${word++}` : `plain${random.int(400)}`,
        )
        put.set(id, { id, body: words.join(' ') })
      }
      const remove = random.chance(0.3) ? [...bodies.keys()].slice(0, 3).filter((id) => !put.has(id)) : []
      await index.write({ put: [...put.values()], remove })
      for (const { id, body } of put.values()) bodies.set(id, body)
      for (const id of remove) bodies.delete(id)
      for (let asked = 0; asked < 20; asked++) {
        index.search(`plain${random.int(400)} session${random.int(word)}`)
        reader.search(`plain${random.int(400)} ${'x'.repeat(random.int(30))}`)
      }
      await index.refresh.next({ budget: 3 })
      if (minute % 10 === 0) await reader.catchUp()
      if (minute % 15 === 0) {
        await index.workload.flush()
        await index.compact()
        const { terms, memory, workload, disk } = index.stats()
        expect(workload.queries).toBeLessThanOrEqual(MOST_QUERIES)
        const inUse = new Set([...bodies.values()].flatMap((body) => body.split(' '))).size
        taken.push({ terms, memory: memory.total, segments: disk?.segmentBytes as number, inUse })
        // SQLite's own log is up to 40 MB of it.
        expect(sizeOf(folder)).toBeLessThan(60e6)
      }
      if (minute % 40 === 0) {
        await index.close()
        index = await open()
      }
      if (minute % 60 === 0) {
        const copy = newPath('copy')
        await index.backup(copy)
        rmSync(copy, { recursive: true })
      }
    }
    for (const { terms, inUse } of taken) expect(terms).toBeLessThanOrEqual((inUse * 4) / 3 + 1)
    // The first ones are as large as the collection was then; none is much larger than what came before it.
    const [settled, last] = [taken[2]!, taken.at(-1)!]
    expect(last.memory).toBeLessThan(settled.memory * 1.5)
    expect(last.segments).toBeLessThan(settled.segments * 1.5)
    if (IS_LONG) console.info(`seed ${seed}: ${word} words`, settled, last)
    await reader.catchUp()
    for (const one of [index, reader]) {
      expect(new Map([...one.documents()].map(({ id, body }) => [id, body]))).toEqual(bodies)
      for (let at = 0; at < 50; at++) {
        const sought = `plain${random.int(400)}`
        const expected = [...bodies.values()].filter((body) => body.split(' ').includes(sought)).length
        expect(one.search(sought, { learn: false }).total).toBe(expected)
      }
    }
    expect(await index.check({ level: 3 })).toMatchObject({ ok: true, faults: [] })
    await reader.close()
    await index.close()
  })
})
