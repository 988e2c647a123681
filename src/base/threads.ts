/** How a thread of ours is started, whatever program it is part of. */
import { Worker } from 'node:worker_threads'

/**
 * Starts a thread that runs a compiled module. A worker inherits the flags of its process, and some of them are meant
 * for the program alone: under `--input-type=module`, with which people try things by `node -e`, no worker could run a
 * file. So the thread gets no flags, neither from the command line nor from NODE_OPTIONS.
 */
export function startThread(script: URL, workerData: unknown, name: string): Worker {
  return new Worker(script, { workerData, name, execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } })
}
