/**
 * What cannot be opened, what a reader may not do, and which options make no sense: refused, and nothing left behind.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { failureOf, looksOf, OPTIONS, type Options, openPages, PAGES, type Page, withIndex } from './specimen.js'
import { newPath } from './temporary-folder.js'

const open = (folder: string, options: object) => failureOf(() => withIndex(folder, options as Options, () => {}))

describe('NOT_FOUND', () => {
  test.each([
    ['without options', {}],
    ['for reading', { readOnly: true }],
    ['for reading, with key and fields', { ...OPTIONS, readOnly: true }],
    ['with options that do not describe an index', { durability: 'power', scoring: 'bm25' }],
  ])('%s, and no folder is made', async (_, options) => {
    const folder = newPath()
    expect(await open(folder, options)).toBe('NOT_FOUND')
    expect(existsSync(folder)).toBe(false)
  })

  test('in an empty folder, which stays empty', async () => {
    const folder = newPath()
    mkdirSync(folder)
    expect(await open(folder, {})).toBe('NOT_FOUND')
    expect(await open(folder, { readOnly: true })).toBe('NOT_FOUND')
    expect(readdirSync(folder)).toEqual([])
    expect(await open(folder, OPTIONS)).toBe('none')
  })
})

describe('what the system says of a path is IO', () => {
  const WAYS: readonly object[] = [{}, OPTIONS, { readOnly: true }]

  test('a name that is too long', async () => {
    for (const name of ['x'.repeat(300), `${'x/'.repeat(3_000)}x`])
      for (const options of WAYS) expect(await open(path.join(newPath(), name), options)).toMatch(/^(?:IO|NOT_FOUND)$/)
    expect(await open(path.join(newPath(), 'x'.repeat(300)), OPTIONS)).toBe('IO')
  })

  test('links that lead in a circle', async () => {
    const folder = newPath()
    mkdirSync(path.dirname(folder), { recursive: true })
    symlinkSync(folder, folder)
    for (const options of WAYS) expect(await open(folder, options)).toBe('IO')
    for (const options of WAYS) expect(await open(path.join(folder, 'below'), options)).toBe('IO')
  })

  test('a folder that may not be looked into', async () => {
    const home = newPath('closed')
    mkdirSync(home)
    await withIndex(path.join(home, 'index'), OPTIONS, () => {})
    chmodSync(home, 0)
    const user = process.geteuid?.()
    // Nothing is closed to the superuser.
    if (user === 0) process.seteuid?.(65_534)
    try {
      for (const options of WAYS) expect(await open(path.join(home, 'index'), options)).toBe('IO')
      for (const options of WAYS) expect(await open(path.join(home, 'new'), options)).toBe('IO')
    } finally {
      if (user === 0) process.seteuid?.(0)
      chmodSync(home, 0o700)
    }
    await withIndex(path.join(home, 'index'), { readOnly: true }, (index) => expect(index.stats().documents).toBe(0))
  })
})

describe('NOT_AN_INDEX', () => {
  test('a file', async () => {
    const file = newPath('file')
    writeFileSync(file, 'words')
    for (const options of [{}, OPTIONS, { readOnly: true }]) expect(await open(file, options)).toBe('NOT_AN_INDEX')
    expect(readFileSync(file, 'utf8')).toBe('words')
  })

  test('a folder of somebody else', async () => {
    const folder = newPath()
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'letter.txt'), 'words')
    for (const options of [{}, OPTIONS, { readOnly: true }]) expect(await open(folder, options)).toBe('NOT_AN_INDEX')
    expect(readdirSync(folder)).toEqual(['letter.txt'])
  })

  test('a database of somebody else, which stays as it is', async () => {
    const folder = newPath()
    mkdirSync(folder)
    const catalog = path.join(folder, 'catalog.db')
    const db = new Database(catalog)
    db.exec('CREATE TABLE birds (name TEXT); INSERT INTO birds VALUES (1)')
    db.close()
    const before = readFileSync(catalog, 'hex')
    for (const options of [{}, OPTIONS, { readOnly: true }]) expect(await open(folder, options)).toBe('NOT_AN_INDEX')
    expect(readFileSync(catalog, 'hex')).toBe(before)
  })

  test('a catalog that is no database is CORRUPT, and stays as it is', async () => {
    const folder = newPath()
    mkdirSync(folder)
    const catalog = path.join(folder, 'catalog.db')
    writeFileSync(catalog, 'no database at all, but longer than the header of one. '.repeat(20))
    const before = readFileSync(catalog)
    for (const options of [{}, OPTIONS, { readOnly: true }]) expect(await open(folder, options)).toBe('CORRUPT')
    expect(readFileSync(catalog)).toEqual(before)
  })
})

describe('a reader', () => {
  test('may neither write nor compact nor back up, and reads on', async () => {
    const folder = newPath()
    await (await openPages(folder)).close()
    await withIndex(folder, { readOnly: true }, async (index) => {
      const before = looksOf(index)
      const target = newPath('copy')
      expect(await failureOf(() => index.write({ put: [PAGES[0]!] }))).toBe('READ_ONLY')
      expect(await failureOf(() => index.write({}))).toBe('READ_ONLY')
      expect(await failureOf(() => index.compact())).toBe('READ_ONLY')
      expect(await failureOf(() => index.backup(target))).toBe('READ_ONLY')
      expect(existsSync(target)).toBe(false)
      expect(looksOf(index)).toEqual(before)
      expect(index.stats().disk).toMatchObject({ readOnly: true, durability: undefined })
      expect(await index.check()).toMatchObject({ ok: true })
    })
  })

  test('needs no right to write', async () => {
    const folder = newPath()
    await (await openPages(folder)).close()
    await withIndex(folder, { readOnly: true }, (one) =>
      withIndex(folder, { readOnly: true }, (other) => expect(looksOf(one)).toEqual(looksOf(other))),
    )
  })
})

describe('options', () => {
  test.each([
    ['durability', { durability: 'power' }],
    ['readOnly', { readOnly: true }],
    ['readOnly', { readOnly: false }],
    ['pollMs', { pollMs: 5 }],
    ['upkeep', { upkeep: {} }],
  ])('%s is not for an index in memory', async (_, options) => {
    expect(await open(':memory:', { ...OPTIONS, ...options })).toBe('TypeError')
  })

  test.each([
    ['pollMs without readOnly', { pollMs: 5 }, 'TypeError'],
    ['durability with readOnly', { readOnly: true, durability: 'power' }, 'TypeError'],
    ['an unknown durability', { durability: 'eternal' }, 'RangeError'],
    ['a durability that is no string', { durability: 1 }, 'TypeError'],
    ['readOnly that is no boolean', { readOnly: 1 }, 'TypeError'],
    ['pollMs of 0', { readOnly: true, pollMs: 0 }, 'RangeError'],
    ['pollMs that is text', { readOnly: true, pollMs: '5' }, 'TypeError'],
    ['an unknown name in upkeep', { upkeep: { logbytes: 5 } }, 'TypeError'],
    ['upkeep of 0', { upkeep: { logBytes: 0 } }, 'RangeError'],
    ['upkeep that is not whole', { upkeep: { foldPostings: 1.5 } }, 'RangeError'],
    ['upkeep that is not a number', { upkeep: { partitionBytes: Number.NaN } }, 'RangeError'],
    ['an unknown option', { durable: true }, 'TypeError'],
    ['no field', { fields: {} }, 'RangeError'],
  ])('%s is refused, and no folder is made', async (_, options, kind) => {
    const folder = newPath()
    expect(await open(folder, { ...OPTIONS, ...options })).toBe(kind)
    expect(existsSync(folder)).toBe(false)
  })

  test('a path must be text', async () => {
    for (const wrong of ['', undefined, 5, {}]) {
      expect(await failureOf(() => Freshdex.open<Page>(wrong as string, OPTIONS))).toBe('TypeError')
    }
  })

  test('level of a check is 1, 2 or 3', async () => {
    await withIndex(newPath(), OPTIONS, async (index) => {
      for (const level of [0, 4, 1.5]) {
        expect(await failureOf(() => index.check({ level: level as 1 }))).toBe('RangeError')
      }
      for (const level of [1, 2, 3] as const) expect(await index.check({ level })).toMatchObject({ ok: true })
    })
  })
})

test('a failed write of wrong documents leaves the index writable, and the folder as it was', async () => {
  const index = await openPages()
  const before = looksOf(index)
  expect(await failureOf(() => index.write({ put: [{ id: 1, body: 5 as never }] }))).toBe('TypeError')
  expect(await failureOf(() => index.write({ put: [PAGES[0]!, PAGES[0]!] }))).toBe('DUPLICATE_KEY')
  expect(await failureOf(() => index.write({ put: [{ id: '', body: 'x' }] }))).toBe('INVALID_KEY')
  expect(looksOf(index)).toEqual(before)
  expect(await index.write({ put: [{ id: 'next', body: 'x' }] })).toMatchObject({ added: 1 })
  await index.close()
})
