/** Folders that somebody else has prepared: opening one touches nothing outside of it, and waits for nothing. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex, salvage } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { failureOf, OPTIONS, openPages, PAGES, type Page, page } from './specimen.js'
import { newPath } from './temporary-folder.js'

async function closedIndex(): Promise<string> {
  const folder = newPath('hostile')
  const index = await openPages(folder)
  await index.compact()
  await index.close()
  return folder
}

/** A file that is not to be touched. */
function victim(): { readonly file: string; readonly isIntact: () => boolean } {
  const file = newPath('victim')
  writeFileSync(file, 'dear and irreplaceable')
  return { file, isIntact: () => readFileSync(file, 'utf8') === 'dear and irreplaceable' }
}

function pipeAt(file: string): void {
  rmSync(file, { force: true, recursive: true })
  expect(spawnSync('mkfifo', [file]).status).toBe(0)
}

const open = async (folder: string, readOnly: boolean) => {
  const index = await Freshdex.open<Page>(folder, { readOnly })
  index.search('fox')
  await index.close()
}

const writing = async (folder: string) => {
  const index = await Freshdex.open<Page>(folder, OPTIONS)
  await index.write({ put: [page(1, 5)] })
  await index.compact()
  await index.close()
}

const NEEDED = ['catalog.db', 'catalog.db-wal', 'catalog.db-shm', 'catalog.db-journal', 'lock']

describe('a link in the folder of an index', () => {
  it.each(NEEDED)('%s is refused, and what it points to is left alone', async (name) => {
    const folder = await closedIndex()
    const { file, isIntact } = victim()
    rmSync(path.join(folder, name), { force: true })
    symlinkSync(file, path.join(folder, name))
    expect(await failureOf(() => writing(folder))).toBe('NOT_AN_INDEX')
    expect(await failureOf(() => open(folder, true))).toBe('NOT_AN_INDEX')
    expect(await failureOf(() => salvage(folder, newPath('salvaged')))).toBe('NOT_AN_INDEX')
    expect(isIntact()).toBe(true)
  })

  it.each(NEEDED)('%s that points to nothing makes nothing', async (name) => {
    const folder = newPath('hostile')
    mkdirSync(path.join(folder, 'segments'), { recursive: true })
    const absent = newPath('absent')
    symlinkSync(absent, path.join(folder, name))
    expect(await failureOf(() => writing(folder))).toBe('NOT_AN_INDEX')
    expect(existsSync(absent)).toBe(false)
  })

  it('in the place of the segments leaves those of another index', async () => {
    const folder = await closedIndex()
    const other = await closedIndex()
    const theirs = readdirSync(path.join(other, 'segments'))
    expect(theirs.length).toBeGreaterThan(0)
    rmSync(path.join(folder, 'segments'), { recursive: true })
    symlinkSync(path.join(other, 'segments'), path.join(folder, 'segments'))
    expect(await failureOf(() => writing(folder))).toBe('NOT_AN_INDEX')
    expect(await failureOf(() => open(folder, true))).toBe('NOT_AN_INDEX')
    expect(readdirSync(path.join(other, 'segments'))).toEqual(theirs)
  })

  it('in the place of a segment is refused', async () => {
    const folder = await closedIndex()
    const segment = path.join(folder, 'segments', readdirSync(path.join(folder, 'segments'))[0] as string)
    const elsewhere = newPath('segment')
    renameSync(segment, elsewhere)
    symlinkSync(elsewhere, segment)
    expect(await failureOf(() => open(folder, false))).toBe('CORRUPT')
    expect(await failureOf(() => open(folder, true))).toBe('CORRUPT')
    expect(existsSync(elsewhere)).toBe(true)
  })

  it('in the place of an image is replaced, and what it points to is left alone', async () => {
    const folder = await closedIndex()
    const { file, isIntact } = victim()
    for (const name of ['ledger.img', 'ledger.img.partial', 'judgement.img', 'judgement.img.partial']) {
      rmSync(path.join(folder, name), { force: true })
      symlinkSync(file, path.join(folder, name))
    }
    const index = await Freshdex.open<Page>(folder, OPTIONS)
    await index.write({ put: Array.from({ length: 6000 }, (_, nth) => page(nth + 100)) })
    await index.refresh.next({ budget: 3 })
    await index.close()
    expect(isIntact()).toBe(true)
  })

  it('in the place of the inbox is left alone', async () => {
    const folder = await closedIndex()
    const { file, isIntact } = victim()
    symlinkSync(file, path.join(folder, 'inbox.db'))
    await open(folder, true)
    await writing(folder)
    expect(isIntact()).toBe(true)
  })

  it('may be the folder itself, which the caller has named', async () => {
    const folder = await closedIndex()
    const link = newPath('link')
    symlinkSync(folder, link)
    await writing(link)
    const index = await Freshdex.open<Page>(link)
    expect(index.stats().documents).toBe(PAGES.length - 1 + 1)
    await index.close()
  })
})

it('a lock that is a hard link to something else is not overwritten', async () => {
  const folder = await closedIndex()
  const { file, isIntact } = victim()
  rmSync(path.join(folder, 'lock'))
  linkSync(file, path.join(folder, 'lock'))
  await writing(folder)
  expect(isIntact()).toBe(true)
})

