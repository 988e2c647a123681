/** How documents have changed since the last build: all 48 features of an index, and that what they need lasts. */
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { AMOUNT_CHANGES, featureNames, featuresOf, learnFeatures } from '../../../src/clusters/page-features.js'
import { VISIT_AMOUNTS, VISIT_WIDTH, visitBytes } from '../../../src/ledger/cluster-visits.js'
import { compareVisits, readVisit } from '../../../src/refresh/clusters/visits.js'
import { newPath } from '../../storage/temporary-folder.js'
import { DAY_MS, START } from '../orchard.js'

interface Page {
  url: string
  body: string
  images: number
  tables: number
  links: { to: string; text: string }[]
}

const OPTIONS = {
  key: 'url',
  fields: { body: {}, anchors: { from: 'links' } },
  workload: { learn: false },
} as const
const at = (days: number) => START + days * DAY_MS
const URLS = Array.from({ length: 24 }, (_, nth) => `https://site.example/page${nth}`)
const CHANGED = URLS.slice(12)

/** `edition` changes every page alike, `extra` those pages that are to differ. */
function pageOf(url: string, edition: number, extra: Partial<Page> = {}): Page {
  return { url, body: `alpha beta gamma edition${edition}`, images: 3, tables: 1, links: [], ...extra }
}

async function familyOfChanged(place: string, extra: (url: string) => Partial<Page>): Promise<string[]> {
  await using index = await Freshdex.open<Page>(place, OPTIONS)
  await index.write({ put: URLS.map((url) => pageOf(url, 0)) }, { at: at(0) })
  await index.clusters.build({ clusters: 2, at: at(1) })
  for (const { features } of index.clusters.list())
    for (const { name } of features) expect(name).not.toMatch(/^change of/)
  const put = URLS.map((url) => pageOf(url, 1, CHANGED.includes(url) ? extra(url) : {}))
  await index.write({ put }, { at: at(2) })
  await index.clusters.build({ clusters: 2, at: at(3) })
  const numbers = new Set(CHANGED.map((url) => index.clusters.explain(url)!.cluster!.cluster))
  expect(numbers.size).toBe(1)
  expect(numbers).not.toContain(index.clusters.explain(URLS[0]!)!.cluster!.cluster)
  const names = index.clusters.explain(CHANGED[0]!)!.cluster!.features.map(({ name }) => name)
  // Nothing is refreshed meanwhile: the changes stay.
  await index.clusters.build({ clusters: 2, at: at(4) })
  expect(index.clusters.explain(CHANGED[0]!)!.cluster!.features.map(({ name }) => name)).toEqual(names)
  expect((await index.check()).faults).toEqual([])
  return names
}

const TARGET = URLS[0]!

describe.each([
  ['in memory', () => ':memory:'],
  ['in a folder', () => newPath()],
])('clusters of an index %s', (_, place) => {
  test.each<[string, (url: string) => Partial<Page>]>([
    ['images', () => ({ images: 9 })],
    ['tables', () => ({ tables: 0 })],
    ['bytes', () => ({ body: 'alpha beta gamma editionnnnnnnnnnnn1' })],
    ['words', () => ({ body: 'alpha beta gamma edition1 alpha beta gamma' })],
    ['emails', () => ({ body: 'alpha@beta.gamma edition1' })],
    ['outlinks', () => ({ links: [{ to: TARGET, text: 'first' }] })],
    ['inlinks', (url) => ({ links: CHANGED.filter((to) => to !== url).map((to) => ({ to, text: 'next' })) })],
    ['page rank', (url) => ({ links: CHANGED.filter((to) => to !== url).map((to) => ({ to, text: 'next' })) })],
  ])('tell pages apart by a change of %s since the last build', async (name, extra) => {
    expect(await familyOfChanged(place(), extra)).toContain(`change of ${name}`)
  })
})

test('a visit has a place for each amount whose change is a feature', () => {
  expect(AMOUNT_CHANGES).toHaveLength(VISIT_AMOUNTS)
})

