/**
 * What people ask and no page answers may come to be answered by any page, and so may what was answered so lately: the
 * part of gains that does not depend on stakes follows from it, in every process that looks.
 */
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex, salvage } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { DAY_MS, OPTIONS, openOrchard, type Page, page, START, url } from './orchard.js'

/** Beside the ten that the orchard answers, but for one. */
const UNANSWERED: readonly (readonly [query: string, count: number])[] = [['medlar', 20]]
const SHARE = 21 / 30
const LEAST = 0.14
const YEAR_MS = 365 * DAY_MS

function stakelessShare(index: Freshdex<Page>, nth = 1): number {
  return index.refresh.explain(url(nth))!.policy.terms.stakelessShare!
}

async function withQuestions(path?: string): Promise<Freshdex<Page>> {
  const index = await openOrchard(path)
  await index.workload.load(UNANSWERED, { at: START })
  await index.refresh.fit()
  return index
}

async function writtenOrchard(): Promise<string> {
  const folder = newPath()
  await (await withQuestions(folder)).close()
  return folder
}

function change(folder: string, sql: string): void {
  const db = new Database(path.join(folder, 'catalog.db'))
  db.exec(sql)
  db.close()
}

describe('the part of gains without a stake', () => {
  test('is small where most is answered, and grows with what is not', async () => {
    await using index = await openOrchard()
    expect(stakelessShare(index)).toBe(LEAST)
    await index.workload.load(UNANSWERED, { at: START })
    await index.refresh.fit()
    expect(stakelessShare(index)).toBeCloseTo(SHARE ** 2, 12)
  })

  test('stays when refreshes bring the answers, and is forgotten in years', async () => {
    await using index = await withQuestions()
    await index.write({ put: [page(4, 'medlar'), page(5, 'medlar')] }, { at: START + DAY_MS })
    expect(stakelessShare(index)).toBeCloseTo(SHARE ** 2, 12)
    await index.refresh.fit()
    expect(stakelessShare(index)).toBeCloseTo(SHARE ** 2, 12)
    // Half of it is forgotten in a year; when the next one comes, in half a year, 1/√2 of it is left.
    await index.write({ put: [page(6, 'quince')] }, { at: START + DAY_MS + YEAR_MS / 2 })
    await index.refresh.fit()
    expect(stakelessShare(index)).toBeCloseTo(((20 / 30) * Math.SQRT1_2 + 1 / 30) ** 2, 12)
  })

  test('falls when new pages bring them', async () => {
    await using index = await withQuestions()
    await index.write({ put: [page(99, 'medlar')] }, { at: START + DAY_MS })
    await index.refresh.fit()
    expect(stakelessShare(index)).toBe(LEAST)
  })

  test('brings pages nearer to each other', async () => {
    await using index = await openOrchard()
    const spread = async () => {
      const next = (await index.refresh.next({ budget: 100, at: START + 30 * DAY_MS })).pages
      return next[0]!.priority / next.at(-1)!.priority
    }
    const before = await spread()
    await index.workload.load(UNANSWERED, { at: START })
    await index.refresh.fit()
    expect(before).toBeGreaterThan(2)
    expect(await spread()).toBeLessThan(before / 1.3)
  })

  test('is kept, and told to readers of other processes', async () => {
    const folder = await writtenOrchard()
    await using reader = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true })
    expect(stakelessShare(reader)).toBeCloseTo(SHARE ** 2, 12)
    {
      await using index = await Freshdex.open<Page>(folder, OPTIONS)
      expect(stakelessShare(index)).toBeCloseTo(SHARE ** 2, 12)
      await index.write({ put: [page(4, 'medlar')] }, { at: START + DAY_MS })
      await index.refresh.fit()
    }
    await reader.catchUp()
    expect(stakelessShare(reader)).toBeCloseTo(SHARE ** 2, 12)
    {
      await using index = await Freshdex.open<Page>(folder, OPTIONS)
      await index.workload.load([['apple', 570]], { at: START })
      await index.refresh.fit()
    }
    await reader.catchUp()
    // What was answered by then stays as it is; quince is one of 600 now.
    expect(stakelessShare(reader)).toBeCloseTo((20 / 30 + 1 / 600) ** 2, 9)
  })

  test.each([
    ["unanswered = 'much'", LEAST],
    ['unanswered = -1', LEAST],
    ['unanswered = 9e999', LEAST],
    ['unanswered = 7', LEAST],
    ["answered = x'00'", SHARE ** 2],
    ["answered = 1, answered_ms = 'then'", SHARE ** 2],
    ['answered = 0.2, answered_ms = 9e15', SHARE ** 2],
    ['answered = 0.2, answered_ms = 5', (SHARE + 0.2) ** 2],
    ['answered = 1', 1],
  ])('is none that could not be when the catalog has %s', async (damage, expected) => {
    const folder = await writtenOrchard()
    change(folder, `UPDATE refresh_state SET ${damage}`)
    for (const readOnly of [true, false]) {
      await using index = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly })
      expect(stakelessShare(index)).toBeCloseTo(expected, 12)
    }
  })

  test('is salvaged', async () => {
    const folder = await writtenOrchard()
    const target = newPath()
    await salvage(folder, target)
    await using index = await Freshdex.open<Page>(target, { ...OPTIONS, readOnly: true })
    expect(stakelessShare(index)).toBeCloseTo(SHARE ** 2, 12)
  })
})
