/** What a process holds, as the operating system counts it. The /proc figures exist on Linux only. */
import { readdirSync } from 'node:fs'

/** After everything that can be collected is: finalizers of one round may free what the next one finds. */
export async function residentBytes() {
  for (let round = 0; round < 4; round++) {
    globalThis.gc()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage.rss()
}

export function openFiles() {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0
}

export function threads() {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0
}
