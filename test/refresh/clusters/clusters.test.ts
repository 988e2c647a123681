/** Clusters through the public face: what they are made of, what they say, that they last, and what goes by them. */
import path from 'node:path'
import Database from 'better-sqlite3'
import { type ClusterReport, Freshdex } from 'freshdex'
import { describe, expect, test, vi } from 'vitest'
import { loadAddon } from '../../../src/core/binding.js'
import { newPath } from '../../storage/temporary-folder.js'
import { DAY_MS, START } from '../orchard.js'

interface Page {
  url: string
  body: string
  links?: number
}

const OPTIONS = { key: 'url', fields: { body: {} }, workload: { learn: false } } as const
const at = (days: number) => START + days * DAY_MS

/**
 * Two families that share neither words nor places: news, which change whenever they are looked at, and laws, which
 * never do.
 */
const NEWS = Array.from({ length: 20 }, (_, nth) => `https://news.example/today/${nth}`)
const LAWS = Array.from({ length: 20 }, (_, nth) => `https://gov.example/law/archive/paragraph${nth}.txt`)

function pageOf(url: string, version = 0): Page {
  const words = url.includes('news') ? 'goal match team storm vote' : 'whereas pursuant section clause statute thereof'
  return { url, body: `${words} ${url.includes('news') ? `edition${version}` : ''}` }
}

async function openFamilies(place: string, days = 6): Promise<Freshdex<Page>> {
  const index = await Freshdex.open<Page>(place, OPTIONS)
  await index.write({ put: [...NEWS, ...LAWS].map((url) => pageOf(url)) }, { at: at(0) })
  // The last two of each family are never looked at again.
  const watched = [...NEWS.slice(0, 18), ...LAWS.slice(0, 18)]
  for (let day = 1; day <= days; day++)
    await index.write({ put: watched.map((url) => pageOf(url, day)) }, { at: at(day) })
  return index
}

function looksOf({ clusters }: Freshdex<Page>) {
  return {
    last: clusters.last(),
    list: clusters.list(),
    explained: [...NEWS, ...LAWS].map((url) => clusters.explain(url)),
  }
}

