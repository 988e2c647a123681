/**
 * Tries to be the writer of an index until it was so many times, writing a document each time; with 0, tries once and
 * then reads. As a process or as a thread. Tells what came of it.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { Freshdex } from 'freshdex'

const [folder, name, turnsText] = isMainThread ? process.argv.slice(2) : workerData
const turns = Number(turnsText)
const finish = { open: 0, locked: 0, written: [] }

do {
  try {
    const index = await Freshdex.open(folder, { key: 'id', fields: { body: {} } })
    finish.open++
    const id = `${name}-${finish.open}`
    await index.write({ put: [{ id, body: `words of ${name}` }] })
    finish.written.push(id)
    await index.close()
  } catch (error) {
    if (error.code !== 'LOCKED') throw error
    finish.locked++
  }
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
} while (finish.open < turns)

if (turns === 0) {
  const reader = await Freshdex.open(folder, { readOnly: true })
  finish.read = reader.search('words').total
  await reader.close()
}
if (isMainThread) process.send(finish)
else parentPort.postMessage(finish)
