/**
 * Ends the process in the way named by its second argument while the index of the first one is open. The third says how
 * often the ways repeat themselves that do.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Freshdex } from 'freshdex'
import { openFiles, residentBytes, threads } from '../lifecycle/resources.mjs'

const ROUNDS = Number(process.argv[4])
const WARM = 20
const upkeep = { logBytes: 1, foldPostings: 20, partitionBytes: 1_000 }
const options = { key: 'id', fields: { title: {}, body: {} } }
const pages = (version) => Array.from({ length: 30 }, (_, nth) => ({ id: nth, body: `words of ${nth} v${version}` }))

async function cycle(folder, nth) {
  const readOnly = nth % 4 === 3
  const index = await Freshdex.open(folder, readOnly ? { readOnly } : { ...options, ...(nth % 2 ? { upkeep } : {}) })
  if (nth % 5 === 0) index.snapshot()
  if (!readOnly) await index.write({ put: pages(nth), remove: [`page ${nth}`] })
  if (nth % 3 === 0) index.snapshot().search('words', { docs: true })
  if (nth % 7 === 0 && !readOnly) await index.compact()
  if (nth % 6 === 0) await index.check()
  if (nth % 9 === 0) await Freshdex.open(folder, { key: 'nobody' }).catch(() => {})
  await index.close()
}

const ways = {
  'falls off the end after a write': async (index) => {
    await index.write({ put: pages(1) })
  },
  'falls off the end with writes under way': async (index) => {
    for (let version = 0; version < 5; version++) void index.write({ put: pages(version) })
    void index.write({ put: [{ id: 'last', body: 'x' }] }).then(() => console.log('written'))
  },
  'falls off the end with a snapshot and a reader': async (index, folder) => {
    await index.write({ put: pages(1) })
    globalThis.kept = [index.snapshot(), await Freshdex.open(folder, { readOnly: true, pollMs: 1 })]
  },
  'exits with writes under way': async (index) => {
    await index.write({ put: pages(1) })
    for (let version = 0; version < 5; version++) void index.write({ put: pages(version) })
    process.exit(0)
  },
  'exits with a compaction under way': async (index) => {
    await index.write({ put: pages(1) })
    void index.compact()
    setImmediate(() => process.exit(0))
  },
  'drops its snapshots': async (index) => {
    for (let version = 0; version < ROUNDS; version++) {
      index.snapshot().search('words', { docs: true })
      await index.write({ put: pages(version) })
      if (version % 20 === 0) await residentBytes()
      if (version === 60) globalThis.files = openFiles()
    }
    await residentBytes()
    console.log(openFiles() <= globalThis.files + 2 ? 'freed' : `${globalThis.files} files became ${openFiles()}`)
  },
  'writes in workers': async (index, folder) => {
    await index.close()
    for (let round = 0; round < 3; round++) {
      const workers = [0, 1].map((nth) => new Worker(new URL(import.meta.url), { workerData: `${folder}-${nth}` }))
      const said = await Promise.all(workers.map((worker) => new Promise((done) => worker.once('message', done))))
      console.log(said.join(' '))
      await Promise.all(workers.map((worker) => worker.terminate()))
    }
  },
  'opens and closes again and again': async (index, folder) => {
    await index.close()
    let warm
    for (let nth = 0; nth < ROUNDS; nth++) {
      if (nth === WARM) warm = [await residentBytes(), openFiles(), threads()]
      await cycle(folder, nth)
    }
    await residentBytes()
    console.log(JSON.stringify({ files: openFiles() - warm[1], threads: threads() - warm[2] }))
  },
}

if (isMainThread) {
  const [, , folder, way] = process.argv
  await ways[way](await Freshdex.open(folder, { ...options, upkeep }), folder)
} else {
  const index = await Freshdex.open(workerData, { ...options, upkeep })
  for (let version = 0; version < 10; version++) await index.write({ put: pages(version) })
  const { ok } = await index.check()
  parentPort.postMessage(`${ok} ${index.stats().documents}`)
  // Terminated with the index open, and writing.
  for (let version = 0; ; version++) await index.write({ put: pages(version) })
}
