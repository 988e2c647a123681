import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FreshdexError } from '../../../src/base/errors.js'
import { fileLines } from '../../../src/lab/worlds/files.js'
import { readFolderQueries, readInlinkCounts } from '../../../src/lab/worlds/folder-tables.js'
import { snapshotFolderWorld } from '../../../src/lab/worlds/snapshot-differ.js'
import { writeSnapshotFolder } from '../../../src/lab/worlds/snapshot-writer.js'
import type { WorldStep } from '../../../src/lab/worlds/world.js'
import { SeededRandom, withSeed } from '../../support/seed.js'
import { allSteps, page, WorldPlace } from './world-reading.js'

const DAY_MS = 86_400_000
const WEEKS = 'week\tsnapshot_end_utc\tcommit\n0\t2026-01-04\tabc\n1\t2026-01-11\tdef\n2\t2026-01-18T12:00:00Z\t\n'
const LINES = [
  { week: 0, ...page('/a') },
  { week: 0, ...page('/b') },
  { week: 2, ...page('/a', 'new text') },
  { week: 2, url: '/b', gone: true },
  { week: 2, ...page('/c') },
]

let place: WorldPlace
beforeEach(() => {
  place = new WorldPlace()
  place.write('weeks.tsv', WEEKS)
  place.writeLines('pages.ndjson.gz', LINES)
})
afterEach(() => place.remove())

const told = () => allSteps(snapshotFolderWorld(place.folder))
const refused = (code: string, message: RegExp) =>
  expect(told()).rejects.toSatisfy(
    (error) => error instanceof FreshdexError && error.code === code && message.test(error.message),
  )

describe('the world of a snapshot folder', () => {
  it('has a step for every week, at its end, and can be told again', async () => {
    const expected = [
      { atMs: Date.UTC(2026, 0, 4, 23, 59, 59), versions: [page('/a'), page('/b')], gone: [] },
      { atMs: Date.UTC(2026, 0, 11, 23, 59, 59), versions: [], gone: [] },
      { atMs: Date.UTC(2026, 0, 18, 12), versions: [page('/a', 'new text'), page('/c')], gone: ['/b'] },
    ]
    const world = snapshotFolderWorld(place.folder)
    expect(await allSteps(world)).toEqual(expected)
    expect(await allSteps(world)).toEqual(expected)
  })

  it('goes on to the last week, though nothing happens any more', async () => {
    place.writeLines('pages.ndjson.gz', LINES.slice(0, 1))
    expect((await told()).map(({ versions }) => versions.length)).toEqual([1, 0, 0])
  })

  it('lets go of its files when whoever listens has heard enough', async () => {
    for await (const { versions } of snapshotFolderWorld(place.folder)) {
      expect(versions.length).toBe(2)
      break
    }
  })

  it('says which file is missing or damaged', async () => {
    const packed = readFileSync(place.path('pages.ndjson.gz'))
    writeFileSync(place.path('pages.ndjson.gz'), packed.subarray(0, packed.length - 12))
    await refused('CORRUPT', /pages\.ndjson\.gz: it is damaged: unexpected end of file/)
    writeFileSync(place.path('pages.ndjson.gz'), 'no gzip at all')
    await refused('CORRUPT', /pages\.ndjson\.gz: it is damaged/)
    const flipped = Buffer.from(packed)
    flipped[packed.length - 6]! ^= 1
    writeFileSync(place.path('pages.ndjson.gz'), flipped)
    await refused('CORRUPT', /pages\.ndjson\.gz: it is damaged/)
    await expect(allSteps(snapshotFolderWorld(place.path('nowhere')))).rejects.toThrow(/there is no file .*weeks\.tsv/)
  })

  it.each([
    ['{"week":0,', /line 3 of .*pages\.ndjson\.gz: it is not JSON/],
    ['[]', /line 3 of .*: it must be a JSON object/],
    ['{"url":"/z","title":"","text":""}', /line 3 of .*: "week" must be a whole number, received undefined/],
    ['{"week":-1,"url":"/z","title":"","text":""}', /"week" must be a whole number, received -1/],
    ['{"week":0,"url":"","title":"","text":""}', /"url" must be text, received ""/],
    ['{"week":0,"url":"/z","text":""}', /"title" must be text, received undefined/],
    ['{"week":0,"url":"/z","title":"","text":7}', /"text" must be text, received 7/],
    ['{"week":0,"url":"/a","title":"","text":""}', /the page "\/a" comes twice in week 0/],
    ['{"week":1,"url":"/z","gone":true}', /the page "\/z" is gone but was not there/],
    ['{"week":3,"url":"/z","title":"","text":""}', /week 3 is not among the 3 weeks of weeks\.tsv/],
  ])('refuses the line %s by its number', async (line, message) => {
    const lines = LINES.slice(0, 2).map((value) => JSON.stringify(value))
    place.write('pages.ndjson.gz', [...lines, line].join('\n'))
    await refused('CORRUPT', message)
  })

  it('refuses weeks out of order, no page at all and bytes that are no text', async () => {
    place.writeLines('pages.ndjson.gz', [...LINES, { week: 1, ...page('/d') }])
    await refused('CORRUPT', /line 6 of .*: week 1 comes after week 2/)
    place.write('pages.ndjson.gz', '\n')
    await refused('CORRUPT', /pages\.ndjson\.gz: it holds no page/)
    place.write('pages.ndjson.gz', Uint8Array.of(0x7b, 0xff, 0x0a))
    await refused('CORRUPT', /line 1 of .*: it is not UTF-8/)
  })

  it.each([
    [
      'week\tend\n0\t2026-01-04\n',
      /line 1 of .*weeks\.tsv: the header must name the columns week and snapshot_end_utc/,
    ],
    ['week\tsnapshot_end_utc\n1\t2026-01-04\n', /line 2 of .*: it must be about week 0, not "1"/],
    [
      'week\tsnapshot_end_utc\n0\t2026-02-31\n',
      /snapshot_end_utc must be a day or a moment in UTC, received "2026-02-31"/,
    ],
    [
      'week\tsnapshot_end_utc\n0\t2026-01-04\n1\t2026-01-04\n',
      /line 3 of .*: week 1 does not end after the week before/,
    ],
    ['week\tsnapshot_end_utc\n', /weeks\.tsv: it holds no week/],
  ])('refuses the weeks %j', async (weeks, message) => {
    place.write('weeks.tsv', weeks)
    await refused('CORRUPT', message)
  })
})

