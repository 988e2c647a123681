/** The commands that change a whole index or copy it. */
import { readdirSync } from 'node:fs'
import { Freshdex } from 'freshdex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonLines, PAGE_OPTIONS, PAGES, Workplace } from './program.js'

const place = new Workplace()

beforeAll(async () => {
  await place.feed(jsonLines(PAGES), 'index', 'pages', '--batch', '1', ...PAGE_OPTIONS)
})

afterAll(() => place.remove())

describe('freshdex compact', () => {
  it('folds what is pending and tells what that changed', async () => {
    const { status, stdout, stderr } = await place.run('compact', 'pages', '--json')
    expect([status, stderr]).toEqual([0, ''])
    const { before, after, elapsedMs } = JSON.parse(stdout)
    expect(before.pendingPostings).toBeGreaterThan(0)
    expect(after).toMatchObject({ pendingPostings: 0, logBytes: 0 })
    expect(elapsedMs).toBeGreaterThan(0)
    expect((await place.run('compact', 'pages')).stdout).toMatch(
      /^before: 0 pending changes, \d+ segments? of .+, log of 0 bytes\nafter: {2}0 pending changes, .+\n$/,
    )
    expect(await place.run('check', 'pages')).toMatchObject({ status: 0 })
  })
})

describe('freshdex backup', () => {
  it('copies an index that opens by itself', async () => {
    const { status, stdout } = await place.run('backup', 'pages', 'copy', '--json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ path: expect.stringMatching(/copy$/), files: expect.any(Number) })
    expect((await place.run('search', 'copy', 'ferry')).stdout).toContain('2 of 2 hits')
    expect((await place.run('backup', 'pages', 'second')).stdout).toMatch(/^\d+ files of .+ copied to .+second\n$/)
  })

  it('leaves what exists alone', async () => {
    expect(await place.run('backup', 'pages', 'pages')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^freshdex: .+ \(EXISTS\)\n$/),
    })
  })
})

describe('a command that writes', () => {
  it.each([['index'], ['compact'], ['backup']])('%s is refused while another writer has the index', async (name) => {
    const index = await Freshdex.open(place.path('pages'))
    const args = name === 'backup' ? ['pages', 'third'] : ['pages']
    const { status, stdout, stderr } = await place.run(name, ...args)
    await index.close()
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^freshdex: .+ \(LOCKED\)\n$/)
  })

  it.each([['compact'], ['backup']])('%s makes no index where there is none', async (name) => {
    const before = readdirSync(place.folder)
    const args = name === 'backup' ? ['nowhere', 'fourth'] : ['nowhere']
    expect(await place.run(name, ...args)).toMatchObject({ status: 1, stderr: expect.stringContaining('(NOT_FOUND)') })
    expect(readdirSync(place.folder)).toEqual(before)
  })
})