it.each(['catalog.db-wal', 'catalog.db-shm', 'catalog.db-journal'])(
  '%s that is a hard link is refused',
  async (name) => {
    const folder = await closedIndex()
    const { file, isIntact } = victim()
    rmSync(path.join(folder, name), { force: true })
    linkSync(file, path.join(folder, name))
    expect(await failureOf(() => writing(folder))).toBe('NOT_AN_INDEX')
    expect(await failureOf(() => open(folder, true))).toBe('NOT_AN_INDEX')
    expect(isIntact()).toBe(true)
  },
)

it('an inbox whose journal is a hard link is replaced', async () => {
  const folder = await closedIndex()
  const { file, isIntact } = victim()
  await open(folder, true)
  rmSync(path.join(folder, 'inbox.db-journal'), { force: true })
  linkSync(file, path.join(folder, 'inbox.db-journal'))
  await open(folder, true)
  await writing(folder)
  expect(isIntact()).toBe(true)
})

describe('a pipe in the folder of an index', () => {
  it.each([...NEEDED, 'segments'])('%s is refused without waiting', async (name) => {
    const folder = await closedIndex()
    pipeAt(path.join(folder, name))
    expect(await failureOf(() => writing(folder))).toBe('NOT_AN_INDEX')
    expect(await failureOf(() => open(folder, true))).toBe('NOT_AN_INDEX')
  })

  it('in the place of a segment is refused without waiting', async () => {
    const folder = await closedIndex()
    pipeAt(path.join(folder, 'segments', readdirSync(path.join(folder, 'segments'))[0] as string))
    expect(await failureOf(() => open(folder, false))).toBe('CORRUPT')
    expect(await failureOf(() => open(folder, true))).toBe('CORRUPT')
    const report = await salvage(folder, newPath('salvaged'))
    expect(report.documents).toBe(PAGES.length - 1)
  })

  it.each(['ledger.img', 'judgement.img', 'inbox.db'])('in the place of %s is passed over', async (name) => {
    const folder = await closedIndex()
    pipeAt(path.join(folder, name))
    await open(folder, true)
    await writing(folder)
  })
})

const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)'

/** Each would keep a statement of ours busy for ever, or change what it says. */
const FOREIGN: Readonly<Record<string, string>> = {
  'a trigger without end': `CREATE TRIGGER t AFTER INSERT ON log
    BEGIN INSERT INTO clicks ${ENDLESS} SELECT x, 1 FROM n; END`,
  'a trigger that forgets': 'CREATE TRIGGER t AFTER INSERT ON documents BEGIN DELETE FROM documents; END',
  'a view without end in the place of a table': `ALTER TABLE documents RENAME TO gone;
    CREATE VIEW documents AS ${ENDLESS} SELECT x AS doc FROM n`,
  'a view of its own': `CREATE VIEW v AS ${ENDLESS} SELECT x FROM n`,
  'a table of its own': 'CREATE TABLE mine (x)',
  'an index that computes': "CREATE INDEX i ON documents (printf('%.*c', 1000000, key))",
  'a virtual table': 'CREATE VIRTUAL TABLE f USING fts5(x)',
  'one table less': 'DROP TABLE judgements',
}

function change(folder: string, sql: string, file = 'catalog.db'): void {
  const db = new Database(path.join(folder, file))
  db.exec(sql)
  db.close()
}

describe('a catalog that somebody has changed', () => {
  it.each(Object.entries(FOREIGN))('with %s is refused', async (_, sql) => {
    const folder = await closedIndex()
    change(folder, sql)
    expect(await failureOf(() => writing(folder))).toBe('CORRUPT')
    expect(await failureOf(() => open(folder, true))).toBe('CORRUPT')
    const readable = !sql.includes('CREATE VIEW documents')
    expect(await failureOf(() => salvage(folder, newPath('salvaged')))).toBe(readable ? 'none' : 'CORRUPT')
  })

  it('says which object it is, and how to remove it', async () => {
    const folder = await closedIndex()
    change(folder, 'CREATE INDEX by_key ON documents (key)')
    await expect(Freshdex.open(folder)).rejects.toThrow(/index "by_key", .* DROP INDEX "by_key"/)
    change(folder, 'DROP INDEX "by_key"')
    await writing(folder)
  })

  it('with the numbers of ANALYZE is taken', async () => {
    const folder = await closedIndex()
    change(folder, 'ANALYZE')
    await writing(folder)
    await open(folder, true)
  })
})

it('an inbox with a trigger is replaced, and keeps nobody waiting', async () => {
  const folder = await closedIndex()
  const reader = await Freshdex.open<Page>(folder, { readOnly: true })
  reader.search('fox')
  await reader.workload.flush()
  await reader.close()
  const trigger = `CREATE TRIGGER t AFTER INSERT ON learnt BEGIN INSERT INTO learnt (kind, name, count, at_ms)
    ${ENDLESS} SELECT 'text', 'x' || x, 1, 0 FROM n; END`
  change(folder, trigger, 'inbox.db')
  await open(folder, true)
  await writing(folder)
  const again = await Freshdex.open<Page>(folder, { readOnly: true })
  again.search('fox')
  await again.workload.flush()
  await again.close()
})
