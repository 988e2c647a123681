/**
 * Changes copies of an index as somebody would who wants to do harm, one for each seed of its input, and uses each by
 * all that an index can do. Prints for each what became of it:
 *   refused CODE   the opening rejected
 *   used           it opened; calls answered, or failed with a code
 *   WRONG …        anything else
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { crc32 } from 'node:zlib'
import Database from 'better-sqlite3'
import { Freshdex, FreshdexError, salvage } from 'freshdex'

const [, , specimen, scratch] = process.argv
const folder = path.join(scratch, 'index')
const outside = path.join(scratch, 'outside')

/** A small counter run through a mixer: the same everywhere. */
function randomOf(seed) {
  let state = seed >>> 0
  const uint32 = () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  const int = (n) => uint32() % n
  return { int, uint32, pick: (items) => items[int(items.length)], chance: (share) => uint32() / 2 ** 32 < share }
}

const filesIn = (root) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))

function change(sql, file = 'catalog.db') {
  const db = new Database(path.join(folder, file))
  try {
    db.exec(sql)
  } finally {
    db.close()
  }
}

const VALUES = [
  ...['NULL', '0', '-1', '1e300', '9e999', '9223372036854775807', "''", "'x'", "x''", "x'00ff'", 'zeroblob(100000)'],
  ...["'__proto__'", "'/a'", '0.5', "printf('%.*c', 3000, 'y')", 'randomblob(30)'],
]

/** Values of any kind in any cell. */
function scribbleRows(random) {
  const db = new Database(path.join(folder, 'catalog.db'))
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
  for (let nth = 0; nth < 1 + random.int(4); nth++) {
    const table = random.pick(tables)
    const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all()
    const sql = random.pick([
      `UPDATE ${table} SET ${random.pick(columns)} = ${random.pick(VALUES)} WHERE rowid % 3 = ${random.int(3)}`,
      `UPDATE ${table} SET ${random.pick(columns)} = ${random.pick(VALUES)}`,
      `DELETE FROM ${table}`,
      `INSERT INTO ${table} SELECT ${columns.map(() => random.pick(VALUES)).join(', ')}`,
      `UPDATE ${table} SET ${random.pick(columns)} = substr(${random.pick(columns)}, 2) || x'00'`,
    ])
    try {
      db.exec(sql)
    } catch {
      // Constraints hold for attackers, too.
    }
  }
  db.close()
}

/** An image of the ledger whose header says something else, with right checksums. */
function forgeImage(random) {
  const file = path.join(folder, random.pick(['ledger.img', 'judgement.img']))
  if (!existsSync(file)) return
  const bytes = readFileSync(file)
  const length = bytes.readUInt32LE(8)
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + length))
  const forge = (value, depth) => {
    if (random.chance(0.15)) return random.pick([null, -1, 1e9, 0.5, 'x', [], {}, 2 ** 31, true])
    if (Array.isArray(value)) return value.map((item) => forge(item, depth + 1))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, name === 'key' ? item : forge(item, depth + 1)]),
    )
  }
  const text = Buffer.alloc(length, ' ')
  Buffer.from(JSON.stringify(forge(header, 0))).copy(text)
  text.copy(bytes, 16)
  bytes.writeUInt32LE(crc32(text), 12)
  writeFileSync(file, bytes)
}

function scribbleBytes(random) {
  const file = random.pick(filesIn(folder))
  const bytes = readFileSync(file)
  if (random.chance(0.2)) return writeFileSync(file, bytes.subarray(0, random.int(bytes.length + 1)))
  for (let nth = 0; nth < 1 + random.int(30) && bytes.length > 0; nth++) {
    const at = random.chance(0.5) ? random.int(Math.min(200, bytes.length)) : random.int(bytes.length)
    bytes[at] = random.pick([0, 0xff, 0x7f, random.int(256), bytes[at] ^ (1 << random.int(8))])
  }
  if (random.chance(0.2)) writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(random.int(5000), random.int(256))]))
  else writeFileSync(file, bytes)
}

const NAMES = [
  ...['catalog.db', 'catalog.db-wal', 'catalog.db-shm', 'catalog.db-journal', 'lock', 'segments', 'inbox.db'],
  ...['inbox.db-journal', 'ledger.img', 'judgement.img', 'ledger.img.partial', 'judgement.img.partial'],
]

function anyFile(random) {
  return random.chance(0.7) ? path.join(folder, random.pick(NAMES)) : random.pick(filesIn(folder))
}

function replaceByLink(random) {
  const file = anyFile(random)
  const target = path.join(
    outside,
    random.pick(['victim', 'absent', 'index/catalog.db', 'index/segments', 'index/lock']),
  )
  const isHard = random.chance(0.3) && existsSync(target) && statSync(target).isFile()
  rmSync(file, { recursive: true, force: true })
  if (isHard) linkSync(path.join(outside, 'victim'), file)
  else symlinkSync(random.chance(0.1) ? file : target, file)
}

function replaceByPipe(random) {
  const file = anyFile(random)
  rmSync(file, { recursive: true, force: true })
  if (random.chance(0.2)) mkdirSync(file)
  else execFileSync('mkfifo', [file])
}

const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)'

