/** What is intact of a damaged index comes back, what is not is reported, and nothing is made up. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Freshdex, type Key, type SalvageReport, salvage } from 'freshdex'
import { beforeAll, describe, expect, it } from 'vitest'
import { failureOf, looksOf, OPTIONS, type Options, openPages, PAGES, type Page, page } from '../storage/specimen.js'
import { newPath } from '../storage/temporary-folder.js'
import { sampled } from '../support/rounds.js'

/** Segments of every kind, and a log behind them that adds, changes and removes. */
const UPKEEP = { logBytes: 3_000, foldPostings: 20, phrasePages: 3, packRecords: true, partitionBytes: 1_000 }

const REMOVED: Key = 'page 1'
const RENEWED: Key = 'page 2'

async function makeIndex(options: Options): Promise<string> {
  const folder = newPath()
  const index = await openPages(folder, { ...options, upkeep: UPKEEP })
  for (let version = 1; version < 12; version++) {
    await index.write({ put: PAGES.slice(version, version + 20).map((_, nth) => page(nth + version, version)) })
  }
  await index.write({ put: [page(2, 99)], remove: [REMOVED] })
  await index.close()
  return folder
}

/** What can be seen of an index but for the number of its batches. */
async function looksAt(folder: string): Promise<{ looks: object; keys: Key[] }> {
  const index = await Freshdex.open<Page>(folder, { readOnly: true })
  const { counts, ...rest } = looksOf(index) as { counts: { sequence: number } }
  const keys = [...index.documents()].map(({ id }) => id)
  await index.close()
  return { looks: { ...rest, counts: { ...counts, sequence: 0 } }, keys }
}

async function salvaged(folder: string): Promise<{ target: string; report: SalvageReport }> {
  const target = newPath('saved')
  const report = await salvage(folder, target)
  const index = await Freshdex.open<Page>(target)
  expect(await index.check()).toMatchObject({ ok: true, faults: [] })
  expect(index.stats().documents).toBe(report.documents)
  expect(report.fromStored + report.fromRecord).toBe(report.documents)
  expect(index.has(REMOVED)).toBe(false)
  await index.close()
  return { target, report }
}

function damagedCopy(folder: string, file: string, damage: (bytes: Buffer) => void): string {
  const copy = newPath('damaged')
  mkdirSync(path.join(copy, 'segments'), { recursive: true })
  for (const name of ['catalog.db', ...readdirSync(path.join(folder, 'segments')).map((name) => `segments/${name}`)]) {
    copyFileSync(path.join(folder, name), path.join(copy, name))
  }
  const bytes = readFileSync(path.join(copy, file))
  damage(bytes)
  writeFileSync(path.join(copy, file), bytes)
  return copy
}

const flipMiddle = (bytes: Buffer) => bytes.writeUInt8((bytes[bytes.length >> 1] as number) ^ 0xff, bytes.length >> 1)

const STORES: [string, Options, number][] = [
  ['the whole documents', {}, 0],
  ['one property', { store: ['title'] }, 1],
  ['nothing', { store: false }, 2],
]

