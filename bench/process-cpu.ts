/** CPU time of this process, all its threads together, and when it has nothing left to do. */
import { setTimeout as sleep } from 'node:timers/promises'

export function cpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

const INTERVAL_MS = 4
const IDLE_US = 500
const IDLE_INTERVALS = 2

/**
 * Resolves when the process does nothing: fits and upkeep that a write has begun are done then, as they are in use,
 * where much time passes between two writes. It takes a few wake-ups, which cost every contender the same.
 */
export async function untilIdle(): Promise<void> {
  for (let idle = 0; idle < IDLE_INTERVALS; ) {
    const before = cpuUs()
    await sleep(INTERVAL_MS)
    idle = cpuUs() - before < IDLE_US ? idle + 1 : 0
  }
}
