import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld } from '../../../src/lab/worlds/open-world.js'
import { warcFile } from './warc-file.js'
import { allSteps, page, WorldPlace } from './world-reading.js'

let place: WorldPlace
beforeEach(() => {
  place = new WorldPlace()
})
afterEach(() => place.remove())

describe('the world of any folder', () => {
  it('is that of its kind', async () => {
    const firstUrls = async () => (await allSteps(await openWorld(place.folder)))[0]?.versions.map(({ url }) => url)
    place.write('a.warc', warcFile([{ url: 'http://example.org/', body: 'text' }]))
    expect(await firstUrls()).toEqual(['http://example.org/'])
    place.write('weeks.tsv', 'week\tsnapshot_end_utc\n0\t2026-01-04\n')
    place.writeLines('pages.ndjson.gz', [{ week: 0, ...page('/a') }])
    expect(await firstUrls()).toEqual(['/a'])
  })

  it('takes the times that it is given', async () => {
    place.writeLines('a.jsonl', [page('/a')])
    expect((await allSteps(await openWorld(place.folder, { everyMs: 5, startMs: 7 })))[0]?.atMs).toBe(7)
  })

  it('is refused where there is none, or two', async () => {
    await expect(openWorld(place.folder)).rejects.toThrow(/it is no snapshot folder/)
    await expect(openWorld(place.path('none'))).rejects.toThrow(/there is no file .*none/)
    place.writeLines('2026-01-04.jsonl', [page('/a')])
    place.write('a.warc', warcFile([]))
    await expect(openWorld(place.folder)).rejects.toThrow(/both JSON lines and WARC files/)
  })
})