describe.each([
  ['in memory', () => ':memory:'],
  ['in a folder', () => newPath()],
])('an index %s', (_, place) => {
  test('finds families, and what is seen of some pages is told of the others', async () => {
    await using index = await openFamilies(place())
    expect([index.clusters.last(), index.clusters.list()]).toEqual([undefined, []])
    expect(index.clusters.explain(NEWS[0]!)).toMatchObject({
      cluster: undefined,
      changesPerDay: undefined,
      refreshes: 6,
    })
    const report = await index.clusters.build({ clusters: 2, seed: 7, at: at(7) })
    expect(report).toMatchObject({ at: at(7), seed: 7, documents: 40, clusters: 2 } satisfies Partial<ClusterReport>)
    expect(report.meanCosine).toBeGreaterThan(0.5)
    expect(index.clusters.last()).toEqual(report)
    const clusterOf = (url: string) => index.clusters.explain(url)?.cluster
    for (const family of [NEWS, LAWS])
      expect(new Set(family.map((url) => clusterOf(url)?.cluster)).size, family[0]).toBe(1)
    const [news, laws] = [clusterOf(NEWS[0]!)!, clusterOf(LAWS[0]!)!]
    expect(news.cluster).not.toBe(laws.cluster)
    expect(index.clusters.list().sort((a, b) => a.cluster - b.cluster)).toEqual(
      [news, laws].sort((a, b) => a.cluster - b.cluster),
    )
    expect(news).toMatchObject({ size: 20, known: 18 })
    // 18 pages with φ = 1 - 1/e or 0, and 5 of the mean of both.
    const most = 1 - Math.exp(-1)
    expect(news.changeProbability).toBeCloseTo((18 * most + (5 * most) / 2) / 23, 12)
    expect(laws.changeProbability).toBeCloseTo((5 * most) / 2 / 23, 12)
    expect(news.changesPerDay).toBeGreaterThan(0.8)
    expect(laws.changesPerDay).toBeLessThan(0.1)
    expect(news.nearest).toHaveLength(5)
    for (const key of news.nearest) expect(NEWS).toContain(key)
    expect(news.features).toHaveLength(5)
    for (const { weight } of news.features) expect(Math.abs(weight)).toBeLessThanOrEqual(1)
    // Never refreshed, and yet something is known of it.
    expect(index.clusters.explain(NEWS[19]!)).toMatchObject({
      changeProbability: undefined,
      refreshes: 0,
      changesPerDay: expect.closeTo(news.changesPerDay, 12),
    })
    expect(index.clusters.explain(NEWS[0]!)).toMatchObject({ changeProbability: most, refreshes: 6, changes: 6 })
    expect(index.clusters.explain('nowhere')).toBeUndefined()
  })

  test('has the refreshes of families that change come first, and those of no family are not forgotten', async () => {
    await using index = await openFamilies(place())
    const policy = 'cluster-sampling'
    const order = async (budget: number) =>
      (await index.refresh.next({ budget, at: at(10), policy })).pages.map(({ key }) => key)
    // One group: the oldest first, which were written on the first day.
    expect((await order(4)).sort()).toEqual([...NEWS.slice(18), ...LAWS.slice(18)].sort())
    await index.clusters.build({ clusters: 2 })
    expect((await order(20)).sort()).toEqual([...NEWS].sort())
    await index.write({ put: [pageOf('https://other.example/')] }, { at: at(1) })
    expect(index.clusters.explain('https://other.example/')?.cluster).toBeUndefined()
    expect(await order(100)).toHaveLength(41)
    const explained = index.refresh.explain(LAWS[0]!, { at: at(10), policy })!.policy
    expect(explained.terms).toMatchObject({ fairness: 0.05, knownPages: 18, cluster: expect.any(Number) })
    // However calm the family, its turn comes.
    await index.refresh.observeAll(NEWS.map((url) => [url, { outcome: 'changed', at: at(300) }]))
    const later = (await index.refresh.next({ budget: 20, at: at(301), policy })).pages.map(({ key }) => key)
    expect(later.filter((key) => LAWS.includes(key as string)).length).toBeGreaterThan(15)
  })

  test.each([0, 1, 3])('of %d documents can be clustered', async (count) => {
    await using index = await Freshdex.open<Page>(place(), OPTIONS)
    if (count > 0) await index.write({ put: [...NEWS, ...LAWS].slice(19, 19 + count).map((url) => pageOf(url)) })
    for (const clusters of ['auto', 1, 2, 100] as const) {
      const report = await index.clusters.build({ clusters })
      expect(report.documents).toBe(count)
      expect(report.clusters).toBeLessThanOrEqual(count)
      expect(index.clusters.list().reduce((sum, { size }) => sum + size, 0)).toBe(count)
      expect((await index.check()).faults).toEqual([])
    }
  })

  test('goes on while it clusters: what is written and removed meanwhile is as it should be', async () => {
    await using index = await openFamilies(place(), 1)
    const building = index.clusters.build({ clusters: 2 })
    const writing = index.write({ remove: [NEWS[0]!], put: [pageOf('https://other.example/')] })
    expect(index.search('whereas').hits.length).toBeGreaterThan(0)
    await writing
    const report = await building
    expect(index.clusters.explain(NEWS[0]!)).toBeUndefined()
    expect(index.clusters.list().reduce((sum, { size }) => sum + size, 0)).toBe(report.documents)
    for (const { nearest } of index.clusters.list()) expect(nearest).not.toContain(NEWS[0])
    expect((await index.check()).faults).toEqual([])
  })

  test('that is closed meanwhile says so', async () => {
    const index = await openFamilies(place(), 1)
    const building = index.clusters.build().then(
      () => 'built',
      (error) => error.code,
    )
    await index.close()
    expect(await building).toBe('CLOSED')
  })

  test('gives the same clusters again, and takes over other ones whole', async () => {
    await using index = await openFamilies(place())
    await index.clusters.build({ clusters: 4, seed: 3, at: at(7) })
    const looks = looksOf(index)
    await index.clusters.build({ clusters: 4, seed: 3, at: at(7) })
    expect(looksOf(index)).toEqual(looks)
    await index.clusters.build({ clusters: 1, at: at(8) })
    expect(index.clusters.list()).toHaveLength(1)
    expect(new Set([...NEWS, ...LAWS].map((url) => index.clusters.explain(url)?.cluster?.cluster))).toEqual(
      new Set([1]),
    )
  })

  test('takes no wrong option', async () => {
    await using index = await openFamilies(place(), 1)
    const wrongs: [object, RegExp][] = [
      [{ clusters: 0 }, /clusters must be .* received 0/],
      [{ clusters: 65_536 }, /clusters must be .* received 65536/],
      [{ clusters: 'many' }, /clusters must be .* received "many"/],
      [{ seed: -1 }, /seed must be .* received -1/],
      [{ at: Number.NaN }, /at must be .* received NaN/],
      [{ cluster: 3 }, /cluster/],
    ]
    for (const [options, message] of wrongs) await expect(index.clusters.build(options)).rejects.toThrow(message)
    expect(index.clusters.last()).toBeUndefined()
    expect(() => index.clusters.explain({} as string)).toThrow(TypeError)
    for (const wrong of [{ weighting: 'bad' }, { by: 'name' }, { fairness: 2 }, { fair: 1 }])
      await expect(
        index.refresh.next({ budget: 1, policy: { name: 'cluster-sampling', ...wrong } as never }),
      ).rejects.toThrow(/weighting|by|fair/)
  })
})

