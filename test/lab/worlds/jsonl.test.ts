import { mkdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jsonlWorld } from '../../../src/lab/worlds/jsonl-snapshots.js'
import { timeInName } from '../../../src/lab/worlds/snapshot-format.js'
import { SeededRandom, withSeed } from '../../support/seed.js'
import { allSteps, page, statesOf, WorldPlace } from './world-reading.js'

let place: WorldPlace
beforeEach(() => {
  place = new WorldPlace()
})
afterEach(() => place.remove())

const dayEnd = (month: number, day: number) => Date.UTC(2026, month, day, 23, 59, 59)

describe('the world of a folder of JSON lines', () => {
  it('tells what each snapshot changed, at the time of its name', async () => {
    place.writeLines('2026-01-11.jsonl.gz', [page('/b', 'new'), page('/a')])
    place.writeLines('2026-01-04.jsonl', [page('/a'), page('/b')])
    mkdirSync(place.path('2026-01-18'))
    place.writeLines('2026-01-18/part-1.ndjson', [page('/a')])
    place.writeLines('2026-01-18/part-2.ndjson', [{ url: '/c', text: 'no title' }])
    place.write('notes.txt', 'not a snapshot')
    const world = jsonlWorld(place.folder)
    const expected = [
      { atMs: dayEnd(0, 4), versions: [page('/a'), page('/b')], gone: [] },
      { atMs: dayEnd(0, 11), versions: [page('/b', 'new')], gone: [] },
      { atMs: dayEnd(0, 18), versions: [{ url: '/c', title: '', text: 'no title' }], gone: ['/b'] },
    ]
    expect(await allSteps(world)).toEqual(expected)
    expect(await allSteps(world)).toEqual(expected)
  })

  it('puts snapshots at equal distances where it is told to', async () => {
    place.writeLines('b.jsonl', [page('/a')])
    place.writeLines('a.jsonl', [page('/a', 'first')])
    const steps = await allSteps(jsonlWorld(place.folder, { everyMs: 1000, startMs: 5000 }))
    expect(steps.map(({ atMs, versions }) => [atMs, versions[0]?.text])).toEqual([
      [5000, 'first'],
      [6000, 'text of /a'],
    ])
  })

  it('tells states that add up to the snapshots, on random ones', async () => {
    await withSeed('jsonl worlds', async (seed) => {
      const random = new SeededRandom(seed)
      const snapshots = Array.from({ length: 12 }, () => {
        const urls = ['/a', '/b', '/c', '/d', '/e', '/f'].filter(() => random.chance(0.7))
        return urls.map((url) => page(url, `version ${random.int(2)}`))
      })
      for (const [at, pages] of snapshots.entries()) place.writeLines(`${String(at).padStart(2, '0')}.jsonl`, pages)
      const steps = await allSteps(jsonlWorld(place.folder, { everyMs: 1 }))
      const states = statesOf(steps)
      for (const [at, pages] of snapshots.entries()) {
        expect(states[at]).toEqual(new Map(pages.map((one) => [one.url, one])))
        for (const version of steps[at]!.versions) expect(states[at - 1]?.get(version.url)).not.toEqual(version)
        for (const url of steps[at]!.gone) expect(states[at - 1]?.has(url)).toBe(true)
      }
    })
  })

  it('refuses what is no snapshot', async () => {
    const told = () => allSteps(jsonlWorld(place.folder))
    await expect(told()).rejects.toThrow(/it holds no snapshot/)
    await expect(allSteps(jsonlWorld(place.path('none')))).rejects.toThrow(/there is no file/)
    place.write('2026-01-04.jsonl', '\n')
    await expect(told()).rejects.toThrow(/its snapshots hold no page/)
    place.writeLines('2026-01-04.jsonl', [page('/a'), page('/b'), page('/a')])
    await expect(told()).rejects.toThrow(/line 3 of .*2026-01-04\.jsonl: the page "\/a" comes twice in one snapshot/)
    place.writeLines('2026-01-04.jsonl', [{ url: '/a' }])
    await expect(told()).rejects.toThrow(/line 1 of .*: "text" must be text, received undefined/)
    place.writeLines('2026-01-04.jsonl', [{ text: 'x' }])
    await expect(told()).rejects.toThrow(/"url" must be text/)
    place.writeLines('today.jsonl', [page('/a')])
    await expect(told()).rejects.toThrow(/the name "today\.jsonl" tells no time/)
    await expect(allSteps(jsonlWorld(place.folder, { everyMs: 0 }))).rejects.toThrow(/everyMs must be a finite number/)
  })

  it('refuses two snapshots of one time', async () => {
    place.writeLines('a-2026-01-04.jsonl', [page('/a')])
    place.writeLines('b-2026-01-04.jsonl', [page('/a')])
    await expect(allSteps(jsonlWorld(place.folder))).rejects.toThrow(/two snapshots are of the same time/)
  })
})

describe('the time in a name', () => {
  it('is a day or a moment in UTC', () => {
    expect(timeInName('site-2026-01-04.jsonl')).toBe(dayEnd(0, 4))
    expect(timeInName('2026-01-04T12-30Z.jsonl')).toBe(Date.UTC(2026, 0, 4, 12, 30))
    expect(timeInName('2026-01-04T123059Z')).toBe(Date.UTC(2026, 0, 4, 12, 30, 59))
    expect(timeInName('2026-02-31')).toBeNaN()
    expect(timeInName('12026-01-041')).toBeNaN()
  })
})