test('a number that another document has by now, and a row that is damaged, tell of no change', async () => {
  const place = newPath()
  const options = { clusters: 2, at: at(3) }
  {
    await using index = await Freshdex.open<Page>(place, OPTIONS)
    await index.write({ put: URLS.map((url) => pageOf(url, 0)) }, { at: at(0) })
    await index.clusters.build({ clusters: 2, at: at(1) })
  }
  const catalog = new Database(path.join(place, 'catalog.db'))
  expect(catalog.prepare('SELECT count(*) FROM cluster_visits').pluck().get()).toBe(URLS.length)
  catalog.prepare(`UPDATE cluster_visits SET visit = x'00' WHERE doc % 2 = 0`).run()
  catalog.close()
  await using index = await Freshdex.open<Page>(place, OPTIONS)
  const { faults } = await index.check()
  expect(faults).toHaveLength(URLS.length / 2)
  expect(faults[0]).toMatchObject({ invariant: 'L3', message: expect.stringMatching(/^what the clusters know of/) })
  await index.write({ put: URLS.map((url) => pageOf(url, 1, { images: 9 })) }, { at: at(2) })
  expect(await index.clusters.build(options)).toMatchObject({ documents: URLS.length })
  expect((await index.check()).faults).toEqual([])
})

test('all 48 features are known of a document with all properties that was refreshed between two builds', () => {
  const facts = (images: number) => ({
    ...{ url: 'https://site.com/a/b.html', text: 'alpha beta me@site.com', images, tables: 1, similarity: 0.5 },
    ...{ pageRank: 0.1 * images, inlinks: images, outlinks: 2, history: { bits: 1, cycles: images } },
  })
  // Distances to the ten largest clusters of words need as many clusters.
  const others = Array.from({ length: 20 }, (_, nth) => ({ url: `https://host${nth}.org/c${nth}`, text: `word${nth}` }))
  const { space } = learnFeatures([facts(1), ...others], { seed: 1 })
  const columns = { createdMs: Float64Array.of(5, 5), refreshes: Uint32Array.of(0, 0) }
  const names = featureNames()
  const build = (images: number, before?: Float64Array) => {
    const [features, visit] = [featuresOf(space, facts(images)), new Float64Array(VISIT_WIDTH)]
    compareVisits(features, visit, before, columns, 0)
    return { features, visit }
  }
  const unknown = (features: Float64Array) => names.filter((_, at) => Number.isNaN(features[at]))
  const first = build(1)
  expect(unknown(first.features)).toEqual(AMOUNT_CHANGES.map(([, change]) => names[change]))
  columns.refreshes[0] = 2
  const second = build(4, readVisit(visitBytes({ docs: Uint32Array.of(0), rows: first.visit }, 0)))
  expect(unknown(second.features)).toEqual([])
  const changed = Object.fromEntries(AMOUNT_CHANGES.map(([, change]) => [names[change], second.features[change]]))
  expect(changed).toEqual({
    ...{ 'change of images': 3, 'change of tables': 0, 'change of bytes': 0, 'change of words': 0 },
    ...{ 'change of page rank': expect.closeTo(0.3, 12), 'change of inlinks': 3, 'change of outlinks': 0 },
    'change of emails': 0,
  })
  // Not refreshed: the change stays, and so does what it is compared with.
  const third = build(7, second.visit)
  expect(third.features[AMOUNT_CHANGES[0]![1]]).toBe(3)
  columns.refreshes[0] = 3
  expect(build(9, third.visit).features[AMOUNT_CHANGES[0]![1]]).toBe(5)
  // Another document, and an index that has lost refreshes.
  columns.createdMs[0] = 6
  expect(unknown(build(9, third.visit).features)).toHaveLength(AMOUNT_CHANGES.length)
  columns.createdMs[0] = 5
  columns.refreshes[0] = 1
  expect(unknown(build(9, third.visit).features)).toHaveLength(AMOUNT_CHANGES.length)
})
