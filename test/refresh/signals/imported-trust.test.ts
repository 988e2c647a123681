/**
 * Three sites that publish signals of different worth, imported day by day while pages are refreshed within a budget:
 * what is learnt of each, and what that does to the priorities.
 *
 * - deploys: a new ETag for every page with each deployment, whether it changed or not: false alarms
 * - lazy: a sitemap whose lastmod follows one change in five: changes are missed
 * - honest: a sitemap whose lastmod follows every change
 */
import { Freshdex, type RefreshExplanation } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { jsonLines } from '../../cli/program.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000
const START = Date.UTC(2025, 0, 1)
const PAGES_PER_SITE = 40
const DAYS = 60
const BUDGET = 12
const DEPLOYMENT_DAYS = 3
const CHANGES_PER_DAY = 0.04
const LAZY_SHARE = 0.2

const SITES = ['deploys', 'lazy', 'honest'] as const
type Site = (typeof SITES)[number]
const keyOf = (site: Site, nth: number) => `https://${site}.example/${nth}`
/** When the files of a day are imported; pages are refreshed half a day later. */
const at = (day: number) => START + day * DAY_MS

interface LivePage {
  readonly site: Site
  readonly key: string
  version: number
  lastmodMs: number
  isStale: boolean
}

class World {
  readonly #random: SeededRandom
  readonly pages: LivePage[]
  /** What looking at the headers of the first site found. */
  readonly log: { url: string; at: number; etag: string }[] = []

  constructor(seed: number) {
    this.#random = new SeededRandom(seed)
    this.pages = SITES.flatMap((site) =>
      Array.from({ length: PAGES_PER_SITE }, (_, nth) => ({
        site,
        key: keyOf(site, nth),
        version: 0,
        lastmodMs: START,
        isStale: false,
      })),
    )
  }

