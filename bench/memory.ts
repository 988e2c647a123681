/** How much memory something takes: what V8 and typed arrays hold after garbage collection, in bytes. */
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Memory that was given back counts until the event loop has had a few turns. */
const ROUNDS = 5
const ROUND_MS = 20

/** Heap and array buffers, without garbage. */
export async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < ROUNDS; round++) {
    collect()
    await wait(ROUND_MS)
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
