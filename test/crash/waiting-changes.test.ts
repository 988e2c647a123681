/**
 * A writer is killed between its writes and the moment at which their changes of the ledger would be brought into its
 * table. Whoever comes next finds every refresh once, and a change that cannot be read is told of and not dropped.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { Freshdex, salvage } from 'freshdex'
import { beforeAll, describe, expect, test } from 'vitest'
import { newDiskPath } from '../storage/temporary-folder.js'
import { OPTIONS, PAGES, type Refreshed, refreshAt, refreshOf, urlOf } from './waiting.mjs'

const REFRESHES = 6
let killed = ''
/** The last refresh of which the killed writer had said that it was durable. */
let acknowledged = 0

beforeAll(async () => {
  killed = newDiskPath('waiting')
  const script = fileURLToPath(new URL('waiting-child.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, killed], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said.includes(`a ${REFRESHES}\n`)) child.kill('SIGKILL')
  })
  const [, signal] = await closed
  expect(signal).toBe('SIGKILL')
  acknowledged = Math.max(...Array.from(said.matchAll(/^a (\d+)\n/gm), ([, number]) => Number(number)))
}, 60_000)

function copied(): string {
  const folder = newDiskPath('copied')
  cpSync(killed, folder, { recursive: true })
  return folder
}

function inCatalog<T>(folder: string, work: (db: Database.Database) => T): T {
  const db = new Database(path.join(folder, 'catalog.db'))
  try {
    return work(db)
  } finally {
    db.close()
  }
}

function waitingIn(folder: string): unknown[] {
  return inCatalog(folder, (db) => db.prepare('SELECT id FROM ledger_changes ORDER BY id').pluck().all())
}

function refreshesInTable(folder: string): unknown[] {
  return inCatalog(folder, (db) => db.prepare('SELECT refreshes FROM ledger ORDER BY doc').pluck().all())
}

function refreshesOf(index: Freshdex<Refreshed>): (number | undefined)[] {
  return Array.from({ length: PAGES }, (_, nth) => index.refresh.explain(urlOf(nth))?.refreshes)
}

async function faultsOf(index: Freshdex<Refreshed>): Promise<string[]> {
  return (await index.check()).faults.map(({ message }) => message)
}

describe('a writer killed between writes and the moment at which their changes reach the ledger', () => {
  test('leaves every refresh to readers and to the next writer, which counts each once', async () => {
    const folder = copied()
    expect(waitingIn(folder).length).toBeGreaterThanOrEqual(acknowledged)
    expect(refreshesInTable(folder)).toEqual(Array(PAGES).fill(0))
    let found: number
    {
      await using reader = await Freshdex.open<Refreshed>(folder, { ...OPTIONS, readOnly: true })
      const counts = refreshesOf(reader)
      found = counts[0] as number
      // One more may have become durable before it could be said.
      expect([acknowledged, acknowledged + 1]).toContain(found)
      expect(counts).toEqual(Array(PAGES).fill(found))
      expect(reader.refresh.explain(urlOf(1))).toMatchObject({ changes: 0, refreshedAt: refreshAt(found) })
      expect(await faultsOf(reader)).toEqual([])
    }
    {
      await using writer = await Freshdex.open<Refreshed>(folder, OPTIONS)
      await writer.write({ put: refreshOf(found + 1) }, { at: refreshAt(found + 1) })
      expect(refreshesOf(writer)).toEqual(Array(PAGES).fill(found + 1))
      expect(await faultsOf(writer)).toEqual([])
    }
    expect(waitingIn(folder)).toEqual([])
    expect(refreshesInTable(folder)).toEqual(Array(PAGES).fill(found + 1))
    await using again = await Freshdex.open<Refreshed>(folder, OPTIONS)
    expect(refreshesOf(again)).toEqual(Array(PAGES).fill(found + 1))
    expect(again.stats().ledger.damagedRows).toBe(0)
  })

  test('and a change that is damaged: it is told of, before and after the others are in the table', async () => {
    const folder = copied()
    const [, damaged] = waitingIn(folder)
    inCatalog(folder, (db) => db.prepare("UPDATE ledger_changes SET bytes = x'00' WHERE id = ?").run(damaged))
    for (let opening = 0; opening < 3; opening++) {
      await using index = await Freshdex.open<Refreshed>(folder, OPTIONS)
      const number = acknowledged + 2 + opening
      await index.write({ put: refreshOf(number) }, { at: refreshAt(number) })
      expect(index.stats().ledger).toMatchObject({ documents: PAGES, damagedRows: 1 })
      await index.refresh.next({ budget: 3, at: refreshAt(number + 1) })
      expect(await faultsOf(index)).toEqual(['changes that wait to be brought into the ledger are damaged'])
    }
    expect(waitingIn(folder)).toEqual([damaged])
    // A salvage leaves it behind, and says so.
    const salvaged = newDiskPath('salvaged')
    const { problems } = await salvage(folder, salvaged)
    expect(problems.join('\n')).toContain('1 of them are damaged')
    await using index = await Freshdex.open<Refreshed>(salvaged, OPTIONS)
    expect(refreshesOf(index).every((count) => (count ?? 0) > 0)).toBe(true)
    expect(index.stats().ledger).toMatchObject({ documents: PAGES, damagedRows: 0 })
    expect(await faultsOf(index)).toEqual([])
  })
})
