/** A machine whose clock was wrong: set back a year, and forward a year, between one opening and the next. */
import { expect, test } from 'vitest'
import { type Clock, DAY_MS } from '../../src/base/time.js'
import { Freshdex } from '../../src/index.js'
import { newPath } from './temporary-folder.js'

interface Page {
  url: string
  body: string
}

const YEAR_MS = 365 * DAY_MS
const START_MS = Date.UTC(2026, 5, 1)
const PAGES = 40

const page = (nth: number, version: number): Page => ({ url: `/${nth}`, body: `word${nth} every v${version}` })
const pages = (version: number) => Array.from({ length: PAGES }, (_, nth) => page(nth, version))
const withClock = (folder: string, now: Clock) =>
  Freshdex.open<Page>(folder, { key: 'url', fields: { body: {} }, now, workload: { halfLifeMs: 30 * DAY_MS } })

for (const [way, offMs] of [
  ['back', -YEAR_MS],
  ['forward', YEAR_MS],
] as const) {
  test(`a clock set ${way} a year loses nothing, and is forgotten once it is right again`, async () => {
    const folder = newPath()
    let nowMs = START_MS
    const clock = () => nowMs
    const before = await withClock(folder, clock)
    await before.write({ put: pages(1) })
    before.workload.record('every', { count: 10 })
    await before.refresh.fit()
    nowMs += 10 * DAY_MS
    await before.write({ put: pages(2).slice(0, 20) })
    await before.close()

    nowMs += DAY_MS + offMs
    const wrong = await withClock(folder, clock)
    expect(wrong.search('every').total).toBe(PAGES)
    const named = await wrong.refresh.next({ budget: PAGES })
    for (const { priority, stake } of named.pages) expect([priority, stake].every(Number.isFinite)).toBe(true)
    await wrong.plan({ budget: 5 })
    await wrong.write({ put: pages(3).slice(0, 10) })
    await wrong.refresh.observe('/30', { outcome: 'same' })
    expect(await wrong.check()).toMatchObject({ ok: true, documents: PAGES })
    await wrong.close()

    // Right again, and some weeks later: every page may be named, those that the wrong clock has dated, too.
    nowMs += 60 * DAY_MS - offMs
    const right = await withClock(folder, clock)
    expect(right.search('v3').total).toBe(10)
    for (const { priority } of (await right.refresh.next({ budget: PAGES })).pages)
      expect(Number.isFinite(priority)).toBe(true)
    await right.write({ put: pages(4) })
    nowMs += 30 * DAY_MS
    const keys = (await right.refresh.next({ budget: PAGES })).pages.map(({ key }) => key)
    expect(new Set(keys)).toEqual(new Set(pages(4).map(({ url }) => url)))
    expect(await right.check()).toMatchObject({ ok: true, documents: PAGES })
    await right.close()
  })
}
