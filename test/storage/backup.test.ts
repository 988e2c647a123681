/** Copies of a live index: whole or not there. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { BUSY, failureOf, looksOf, OPTIONS, type Options, openPages, page, withIndex } from './specimen.js'
import { newPath } from './temporary-folder.js'

/** The names beside a path, by which what is left of a copy would be found. */
const beside = (target: string) => readdirSync(path.dirname(target)).filter((name) => name.includes('partial'))

describe.each([
  ['with everything in the log', {}],
  ['with everything in segments', { upkeep: BUSY }],
] as [string, Options][])('a copy of an index %s', (_, options) => {
  test('answers alike, and both go on by themselves', async () => {
    const index = await openPages(newPath(), options)
    const target = newPath('copy')
    const looks = looksOf(index)
    const report = await index.backup(target)
    expect(report).toMatchObject({ path: target, files: 1 + (index.stats().disk?.segments as number) })
    expect(looksOf(index)).toEqual(looks)
    expect(beside(target)).toEqual([])
    await withIndex(target, {}, async (copy) => {
      expect(looksOf(copy)).toEqual(looks)
      expect(await copy.check()).toMatchObject({ ok: true, faults: [] })
      await copy.write({ put: [page(4, 1)], remove: [0] })
      expect(looksOf(index)).toEqual(looks)
      await index.write({ remove: [3] })
      expect([copy.has(3), index.has(0)]).toEqual([true, true])
    })
    expect(await index.check()).toMatchObject({ ok: true })
    await index.close()
  })

  test('has the batches that were called for before it, and none after', async () => {
    const index = await openPages(newPath(), options)
    const target = newPath('copy')
    const before = index.write({ put: [{ id: 'before', body: 'x' }] })
    const copying = index.backup(target)
    const after = index.write({ put: [{ id: 'after', body: 'x' }] })
    await Promise.all([before, copying, after])
    await withIndex(target, {}, (copy) => expect([copy.has('before'), copy.has('after')]).toEqual([true, false]))
    await index.close()
  })

  test('does not keep searches waiting', async () => {
    const index = await openPages(newPath(), options)
    const looks = looksOf(index)
    let done = false
    const copying = index.backup(newPath('copy')).finally(() => {
      done = true
    })
    let searches = 0
    while (!done) {
      expect(looksOf(index)).toEqual(looks)
      searches++
      await new Promise((resolve) => setImmediate(resolve))
    }
    await copying
    expect(searches).toBeGreaterThan(0)
    await index.close()
  })

  test('of a copy is a copy', async () => {
    const index = await openPages(newPath(), options)
    const [one, two] = [newPath('copy'), newPath('copy')]
    await index.backup(one)
    await withIndex(one, {}, (copy) => copy.backup(two))
    await withIndex(two, { readOnly: true }, (copy) => expect(looksOf(copy)).toEqual(looksOf(index)))
    await index.close()
  })
})

// Containers give the same number to each process that is begun anew.
test('what an unfinished copy of a process with the same number has left is in no way', async () => {
  const index = await openPages(newPath(), { upkeep: BUSY })
  for (const name of [`partial-${process.pid}`, 'partial', `partial-${'0'.repeat(16)}`]) {
    const target = newPath('copy')
    const leftover = `${target}.${name}`
    mkdirSync(path.join(leftover, 'segments'), { recursive: true })
    writeFileSync(path.join(leftover, 'catalog.db'), 'half of a copy')
    await index.backup(target)
    await withIndex(target, { readOnly: true }, (copy) => expect(looksOf(copy)).toEqual(looksOf(index)))
    // It may be of a copy that is still being made.
    expect(readdirSync(leftover)).toEqual(['catalog.db', 'segments'])
    rmSync(leftover, { recursive: true })
  }
  await index.close()
})

describe('a copy that cannot be', () => {
  test('EXISTS, whatever is there', async () => {
    const folder = newPath()
    const index = await openPages(folder)
    const [file, empty] = [newPath('file'), newPath('empty')]
    writeFileSync(file, 'words')
    mkdirSync(empty)
    for (const target of [file, empty, folder]) expect(await failureOf(() => index.backup(target))).toBe('EXISTS')
    expect(readdirSync(empty)).toEqual([])
    expect(await index.write({ remove: [0] })).toMatchObject({ removed: 1 })
    await index.close()
  })

  test('fails with IO where no folder can be made, and the index goes on', async () => {
    const index = await openPages(newPath(), { upkeep: BUSY })
    const file = newPath('file')
    writeFileSync(file, 'words')
    expect(await failureOf(() => index.backup(path.join(file, 'copy')))).toBe('IO')
    expect(await index.write({ remove: [0] })).toMatchObject({ removed: 1 })
    await index.close()
  })

  test('of a segment that is gone leaves nothing behind', async () => {
    const folder = newPath()
    const index = await openPages(folder, { upkeep: BUSY })
    await index.compact()
    const segments = path.join(folder, 'segments')
    rmSync(path.join(segments, readdirSync(segments).sort().at(-1) as string))
    const target = newPath('copy')
    expect(await failureOf(() => index.backup(target))).toBe('IO')
    expect(existsSync(target)).toBe(false)
    expect(beside(target)).toEqual([])
    await index.close()
  })

  test('of an index in memory is NOT_SUPPORTED', async () => {
    await withIndex(':memory:', OPTIONS, async (index) => {
      expect(await failureOf(() => index.backup(newPath('copy')))).toBe('NOT_SUPPORTED')
      for (const wrong of ['', undefined, 5])
        expect(await failureOf(() => index.backup(wrong as string))).toBe('TypeError')
    })
  })
})