function foreignSchema(random) {
  const tables = ['log', 'documents', 'stored', 'ledger', 'ledger_changes', 'queries', 'state', 'segments', 'writes']
  const table = random.pick(tables)
  change(
    random.pick([
      `CREATE TRIGGER t AFTER ${random.pick(['INSERT', 'UPDATE', 'DELETE'])} ON ${table}
       BEGIN INSERT INTO clicks ${ENDLESS} SELECT x, 1 FROM n; END`,
      `CREATE TRIGGER t BEFORE INSERT ON ${table} BEGIN SELECT RAISE(IGNORE); END`,
      `ALTER TABLE ${table} RENAME TO old; CREATE VIEW ${table} AS ${ENDLESS} SELECT x AS doc, x AS sequence FROM n`,
      `CREATE INDEX i ON ${table} (hex(zeroblob(1000000)))`,
      `CREATE VIEW v AS ${ENDLESS} SELECT x FROM n`,
      'DROP VIEW refresh_priorities; CREATE VIEW refresh_priorities AS SELECT 1',
      `DROP TABLE ${table}`,
      'CREATE VIRTUAL TABLE f USING fts5(x)',
      'PRAGMA user_version = 77',
      'PRAGMA application_id = 5',
    ]),
  )
}

const ORDER = ['foreignSchema', 'scribbleRows', 'forgeImage', 'scribbleBytes', 'replaceByLink', 'replaceByPipe']
const HARMS = { scribbleRows, forgeImage, scribbleBytes, replaceByLink, replaceByPipe, foreignSchema }

function arrange({ seed, harms }) {
  const random = randomOf(seed)
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(outside, { recursive: true })
  cpSync(specimen, folder, { recursive: true })
  cpSync(specimen, path.join(outside, 'index'), { recursive: true })
  writeFileSync(path.join(outside, 'victim'), 'dear and irreplaceable')
  const chosen = Array.from({ length: 1 + random.int(2) }, () => random.pick(harms))
  // Tables first: SQLite would wait for a pipe here, too.
  for (const harm of chosen.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))) {
    try {
      HARMS[harm](random)
    } catch {
      // What one has removed, another cannot change.
    }
  }
  return random
}

/** Names, sizes and contents of all that is outside. */
function outsideText() {
  const files = filesIn(outside).sort()
  return JSON.stringify(files.map((file) => [file, crc32(readFileSync(file))]))
}

const told = (error) => {
  if (error instanceof FreshdexError && error.code !== 'INTERNAL') return error.code
  return `WRONG ${error?.stack ?? error}`
}

const worst = { wrong: undefined }

async function attempt(act) {
  try {
    await act()
  } catch (error) {
    const text = told(error)
    if (text.startsWith('WRONG')) worst.wrong ??= text
  }
}

async function use(index) {
  const acts = [
    () => index.search('w1 OR w2', { docs: true, snippet: true, refresh: true, explain: true }),
    () => index.search('common', { sort: 'priority', limit: 50 }),
    () => [...index.documents()],
    () => index.stats(),
    () => index.refresh.next({ budget: 20, minIntervalMs: 0 }),
    () => index.plan({ budget: 5 }),
    () => index.refresh.explain(0),
    () => index.refresh.review(),
    () => index.refresh.changes(),
    () => index.refresh.writes(),
    () => index.workload.queries(),
    () => index.workload.unanswered(),
    () => index.frontier.next({ budget: 3 }),
    () => index.check(),
    () => index.write({ put: [{ id: 0, title: 'again', body: 'w1 w2 again' }], remove: ['page/1'] }),
    () => index.refresh.observe(4, { outcome: 'same' }),
    () => index.refresh.signal(4, { kind: 'feed' }),
    () => index.frontier.add([{ url: '/new', anchors: ['w1'] }]),
    () => index.refresh.fit(),
    () => index.workload.flush(),
    () => index.compact(),
    () => index.backup(path.join(scratch, 'copy')),
    () => index.check(),
  ]
  const readOnly = index.stats().disk?.readOnly === true
  const changing = new Set(['write', 'observe', 'signal', 'add', 'compact', 'backup'])
  for (const act of acts) {
    const isChange = [...changing].some((name) => String(act).includes(`.${name}(`))
    if (!(readOnly && isChange)) await attempt(act)
  }
  await attempt(() => index.close())
}

async function outcomeOf(job) {
  const random = arrange(job)
  const before = outsideText()
  worst.wrong = undefined
  let outcome
  try {
    const index = await Freshdex.open(folder, { readOnly: random.chance(0.4), workload: { learnFlushMs: 20 } })
    outcome = 'used'
    try {
      await use(index)
    } catch (error) {
      worst.wrong ??= told(error)
    }
  } catch (error) {
    const text = told(error)
    outcome = text.startsWith('WRONG') ? text : `refused ${text}`
  }
  await attempt(() => salvage(folder, path.join(scratch, 'saved')))
  if (worst.wrong !== undefined) return worst.wrong
  return outsideText() === before ? outcome : 'WRONG something outside has changed'
}

for await (const line of createInterface({ input: process.stdin })) {
  const outcome = await outcomeOf(JSON.parse(line))
  process.stdout.write(`${outcome.replaceAll('\n', ' | ').slice(0, 700)}\n`)
}
rmSync(scratch, { recursive: true, force: true })
