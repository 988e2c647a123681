/** Watching an index while another process writes it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ending, jsonLines, PAGE_OPTIONS, PAGES, Workplace } from '../program.js'
import { CHANGED } from './refreshed-pages.js'

const place = new Workplace()

beforeAll(async () => {
  await place.feed(jsonLines(PAGES), 'index', 'pages', ...PAGE_OPTIONS)
  await place.feed('ferry\t40\n', 'workload', 'import', 'pages', '-')
})
afterAll(() => place.remove())

describe('freshdex watch', () => {
  it('prints what another process writes, as it comes, until it is interrupted', async () => {
    const child = place.start('watch', 'pages', '--last', '--jsonl')
    const lines: string[] = []
    let tell: () => void = () => {}
    child.stdout.on('data', (text: string) => {
      lines.push(...text.trimEnd().split('\n'))
      tell()
    })
    const ended = ending(child)
    const until = (number: number) =>
      new Promise<void>((resolve) => {
        tell = () => lines.length >= number && resolve()
        tell()
      })
    await until(1)
    await place.feed(jsonLines([CHANGED]), 'index', 'pages')
    await until(2)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ status: 0, stderr: '' })
    const [first, second] = lines.map((line) => JSON.parse(line))
    expect(first).toMatchObject({ documents: 3, pages: [{ outcome: 'new' }, { outcome: 'new' }, { outcome: 'new' }] })
    expect(second).toMatchObject({
      documents: 1,
      pages: [{ key: '/harbour', outcome: 'changed', moves: [{ query: 'ferry', rankAfter: expect.any(Number) }] }],
    })
  })

  it('has one line for each page: time, key, outcome, ranks, gain, scores moved and what measuring took', async () => {
    await place.feed(jsonLines([{ ...CHANGED, body: 'Ferry, ferry and ferry.' }]), 'index', 'pages')
    const { status, stdout, stderr } = await place.run('watch', 'pages', '--last', '--writes', '3')
    expect([status, stderr]).toEqual([0, ''])
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(4 + 2)
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}\/ferry +new$/)
    expect(lines[3]).toMatch(/^\d\d:\d\d:\d\d {2}3 pages in one write; indexed in [\d.]+ .s, not measured$/)
    expect(lines[4]).toMatch(/^[\d:]{8} {2}\/harbour +changed {2}ferry none→\d {2}[\d.]+% of the answers improved; /)
    expect(lines[4]).toMatch(/; 1 score moved, indexed in [\d.]+ .s, measured in [\d.]+ .s \([\d.,]+%\)$/)
    for (const line of lines) expect(line).not.toMatch(/e-\d|undefined|NaN/)
  })

  it('prints one JSON document at the end of its time', async () => {
    const { status, stdout, stderr } = await place.run('watch', 'pages', '--for', '1s', '--json')
    expect([status, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({ writes: [] })
  })

  it.each([
    ['no time', ['pages', '--for', 'soon'], 'length of time', 2],
    ['no writes', ['pages', '--writes', '0'], 'whole number from 1', 2],
    ['no index', ['nowhere'], 'NOT_FOUND', 1],
  ])('refuses %s', async (_, args, message, status) => {
    expect(await place.run('watch', ...args)).toMatchObject({
      status,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })
})
