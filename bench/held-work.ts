/** Times a piece of work, and how long it holds the event loop in one go. */
import { type Holds, LoopHolds } from './loop-holds.js'

export interface Times extends Holds {
  readonly wallMs: number
  /** Of all threads. */
  readonly cpuMs: number
}

export async function measured<T>(work: () => Promise<T>): Promise<Times & { readonly value: T }> {
  // What came before is not to be found here.
  await new Promise((resolve) => setTimeout(resolve, 20))
  const holds = new LoopHolds()
  await new Promise((resolve) => setTimeout(resolve, 5))
  holds.reset()
  const cpu = process.cpuUsage()
  const start = performance.now()
  const promise = work()
  holds.returned()
  const value = await promise
  const wallMs = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  await new Promise((resolve) => setTimeout(resolve, 5))
  return { value, wallMs, cpuMs: (user + system) / 1000, ...holds.end() }
}
