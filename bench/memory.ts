/** How much memory something takes: what V8 and typed arrays hold after a full garbage collection, in bytes. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Heap and array buffers, without garbage. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
