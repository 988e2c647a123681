/**
 * Damaged rows of sites and of trust in their signals: passed over one by one, reported by a check, and written anew in
 * time.
 */
import { cpSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, OPTIONS, openOrchard, PAGES, type Page, START, url } from '../refresh/orchard.js'
import { newPath } from '../storage/temporary-folder.js'

const at = (days: number) => START + days * DAY_MS

let specimen = ''

/** Sites 1 and 2 are those of pages 1 and 2; each has an answered signal and one that waits. */
beforeAll(async () => {
  specimen = newPath('specimen')
  const index = await openOrchard(specimen)
  for (const day of [1, 3]) {
    await index.refresh.signalAll([1, 2].map((nth) => [url(nth), { kind: 'feed', at: at(day) }]))
    if (day === 1) await index.refresh.observeAll([1, 2].map((nth) => [url(nth), { outcome: 'changed', at: at(2) }]))
  }
  await index.close()
})

function copiedIndex(): string {
  const folder = newPath()
  cpSync(specimen, folder, { recursive: true })
  return folder
}

function change(folder: string, sql: string): void {
  const db = new Database(path.join(folder, 'catalog.db'))
  expect(db.prepare(sql).run().changes, sql).toBeGreaterThan(0)
  db.close()
}

async function faultsOf(index: Freshdex<Page>): Promise<string[]> {
  return (await index.check()).faults.map(({ invariant, message }) => `${invariant}: ${message}`)
}

const FEED = "what is known of signals 'feed' of site 2 is damaged"
const UNKNOWN = 'document 2 is of site 2, which is not there'
const NONE_OF_SITE = [`what is known of signals 'any' of site 2 is damaged`, FEED, UNKNOWN]

/** What a changed bit can make of the rows of site 2, what a check says of it, and whether the site is still known. */
const DAMAGES: readonly (readonly [sql: string, faults: readonly string[], isKnown: boolean])[] = [
  ["UPDATE signal_trust SET signalled_changed = -1 WHERE site = 2 AND kind = 'feed'", [FEED], true],
  ["UPDATE signal_trust SET signalled_same = 0.5 WHERE site = 2 AND kind = 'feed'", [FEED], true],
  ["UPDATE signal_trust SET silent_changed = 'some' WHERE site = 2 AND kind = 'feed'", [FEED], true],
  ["UPDATE signal_trust SET silent_same = 9e999 WHERE site = 2 AND kind = 'feed'", [FEED], true],
  ["UPDATE signal_trust SET silent_same = x'00' WHERE site = 2 AND kind = 'feed'", [FEED], true],
  [
    "UPDATE signal_trust SET kind = 'fees' WHERE site = 2 AND kind = 'feed'",
    ["what is known of signals 'fees' of site 2 is damaged"],
    true,
  ],
  [
    "UPDATE signal_trust SET kind = x'00' WHERE site = 2 AND kind = 'feed'",
    ['what is known of signals Buffer(1) [Uint8Array] [ 0 ] of site 2 is damaged'],
    true,
  ],
  [
    "UPDATE signal_trust SET site = 66 WHERE site = 2 AND kind = 'feed'",
    ["what is known of signals 'feed' of site 66 is damaged"],
    true,
  ],
  ["UPDATE sites SET name = x'00' WHERE id = 2", ['the row of site 2 is damaged', ...NONE_OF_SITE], false],
  ["UPDATE sites SET name = 'host1.example' WHERE id = 2", ['the row of site 2 is damaged', ...NONE_OF_SITE], false],
  ['UPDATE sites SET id = -2 WHERE id = 2', ['the row of site -2 is damaged', ...NONE_OF_SITE], false],
  ['UPDATE sites SET id = 4294967295 WHERE id = 2', ['the row of site 4294967295 is damaged', ...NONE_OF_SITE], false],
  ['DELETE FROM sites WHERE id = 2', NONE_OF_SITE, false],
  ['UPDATE ledger SET site = 4294967295 WHERE doc = 2', ['document 2 is of site 4294967295, which is not there'], true],
]

describe('signals with', () => {
  test.each(DAMAGES)('%s', async (damage, faults, isKnown) => {
    const folder = copiedIndex()
    change(folder, damage)
    for (const options of [{ ...OPTIONS, readOnly: true }, OPTIONS]) {
      await using index = await Freshdex.open<Page>(folder, options)
      const next = (await index.refresh.next({ budget: 100, at: at(100), minIntervalMs: 0 })).pages
      expect(next).toHaveLength(PAGES.length)
      for (const { priority } of next) expect(Number.isFinite(priority)).toBe(true)
      expect(index.refresh.explain(url(1))?.policy.terms.signalledChance).toBeGreaterThan(0.1)
      expect(index.stats().ledger.damagedRows).toBe(0)
      const sites = index.stats().signals.map(({ site }) => site)
      expect(sites).toEqual(isKnown ? ['host1.example', 'host2.example'] : ['host1.example'])
      expect((await faultsOf(index)).sort()).toEqual(faults.map((fault) => `L2: ${fault.replaceAll("'", '"')}`).sort())
    }
    // What comes next makes the rows sound that it changes, and the tables as a whole.
    {
      await using index = await Freshdex.open<Page>(folder, OPTIONS)
      await index.refresh.signal(url(3), { kind: 'push', at: at(4) })
      await index.refresh.observe(url(2), { outcome: 'same', at: at(4) })
      await index.refresh.signal(url(2), { kind: 'feed', at: at(5) })
    }
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    expect(await faultsOf(again)).toEqual([])
    await again.refresh.next({ budget: 0 })
    const sites = again.stats().signals.map(({ site }) => site)
    expect(sites.sort()).toEqual(['host1.example', 'host2.example', 'host3.example'])
    expect(again.refresh.explain(url(2))?.policy.terms.signalledChance).toBeGreaterThan(0)
  })

  test('a site that is lost leaves its number to nobody', async () => {
    const folder = copiedIndex()
    change(folder, 'DELETE FROM sites WHERE id = 2')
    {
      await using index = await Freshdex.open<Page>(folder, OPTIONS)
      // The first new site, but not number 2.
      await index.refresh.signal(url(3), { kind: 'push', at: at(4) })
    }
    const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
    expect(db.prepare('SELECT id, name FROM sites ORDER BY id').raw().all()).toEqual([
      [1, 'host1.example'],
      [3, 'host3.example'],
    ])
    db.close()
  })
})