describe('lines of a file', () => {
  it('are those of a plain split, wherever the pieces end', async () => {
    await withSeed('file lines', async (seed) => {
      const random = new SeededRandom(seed)
      const lines = Array.from({ length: 4000 }, () => 'é'.repeat(random.between(1, 60)))
      place.write('some.txt', `\ufeff${lines.join('\r\n')}`)
      const read: string[] = []
      for await (const { number, text } of fileLines(place.path('some.txt'))) read[number - 1] = text
      expect(read).toEqual(lines)
    })
  })

  it('have a longest length', async () => {
    place.write('long.txt', `short\n${'x'.repeat(200)}`)
    await expect(fileLines(place.path('long.txt'), 100).next()).resolves.toMatchObject({ value: { text: 'short' } })
    const reading = async () => {
      for await (const _ of fileLines(place.path('long.txt'), 100));
    }
    await expect(reading()).rejects.toThrow(/line 2 of .*: it is longer than 100 bytes/)
  })
})

describe('the queries of a snapshot folder', () => {
  it('come with their counts, from the log that is asked for', async () => {
    place.write('queries.tsv', 'ferry\t40\n\nmarket day\t5\nboats\n')
    place.write('other.tsv', 'pier\t2\n')
    const expected = [
      { query: 'ferry', count: 40 },
      { query: 'market day', count: 5 },
      { query: 'boats', count: 1 },
    ]
    expect(await readFolderQueries(place.folder)).toEqual(expected)
    expect(await readFolderQueries(place.folder, 'other.tsv')).toEqual([{ query: 'pier', count: 2 }])
  })

  it('are refused where they are missing or bad', async () => {
    await expect(readFolderQueries(place.folder)).rejects.toThrow(/there is no file .*queries\.tsv/)
    place.write('queries.tsv', '\n')
    await expect(readFolderQueries(place.folder)).rejects.toThrow(/queries\.tsv: it holds no query/)
    place.write('queries.tsv', 'ferry\t4\n\nboats\tmany\n')
    await expect(readFolderQueries(place.folder)).rejects.toThrow(/queries\.tsv: line 3: the count/)
  })
})

