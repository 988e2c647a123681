/**
 * Opens the index named by its first argument for writing, says what came of it, and then ends or stays as the second
 * one says.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Freshdex } from 'freshdex'

async function attempt(folder) {
  try {
    const index = await Freshdex.open(folder, { key: 'id', fields: { title: {}, body: {} } })
    return { index, said: 'open' }
  } catch (error) {
    return { said: error.code ?? String(error) }
  }
}

if (isMainThread) {
  const [, , folder, way] = process.argv
  if (way === 'in a worker') {
    const worker = new Worker(new URL(import.meta.url), { workerData: folder })
    worker.on('message', (said) => console.log(said))
  } else {
    const { index, said } = await attempt(folder)
    if (way === 'write and stay') await index?.write({ put: [{ id: 'theirs', body: 'words of another process' }] })
    console.log(said)
    if (way === 'close') await index?.close()
    // Alive until it is killed.
    if (way !== 'close' && index !== undefined) setInterval(() => index.stats(), 1_000)
  }
} else {
  const { index, said } = await attempt(workerData)
  await index?.close()
  parentPort.postMessage(said)
}
