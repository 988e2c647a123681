import { describe, expect, it } from 'vitest'
import { withCycle } from '../../../../src/clusters/change-weights.js'
import { featuresOf, learnFeatures, PAGE_FEATURES } from '../../../../src/clusters/page-features.js'
import { linkFacts } from '../../../../src/lab/experiments/clusters/input.js'
import { FeatureReading, writePageFeatures } from '../../../../src/lab/experiments/clusters/version-features.js'
import { presentThroughout, selectPages } from '../../../../src/lab/quality/timeline.js'
import { seededRandom, withSeed } from '../../../support/seed.js'
import { page, stepsOf, worldOf } from '../../quality/small-worlds.js'

const WORDS = ['ferry', 'harbour', 'market', 'dawn', 'dusk', 'me@mail.org', 'boat', 'fish', 'bread']

describe('features of versions', () => {
  it('are those of the pages, whatever was seen of them', async () => {
    await withSeed('version features', async (seed) => {
      const random = seededRandom('version features', seed)
      const text = () => Array.from({ length: random.between(1, 30) }, () => random.pick(WORDS)).join(' ')
      const urls = Array.from({ length: 12 }, (_, at) => `https://one.org/${'x/'.repeat(at % 3)}page${at}`)
      // The last page is not there throughout.
      const first = urls.map((url) => page(url, text(), random.pick(WORDS)))
      const second = urls.slice(0, 11).map((url) => page(url, text(), random.pick(WORDS)))
      const world = worldOf(stepsOf({ put: first }, { put: second, gone: [urls[11]!] }))
      const reading = new FeatureReading()
      const whole = await reading.read(world, () => {})
      const selection = selectPages(whole, presentThroughout(whole))
      const { timeline } = selection
      const sources = new Map(timeline.urls.map((url) => [url, new Set(urls.filter(() => random.chance(0.3)))]))
      const links = linkFacts(timeline.urls, sources)
      const features = reading.finish(selection, links, 7)
      const linksOf = (at: number) => ({
        ...{ pageRank: links.pageRanks[at]!, inlinks: links.inlinks[at]!, outlinks: links.outlinks[at]! },
      })
      const { space } = learnFeatures(
        first.slice(0, 11).map((facts, at) => ({ ...facts, ...linksOf(at) })),
        { seed: 7 },
      )
      let history = { bits: 0, cycles: 0 }
      for (const changed of [true, false, true]) history = withCycle(history, changed)
      const row = new Float64Array(PAGE_FEATURES)
      for (let at = 0; at < 11; at++) {
        writePageFeatures(row, features, at, { before: undefined, history: { bits: 0, cycles: 0 } })
        expect(row).toEqual(featuresOf(space, { ...first[at]!, ...linksOf(at) }))
        const later = { ...second[at]!, ...linksOf(at), before: { ...first[at]!, ...linksOf(at) }, history }
        const expected = featuresOf(space, later)
        // The last change of the timeline is that of the page's second version.
        const version = timeline.changedVersions[11 + at]!
        writePageFeatures(row, features, version, { before: at, history })
        expected.forEach((value, feature) => {
          expect([feature, row[feature]]).toEqual([
            feature,
            Number.isNaN(value) ? Number.NaN : expect.closeTo(value, 9),
          ])
        })
      }
    })
  })
})
