/** How much memory something takes: what V8 and typed arrays hold after garbage collection, in bytes. */
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Memory that was given back counts until the event loop has had a few turns. */
const ROUNDS = 5
const ROUND_MS = 20

export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

/** Heap and array buffers, without garbage. */
export async function heldBytes(): Promise<number> {
  for (let round = 0; round < ROUNDS; round++) {
    collectGarbage()
    await wait(ROUND_MS)
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
