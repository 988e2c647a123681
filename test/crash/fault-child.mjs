/**
 * Writes batches on a disk that fails, preloaded as failing_disk.c, case after case as the lines of its input say, each
 * in a folder of its own; then opens the folder on a disk that works. Prints one line of JSON for each case.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'
import { Freshdex } from 'freshdex'
import { batchOf, historyOf, KEYS, keyOf, OPTIONS, queryOf, stateAfter, timeOf, UPKEEP } from './batches.mjs'

const root = process.env.FAILING_DISK_FOLDER
const control = openSync(process.env.FAILING_DISK_CONTROL, 'r+')

/** Small enough for a flush after nearly every batch. */
const upkeep = { ...UPKEEP, logBytes: 1_500, partitionBytes: 1_000 }

/** As the table in failing_disk.c says. */
function setDisk({ at = 0, lasts = false, error = 0 } = {}) {
  const page = Buffer.alloc(168)
  for (const [nth, word] of [0, at, lasts ? 1 : 0, error, 0].entries()) page.writeBigUInt64LE(BigInt(word), nth * 8)
  writeSync(control, page, 0, page.length, 0)
}

function counters() {
  const page = Buffer.alloc(168)
  readSync(control, page, 0, page.length, 0)
  const [first] = page.toString('latin1', 40).split('\0')
  return { calls: Number(page.readBigUInt64LE(0)), failed: Number(page.readBigUInt64LE(32)), first }
}

/** What is wrong with the documents of an index that should have `number` batches. */
function differenceFrom(index, seed, number) {
  const { documents, refreshes } = stateAfter(seed, number)
  for (let nth = 0; nth < KEYS; nth++) {
    if (!isDeepStrictEqual(index.get(keyOf(nth)), documents.get(keyOf(nth)))) return `document ${keyOf(nth)}`
  }
  for (let nth = 0; nth < KEYS; nth++) {
    if (!isDeepStrictEqual(historyOf(index, keyOf(nth)), refreshes.get(keyOf(nth)))) return `history of ${keyOf(nth)}`
  }
  if (index.stats().ledger.documents !== refreshes.size) return `${index.stats().ledger.documents} rows of the ledger`
  const marks = [...documents.values()].filter(({ body }) => body.endsWith(`\nb${number}`)).length
  if (index.search(`b${number}`, { docs: true }).total !== marks) return `search for b${number}`
  if (index.stats().documents !== documents.size) return `${index.stats().documents} documents`
  return null
}

const told = (error) => ({
  code: error.code ?? String(error),
  cause: error.cause?.code ?? null,
  message: error.message,
})

async function attempt(act) {
  try {
    await act()
    return null
  } catch (error) {
    return told(error)
  }
}

/** Until the first failure, or to the end. */
async function writeAll(index, { seed, batches, compactAt }, result) {
  for (let number = 1; number <= batches; number++) {
    const { put, remove } = batchOf(seed, number)
    result.sent = number
    index.workload.record(queryOf(number), { at: timeOf(number) })
    result.failure = await attempt(() => index.write({ put, remove }, { at: timeOf(number) }))
    if (result.failure !== null) return
    result.acknowledged = number
    if (number !== compactAt) continue
    result.failure = await attempt(() => index.compact())
    if (result.failure !== null) return
  }
}

async function play(task) {
  const folder = path.join(root, `case-${task.name}`)
  const result = { name: task.name, acknowledged: 0, sent: 0, failure: null, later: null, after: null, closing: null }
  setDisk(task)
  try {
    const index = await Freshdex.open(folder, { ...OPTIONS, durability: task.durability, upkeep })
    await writeAll(index, task, result)
    // Searches go on, whatever the disk does, with what was acknowledged.
    result.after = differenceFrom(index, task.seed, result.acknowledged)
    if (result.failure !== null) result.later = await attempt(() => index.write({ remove: ['nobody'] }))
    result.closing = await attempt(() => index.close())
  } catch (error) {
    result.opening = told(error)
  }
  Object.assign(result, counters())
  setDisk()
  result.reopened = await reopen(folder, task.seed)
  rmSync(folder, { recursive: true, force: true })
  return result
}

async function reopen(folder, seed) {
  try {
    const index = await Freshdex.open(folder, OPTIONS)
    const { sequence } = index.stats()
    const { ok, faults } = await index.check({ level: 3 })
    const difference = differenceFrom(index, seed, sequence)
    await index.write({ put: [{ id: 'afterwards', body: 'it goes on' }] })
    await index.close()
    return { sequence, ok, faults, difference }
  } catch (error) {
    return { error: told(error) }
  }
}

for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await play(JSON.parse(line))))
closeSync(control)
