/** The writes that engines are compared by: what is read from the file is what was written, and going back undoes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { planOfHistory, WARMING_UP } from '../../bench/replacing/write-plans.js'
import { readSections, type TextWrite, writeSections } from '../../bench/replacing/write-sections.js'

const work = mkdtempSync(path.join(tmpdir(), 'freshdex-test-write-plans-'))
afterAll(() => rmSync(work, { recursive: true, force: true }))

const page = (nth: number, week: number) => ({ url: `/${nth}`, title: `page ${nth}`, text: `week ${week}\nä € 😀` })

/** Page 4 comes in week 1 and goes in week 2, in which page 1 goes, too. */
const WEEKS = [
  { added: [page(1, 0), page(2, 0), page(3, 0)], replaced: [], gone: [] },
  { added: [page(4, 1)], replaced: [page(1, 1), page(2, 1)], gone: [] },
  { added: [], replaced: [page(2, 2)], gone: ['/4', '/1'] },
]

function stateAfter(state: ReadonlyMap<string, string>, writes: readonly TextWrite[]): Map<string, string> {
  const next = new Map(state)
  for (const { put, remove } of writes) {
    for (const { url, text } of put) next.set(url, text)
    for (const url of remove) expect(next.delete(url), url).toBe(true)
  }
  return next
}

describe('writes for a comparison', () => {
  const history = { weeks: WEEKS, final: [], versions: 6 }
  const { first, sections, replaced } = planOfHistory(history, 2)
  const begin = new Map(first.map(({ url, text }) => [url, text]))
  const end = new Map([
    ['/2', 'page 2\nweek 2\nä € 😀'],
    ['/3', 'page 3\nweek 0\nä € 😀'],
  ])

  test('go through the weeks, back, and through them again', () => {
    const weekly = sections.filter(({ name }) => name === 'weekly').map(({ writes }) => writes)
    const warm = sections.find(({ name }) => name === WARMING_UP)!.writes
    expect(weekly).toHaveLength(2)
    expect(stateAfter(begin, warm)).toEqual(end)
    expect(stateAfter(stateAfter(begin, warm), weekly[0]!)).toEqual(begin)
    expect(stateAfter(begin, weekly[1]!)).toEqual(end)
    expect(replaced.weekly).toBe(3)
  })

  test('are read as they were written', () => {
    const file = path.join(work, 'sections')
    writeSections(file, sections)
    expect([...readSections(file)]).toEqual(sections)
  })
})