describe('clusters in a folder', () => {
  test('are there again, for whoever writes and whoever follows', async () => {
    const folder = newPath()
    const index = await openFamilies(folder)
    await index.clusters.build({ clusters: 3, at: at(7) })
    const looks = looksOf(index)
    const priorities = async (from: Freshdex<Page>) =>
      (await from.refresh.next({ budget: 100, at: at(9), policy: 'cluster-sampling' })).pages
    const order = await priorities(index)
    await index.close()
    for (const options of [{ readOnly: true }, {}]) {
      await using again = await Freshdex.open<Page>(folder, { ...OPTIONS, ...options })
      expect(looksOf(again)).toEqual(looks)
      expect(await priorities(again)).toEqual(order)
      expect((await again.check()).faults).toEqual([])
    }
    await using writer = await Freshdex.open<Page>(folder, OPTIONS)
    await using follower = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true })
    await expect(follower.clusters.build()).rejects.toMatchObject({ code: 'READ_ONLY' })
    await writer.clusters.build({ clusters: 1, at: at(9) })
    await follower.catchUp()
    expect(looksOf(follower)).toEqual(looksOf(writer))
  })

  test('are as they were when they cannot be written', async () => {
    const folder = newPath()
    await using index = await openFamilies(folder)
    await index.clusters.build({ clusters: 3, at: at(7) })
    const looks = looksOf(index)
    const blocker = new Database(path.join(folder, 'catalog.db'))
    blocker.exec("CREATE TRIGGER no BEFORE INSERT ON clusters BEGIN SELECT RAISE(ABORT, 'no'); END")
    blocker.close()
    await expect(index.clusters.build({ clusters: 2, at: at(8) })).rejects.toThrow()
    expect(looksOf(index)).toEqual(looks)
  })

  const LOST = 'L3: the row of cluster 2 is damaged'
  test.each([
    ["UPDATE clusters SET size = 'many' WHERE id = 2", LOST],
    ['UPDATE clusters SET size = -1 WHERE id = 2', LOST],
    ['UPDATE clusters SET known = size + 1 WHERE id = 2', LOST],
    ['UPDATE clusters SET probability = 1.5 WHERE id = 2', LOST],
    ['UPDATE clusters SET rate_per_ms = 9e999 WHERE id = 2', LOST],
    ['UPDATE clusters SET strength_ms = -1 WHERE id = 2', LOST],
    ["UPDATE clusters SET centroid = x'00' WHERE id = 2", LOST],
    ["UPDATE clusters SET centroid = randomblob(8) || x'000000000000f07f' WHERE id = 2", LOST],
    ["UPDATE clusters SET nearest = 'some' WHERE id = 2", LOST],
    ['UPDATE clusters SET nearest = zeroblob(80) WHERE id = 2', LOST],
    ['DELETE FROM clusters WHERE id = 2', undefined],
    ["UPDATE clustering SET at_ms = 'then'", 'L3: when and how documents were clustered is damaged'],
    ['DELETE FROM clustering', 'L3: when and how documents were clustered is missing'],
  ])('with %s are passed over as far as they are damaged, and built anew', async (damage, fault) => {
    const folder = newPath()
    {
      await using index = await openFamilies(folder, 2)
      await index.clusters.build({ clusters: 2, at: at(7) })
    }
    const db = new Database(path.join(folder, 'catalog.db'))
    expect(db.prepare(damage).run().changes, damage).toBeGreaterThan(0)
    db.close()
    const isLost = damage.includes('clustering')
    for (const options of [{ readOnly: true }, {}]) {
      await using index = await Freshdex.open<Page>(folder, { ...OPTIONS, ...options })
      expect(index.clusters.list().map(({ cluster }) => cluster)).toEqual(isLost ? [] : [1])
      const members = [...NEWS, ...LAWS].filter((url) => index.clusters.explain(url)?.cluster !== undefined)
      expect(members).toHaveLength(isLost ? 0 : 20)
      expect((await index.refresh.next({ budget: 100, at: at(9), policy: 'cluster-sampling' })).pages).toHaveLength(40)
      expect(index.stats().ledger.damagedRows).toBe(0)
      const faults = (await index.check()).faults.map(({ invariant, message }) => `${invariant}: ${message}`)
      if (fault !== undefined) expect(faults.shift()).toBe(fault)
      expect(faults).toHaveLength(isLost ? 40 : 20)
      for (const other of faults) expect(other).toMatch(/^L3: document \d+ is in cluster \d, which is not there$/)
    }
    await using index = await Freshdex.open<Page>(folder, OPTIONS)
    await index.clusters.build({ clusters: 2 })
    expect((await index.check()).faults).toEqual([])
  })
})