  /** The night before the day. */
  change(day: number): void {
    for (const page of this.pages) {
      if (!this.#random.chance(CHANGES_PER_DAY)) continue
      page.version++
      page.isStale = true
      if (page.site === 'honest' || this.#random.chance(LAZY_SHARE)) page.lastmodMs = at(day) - DAY_MS / 4
    }
  }

  look(day: number): void {
    const deployment = Math.floor(day / DEPLOYMENT_DAYS)
    for (const { site, key, version } of this.pages)
      if (site === 'deploys') this.log.push({ url: key, at: at(day), etag: `"${deployment}-${version}"` })
  }

  sitemap(site: Site): string {
    const urls = this.pages
      .filter((page) => page.site === site)
      .map(
        ({ key, lastmodMs }) => `<url><loc>${key}</loc><lastmod>${new Date(lastmodMs).toISOString()}</lastmod></url>`,
      )
    return `<urlset>${urls.join('')}</urlset>`
  }
}

async function importAll(index: Freshdex<{ url: string; body: string }>, world: World, day: number): Promise<void> {
  world.look(day)
  const options = { at: at(day) }
  // All that was ever seen: what was known before counts once.
  await index.refresh.importSignals({ headers: jsonLines(world.log) }, options)
  for (const site of ['lazy', 'honest'] as const)
    await index.refresh.importSignals({ sitemap: world.sitemap(site) }, options)
}

/** Refreshes for some days, and gives how many of each site there were, and how many of them found a change. */
async function refresh(index: Freshdex<{ url: string; body: string }>, world: World, days: readonly number[]) {
  const found = Object.fromEntries(SITES.map((site) => [site, { refreshes: 0, changes: 0 }])) as Record<
    Site,
    { refreshes: number; changes: number }
  >
  const pages = new Map(world.pages.map((page) => [page.key, page]))
  for (const day of days) {
    world.change(day)
    await importAll(index, world, day)
    const observedMs = at(day) + DAY_MS / 2
    const observations = (await index.refresh.next({ budget: BUDGET, at: observedMs })).pages.map(({ key }) => {
      const page = pages.get(String(key)) as LivePage
      found[page.site].refreshes++
      if (page.isStale) found[page.site].changes++
      const outcome = page.isStale ? 'changed' : 'same'
      page.isStale = false
      return [key, { outcome, at: observedMs }] as const
    })
    await index.refresh.observeAll(observations)
  }
  return found
}

describe('imported signals', () => {
  test('are trusted by what refreshes have shown of their site', async () => {
    await withSeed('imported trust', async (seed) => {
      const world = new World(seed)
      await using index = await Freshdex.open<{ url: string; body: string }>(':memory:', {
        key: 'url',
        fields: { body: {} },
      })
      await index.write({ put: world.pages.map(({ key }) => ({ url: key, body: 'x' })) }, { at: START })
      const days = Array.from({ length: DAYS }, (_, nth) => nth + 1)
      await refresh(index, world, days.slice(0, DAYS / 2))
      const found = await refresh(index, world, days.slice(DAYS / 2))

      const kinds = Object.fromEntries(index.stats().signals.map(({ site, kinds }) => [site, kinds]))
      expect(kinds['deploys.example']?.etag?.precision).toBeLessThan(0.5)
      expect(kinds['honest.example']?.sitemap?.precision).toBe(1)
      expect(kinds['honest.example']?.sitemap?.recall).toBe(1)
      expect(kinds['lazy.example']?.sitemap?.precision).toBe(1)
      expect(kinds['lazy.example']?.sitemap?.recall).toBeLessThan(0.6)

      // A budget that is spent where it finds something: on news of those who tell all, not on false alarms, nor on
      // looking where nobody tells.
      expect(share(found.honest)).toBeGreaterThan(share(found.deploys))
      expect(share(found.honest)).toBeGreaterThan(1.5 * share(found.lazy))

      // One page of each site, refreshed alike, before and after the news of another day.
      const day = DAYS + DEPLOYMENT_DAYS
      const asked = at(day + 1)
      const chosen = (site: Site, nth: number) =>
        index.refresh.explain(keyOf(site, nth), { at: asked, policy: 'user-centric-shrunk' }) as RefreshExplanation
      await index.refresh.observeAll(world.pages.map(({ key }) => [key, { outcome: 'same', at: at(day) - DAY_MS / 2 }]))
      const silent = Object.fromEntries(SITES.map((site) => [site, chosen(site, 0)])) as Record<
        Site,
        RefreshExplanation
      >
      for (const page of world.pages) if (page.key.endsWith('/0')) page.lastmodMs = at(day) - DAY_MS / 4
      await importAll(index, world, day)
      const heard = Object.fromEntries(SITES.map((site) => [site, chosen(site, 0)])) as Record<Site, RefreshExplanation>

      const ratio = (site: Site) => heard[site].policy.terms.likelihoodRatio ?? 1
      expect(heard.deploys.signals?.kinds).toEqual(['etag'])
      expect(ratio('deploys')).toBeLessThan(1.5)
      expect(ratio('honest')).toBeGreaterThan(5)
      // Who misses most changes is believed when it tells of one, and not when it is silent.
      expect(ratio('lazy')).toBeGreaterThan(2)
      const factor = (site: Site) => silent[site].policy.terms.signalFactor ?? 1
      expect(factor('honest')).toBeLessThan(0.2)
      expect(factor('lazy')).toBeGreaterThan(3 * factor('honest'))
      const gain = (site: Site) => heard[site].priority / silent[site].priority
      expect(gain('honest')).toBeGreaterThan(10)
      // Its silence, between two deployments, does mean that nothing changed; its signals mean next to nothing.
      expect(gain('honest')).toBeGreaterThan(2 * gain('deploys'))
      expect(gain('honest')).toBeGreaterThan(gain('lazy'))
      expect(heard.deploys.policy.terms.signalFactor ?? 1).toBeLessThan(1.5)
    })
  })
})

function share({ refreshes, changes }: { refreshes: number; changes: number }): number {
  return changes / Math.max(1, refreshes)
}
