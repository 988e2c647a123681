/** Damaged rows of reviews: passed over one by one, reported by a check, and written anew in time. */
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { DAY_MS, OPTIONS, openOrchard, type Page, page, START } from '../refresh/orchard.js'
import { newPath } from '../storage/temporary-folder.js'

const at = (days: number) => START + days * DAY_MS
const DAY = at(2) / DAY_MS

const DAMAGES = [
  `UPDATE review_days SET refreshes = -1 WHERE day = ${DAY}`,
  `UPDATE review_days SET changes = 'few' WHERE day = ${DAY}`,
  `UPDATE review_days SET expected_changes = 99 WHERE day = ${DAY}`,
  `UPDATE review_days SET variance = 9e999 WHERE day = ${DAY}`,
  `UPDATE review_days SET delta_quality = x'00' WHERE day = ${DAY}`,
  `UPDATE review_days SET day = 999999999 WHERE day = ${DAY}`,
]

describe('a damaged row of a review', () => {
  test.each(DAMAGES)('%s', async (sql) => {
    const folder = newPath()
    const made = await openOrchard(folder)
    await made.refresh.next({ budget: 1 })
    for (const day of [2, 5]) await made.write({ put: [page(day, 'quince')] }, { at: at(day) })
    const { days } = made.refresh.review()
    await made.close()
    const db = new Database(path.join(folder, 'catalog.db'))
    expect(db.prepare(sql).run().changes).toBe(1)
    db.close()
    await using index = await Freshdex.open<Page>(folder, OPTIONS)
    const faults = (await index.check()).faults
    expect(faults.map(({ invariant }) => invariant)).toEqual(['L5'])
    expect(faults[0]?.message).toMatch(/^the review of day \d+ is damaged$/)
    expect(index.refresh.review().days).toEqual(days.slice(1))
    await index.refresh.next({ budget: 1 })
    await index.write({ put: [page(7, 'quince')] }, { at: at(7) })
    expect(await index.check()).toMatchObject({ ok: true })
    expect(index.refresh.review().days.map(({ from }) => from)).toEqual([at(5), at(7)])
  })
})