test('building lets the event loop have its turns', async () => {
  await using index = await openFamilies(':memory:', 1)
  const more = Array.from({ length: 3000 }, (_, nth) => pageOf(`${nth % 2 === 0 ? NEWS[1] : LAWS[1]}/${nth}`))
  await index.write({ put: more })
  const turn = vi.fn()
  let isBuilt = false
  const tick = () => {
    turn()
    if (!isBuilt) setImmediate(tick)
  }
  setImmediate(tick)
  // By what this thread works: what the machine does for others is no hold of ours.
  const { threadCpuUs } = loadAddon()
  const startUs = threadCpuUs()
  await index.clusters.build({ clusters: 20 })
  isBuilt = true
  // A turn every few milliseconds: how many that are depends on the machine.
  expect(turn.mock.calls.length).toBeGreaterThan((threadCpuUs() - startUs) / 10_000)
})

test('links between documents, and what their texts do not say, are features too', async () => {
  interface Linking extends Page {
    images?: number
    out?: readonly { to: string }[]
    anchors?: string
  }
  const fields = { body: {}, anchors: { from: 'out' } } as const
  await using index = await Freshdex.open<Linking>(':memory:', { ...OPTIONS, fields })
  // All texts are alike. Half of the pages are linked from all of the others, and say that they have images.
  const urls = Array.from({ length: 24 }, (_, nth) => `https://one.example/page/a${nth}`)
  const hubs = urls.filter((_, nth) => nth % 2 === 0)
  const documents = urls.map((url) => ({
    ...{ url, body: 'the same words in all of them', images: hubs.includes(url) ? 12 : 0 },
    out: hubs.includes(url) ? [] : hubs.map((to) => ({ to })),
  }))
  await index.write({ put: documents }, { at: at(0) })
  await index.clusters.build({ clusters: 6, seed: 3, at: at(1) })
  // However words of URLs split the pages further, no cluster has pages of both kinds.
  const kinds = new Map<unknown, Set<boolean>>()
  for (const url of urls) {
    const cluster = index.clusters.explain(url)?.cluster?.cluster
    kinds.set(cluster, (kinds.get(cluster) ?? new Set()).add(hubs.includes(url)))
  }
  expect(kinds.size).toBeGreaterThan(1)
  expect([...kinds.values()].map(({ size }) => size)).toEqual([...kinds].map(() => 1))
})

test('clusters come one after the other in the order of groups, oldest copies first', async () => {
  await using index = await openFamilies(':memory:')
  await index.clusters.build({ clusters: 2, seed: 7, at: at(7) })
  const policy = { name: 'cluster-sampling', order: 'groups' } as const
  const { pages } = await index.refresh.next({ budget: 40, at: at(8), policy, minIntervalMs: 0 })
  const keys = pages.map(({ key }) => key)
  expect(new Set(keys.slice(0, 20))).toEqual(new Set(NEWS))
  expect(new Set(keys.slice(20))).toEqual(new Set(LAWS))
  // The last two of each family were never looked at again.
  expect(new Set(keys.slice(0, 2))).toEqual(new Set(NEWS.slice(18)))
  await expect(
    index.refresh.next({ budget: 1, policy: { ...policy, fairness: 0.5 } as typeof policy }),
  ).rejects.toThrow('whole groups')
})