describe.each(STORES)('an index that stores %s', (_, options, nth) => {
  let folder = ''
  let whole: Awaited<ReturnType<typeof looksAt>>

  beforeAll(async () => {
    folder = await makeIndex(options)
    whole = await looksAt(folder)
  })

  it('comes back whole when nothing is damaged', async () => {
    const { target, report } = await salvaged(folder)
    expect(report).toMatchObject({ withoutStored: 0, outdated: 0, lost: [], problems: [] })
    expect((await looksAt(target)).looks).toEqual(whole.looks)
  })

  it('comes back whole when only postings are damaged', async () => {
    const segments = readdirSync(path.join(folder, 'segments')).map((name) => `segments/${name}`)
    const ofPostings = segments.filter((file) =>
      [1, 2].includes(readFileSync(path.join(folder, file)).readUInt16LE(10)),
    )
    expect(ofPostings.length).toBeGreaterThan(0)
    for (const file of sampled(ofPostings, 3, nth)) {
      const copy = damagedCopy(folder, file, flipMiddle)
      const { target, report } = await salvaged(copy)
      expect(report).toMatchObject({ withoutStored: 0, outdated: 0, lost: [] })
      expect(report.problems.join()).toContain(path.basename(file))
      expect((await looksAt(target)).looks).toEqual(whole.looks)
    }
  })

  it('accounts for every document when any file is damaged', async () => {
    const { keys } = whole
    for (const name of sampled(readdirSync(path.join(folder, 'segments')), 3, nth)) {
      const copy = damagedCopy(folder, `segments/${name}`, flipMiddle)
      const { target, report } = await salvaged(copy)
      const { keys: found } = await looksAt(target)
      expect([...found, ...report.lost.map(({ key }) => key)].sort()).toEqual([...keys].sort())
      if (options.store === undefined) expect(report.lost).toEqual([])
    }
  })
})

it('takes a stored copy that is not as it was written from nowhere', async () => {
  const folder = await makeIndex({})
  const text = Buffer.from('number 50\njumps')
  const copy = damagedCopy(folder, 'catalog.db', (bytes) => {
    const at = bytes.indexOf(text)
    expect(at).toBeGreaterThan(0)
    bytes.write('9', at + 'number '.length)
  })
  const { target, report } = await salvaged(copy)
  expect(report).toMatchObject({ fromRecord: 1, withoutStored: 1, lost: [] })
  const index = await Freshdex.open<Page>(target, { readOnly: true })
  expect(index.get('page 50')).toEqual({ id: 'page 50' })
  expect(index.search('"number 50"').hits.map(({ key }) => key)).toEqual(['page 50'])
  await index.close()
})

it('recognises unchanged pages afterwards', async () => {
  const { target } = await salvaged(await makeIndex({ store: false }))
  const index = await Freshdex.open<Page>(target)
  expect(await index.write({ put: [page(2, 99)] })).toMatchObject({ unchanged: 1, replaced: 0 })
  expect(index.search('v99').hits.map(({ key }) => key)).toEqual([RENEWED])
  await index.close()
})

it('leaves the damaged index alone and nothing half-made behind', async () => {
  const folder = await makeIndex({})
  const before = readdirSync(path.join(folder, 'segments')).map((name) =>
    readFileSync(path.join(folder, 'segments', name)),
  )
  await salvaged(folder)
  expect(
    readdirSync(path.join(folder, 'segments')).map((name) => readFileSync(path.join(folder, 'segments', name))),
  ).toEqual(before)
  const taken = newPath('taken')
  mkdirSync(taken)
  expect(await failureOf(() => salvage(folder, taken))).toBe('EXISTS')
  expect(await failureOf(() => salvage(newPath('missing'), newPath('target')))).toBe('NOT_FOUND')
  const target = newPath('target')
  const hopeless = damagedCopy(folder, 'catalog.db', (bytes) => bytes.fill(0, 0, 100))
  expect(await failureOf(() => salvage(hopeless, target))).toBe('CORRUPT')
  expect(readdirSync(path.dirname(target)).filter((name) => name.includes('partial'))).toEqual([])
  expect(existsSync(target)).toBe(false)
  await expect(salvage(5 as never, target)).rejects.toThrow(TypeError)
  await expect(salvage(folder, target, { progress: 1 } as never)).rejects.toThrow('"progress"')
})

it('needs the analyzer of the user where the index does', async () => {
  const analyzer = { name: 'lines', version: '1', analyze: (text: string) => text.split('\n') }
  const folder = newPath()
  const index = await Freshdex.open<Page>(folder, { ...OPTIONS, analyzer })
  await index.write({ put: PAGES })
  await index.close()
  expect(await failureOf(() => salvage(folder, newPath('target')))).toBe('MISMATCH')
  expect(await salvage(folder, newPath('target'), { analyzer })).toMatchObject({ documents: PAGES.length, lost: [] })
})
