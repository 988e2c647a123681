/** The commands that change a whole index or copy it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonLines, PAGE_OPTIONS, PAGES, Workplace } from '../program.js'

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
    expect((await place.run('backup', 'pages', 'second')).stdout).toMatch(/^\d+ files of .+ copied to second\n$/)
  })

  it('leaves what exists alone', async () => {
    expect(await place.run('backup', 'pages', 'pages')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^freshdex: .+ \(EXISTS\)\n$/),
    })
  })
})

describe('freshdex salvage', () => {
  it('makes an index of what is stored when the segments are gone', async () => {
    await place.run('backup', 'pages', 'damaged')
    ruinSegments('damaged')
    expect(await place.run('check', 'damaged', '--level', '1')).toMatchObject({ status: 1 })
    const { status, stdout, stderr } = await place.run('salvage', 'damaged', 'salvaged', '--json')
    expect([status, stderr]).toEqual([0, ''])
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      documents: 3,
      fromStored: 3,
      fromRecord: 0,
      lost: [],
      refresh: { histories: { kept: 3, lost: 0 } },
      elapsedMs: expect.any(Number),
    })
    expect(report.problems).not.toEqual([])
    expect(await place.run('check', 'salvaged')).toMatchObject({ status: 0 })
    expect(JSON.parse((await place.run('get', 'salvaged', '/ferry')).stdout)).toEqual(PAGES[0])
  })

  it('tells what is lost, with status 1', async () => {
    await place.feed(jsonLines(PAGES), 'index', 'bare', '--store', 'none', ...PAGE_OPTIONS)
    await place.run('compact', 'bare')
    ruinSegments('bare')
    const { status, stdout, stderr } = await place.run('salvage', 'bare', 'empty')
    expect([status, stderr]).toEqual([1, ''])
    expect(stdout).toMatch(/^damaged: /)
    expect(stdout).toMatch(
      /^lost: \/ferry, .+\nlost: \/market, .+\nlost: \/harbour, .+\n0 documents brought back to empty; /m,
    )
  })

  it('leaves what exists alone', async () => {
    const refused = await place.run('salvage', 'pages', 'copy')
    expect(refused).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('(EXISTS)') })
  })

  function ruinSegments(name: string): void {
    const folder = path.join(place.path(name), 'segments')
    const files = readdirSync(folder).map((file) => path.join(folder, file))
    expect(files).not.toEqual([])
    for (const file of files) writeFileSync(file, readFileSync(file).fill(0xa5))
  }
})

describe('a command that writes', () => {
  it.each([['index'], ['compact'], ['backup']])('%s is refused while another writer has the index', async (name) => {
    const index = await Freshdex.open(place.path('pages'))
    const args = name === 'backup' ? ['pages', 'third'] : ['pages']
    const { status, stdout, stderr } = await place.runProcess(name, ...args)
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
