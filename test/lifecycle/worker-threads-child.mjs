/**
 * Indexes in several worker threads at once. Two kinds of worker finish their work and report what they found; the
 * others search or write without end until they are terminated in the middle of it.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Freshdex } from 'freshdex'

/** The first argument. */
const ROUNDS = Number(process.argv[2])
const DOCUMENTS = 1_500

const body = (nth) => Array.from({ length: 40 }, (_, word) => `w${(nth * 31 + word * word) % 997}`).join(' ')
const pages = (from, count) =>
  Array.from({ length: count }, (_, nth) => ({ id: from + nth, body: `${body(from + nth)} all` }))

async function open() {
  return Freshdex.open(':memory:', { key: 'id', fields: { body: {} } })
}

/** Adds, replaces and removes, with searches in between; the counts are known beforehand. */
async function work() {
  const index = await open()
  for (let from = 0; from < DOCUMENTS; from += 100) {
    await index.write({ put: pages(from, 100) })
    index.search('w1* OR w22~')
  }
  await index.write({ put: pages(0, 50).map((page) => ({ ...page, body: `${page.body} edited` })), remove: [100, 101] })
  const result = [
    index.search('all').total,
    index.search('edited').total,
    index.stats().documents,
    (await index.check()).ok,
  ]
  await index.close()
  return result.join(' ')
}

async function searchForever() {
  const index = await open()
  await index.write({ put: pages(0, DOCUMENTS) })
  parentPort.postMessage('busy')
  for (;;) index.search('w* OR w12~2 OR (w1* w2*) OR "w1 w2" OR NOT w3', { limit: 10_000, docs: true })
}

async function writeForever() {
  const index = await open()
  parentPort.postMessage('busy')
  for (let round = 0; ; round++) {
    const snapshot = index.snapshot()
    await Promise.all([
      index.write({ put: pages((round % 5) * 300, 500) }),
      index.write({ remove: [round, 700 + round] }),
    ])
    snapshot.search('all')
  }
}

const roles = { work, searchForever, writeForever }

function startWorker(role) {
  const worker = new Worker(new URL(import.meta.url), { workerData: role })
  worker.once('error', (error) => {
    console.error(role, error)
    process.exitCode = 1
  })
  return worker
}

function nextMessage(worker) {
  return new Promise((resolve) => worker.once('message', resolve))
}

/** At another point of its work in every round. */
async function terminateBusy(role, round) {
  const worker = startWorker(role)
  await nextMessage(worker)
  await new Promise((resolve) => setTimeout(resolve, round * 7))
  await worker.terminate()
}

async function main() {
  for (let round = 0; round < ROUNDS; round++) {
    const steady = [startWorker('work'), startWorker('work')].map(nextMessage)
    const terminated = [terminateBusy('searchForever', round), terminateBusy('writeForever', round)]
    const own = round % 4 === 0 ? [work()] : []
    const results = await Promise.all([...steady, ...own])
    await Promise.all(terminated)
    console.log([...new Set(results)].join(' / '))
  }
}

if (isMainThread) await main()
else parentPort.postMessage(await roles[workerData]())