describe('the inlinks of a snapshot folder', () => {
  it('count pages, not links, of the last week that is not too late', async () => {
    place.writeLines('links.ndjson.gz', [
      { week: 0, from: '/a', to: '/b', anchor: 'x' },
      { week: 0, from: '/a', to: '/b', anchor: 'y' },
      { week: 0, from: '/c', to: '/b', anchor: 'x' },
      { week: 2, from: '/b', to: '/a', anchor: 'x' },
    ])
    expect(await readInlinkCounts(place.folder)).toEqual(new Map([['/b', 2]]))
    expect(await readInlinkCounts(place.folder, 1)).toEqual(new Map([['/b', 2]]))
    expect(await readInlinkCounts(place.folder, 2)).toEqual(new Map([['/a', 1]]))
  })

  it('are refused by line', async () => {
    place.writeLines('links.ndjson.gz', [
      { week: 0, from: '/a', to: '/b' },
      { week: 0, from: '/a' },
    ])
    await expect(readInlinkCounts(place.folder)).rejects.toThrow(/line 2 of .*links\.ndjson\.gz: a link must have/)
  })
})

describe('a written snapshot folder', () => {
  it('tells the world that it was written from', async () => {
    await withSeed('written world', async (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 10; round++) {
        const steps = randomSteps(random)
        const folder = place.path(`world-${round}`)
        const totals = await writeSnapshotFolder(inOrder(steps), folder)
        expect(await allSteps(snapshotFolderWorld(folder))).toEqual(steps)
        expect(totals.weeks).toBe(steps.length)
        expect(totals.versions).toBe(steps.reduce((sum, { versions }) => sum + versions.length, 0))
      }
    })
  })

  it('counts in weeks.tsv what each week did', async () => {
    const steps = [
      { atMs: Date.UTC(2026, 0, 4, 23, 59, 59), versions: [page('/a'), page('/b')], gone: [], commit: 'abc' },
      { atMs: Date.UTC(2026, 0, 5), versions: [page('/a', 'other'), page('/c')], gone: ['/b'] },
    ]
    const folder = place.path('counted')
    mkdirSync(folder)
    const totals = await writeSnapshotFolder(inOrder(steps), folder)
    expect(totals).toEqual({ weeks: 2, versions: 4, pages: 2, changed: 1, gone: 1 })
    expect(readFileSync(path.join(folder, 'weeks.tsv'), 'utf8')).toBe(
      [
        'week\tsnapshot_end_utc\tcommit\tpages\tnew\tchanged\tgone\n',
        '0\t2026-01-04\tabc\t2\t2\t0\t0\n',
        '1\t2026-01-05T00:00:00.000Z\t\t2\t1\t1\t1\n',
      ].join(''),
    )
  })

  it('is not there at all when the world breaks off, and takes no place that is taken', async () => {
    const before = readdirSync(place.folder)
    async function* broken() {
      yield { atMs: 0, versions: [page('/a')], gone: [] }
      throw new Error('it broke off')
    }
    await expect(writeSnapshotFolder(broken(), place.path('half'))).rejects.toThrow('it broke off')
    await expect(writeSnapshotFolder(inOrder([]), place.path('none'))).rejects.toThrow(
      /world must hold at least one page/,
    )
    await expect(writeSnapshotFolder(broken(), place.folder)).rejects.toThrow(/there is something in/)
    expect(readdirSync(place.folder)).toEqual(before)
    expect(existsSync(place.path('half'))).toBe(false)
  })
})

async function* inOrder(steps: readonly WorldStep[]): AsyncGenerator<WorldStep> {
  yield* steps
}

/** Versions and losses by address, as the format has them. */
function randomSteps(random: SeededRandom): WorldStep[] {
  const present = new Set<string>()
  let atMs = 20_000 * DAY_MS
  return Array.from({ length: random.between(1, 8) }, (_, nth) => {
    atMs += random.between(1, 7 * DAY_MS)
    const urls = Array.from({ length: 12 }, (_, at) => `/page-${String(at).padStart(2, '0')}`)
    const versions = urls
      .filter(() => nth === 0 || random.chance(0.3))
      .map((url) => page(url, `${random.uint32()}\n"é"`))
    const taken = new Set(versions.map(({ url }) => url))
    const gone = urls.filter((url) => present.has(url) && !taken.has(url) && random.chance(0.2))
    for (const url of taken) present.add(url)
    for (const url of gone) present.delete(url)
    return { atMs, versions, gone }
  })
}
