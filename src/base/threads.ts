/** How a thread of ours is started, whatever program it is part of. */
import { type TransferListItem, Worker } from 'node:worker_threads'

/**
 * Starts a thread that runs a compiled module. A worker inherits the flags of its process, and some of them are meant
 * for the program alone: under `--input-type=module`, with which people try things by `node -e`, no worker could run a
 * file. So the thread gets no flags, neither from the command line nor from NODE_OPTIONS. `moved`: what of the data is
 * moved to the thread and not copied.
 */
export function startThread(
  script: URL,
  workerData: unknown,
  name: string,
  moved: readonly TransferListItem[] = [],
): Worker {
  const env = { ...process.env, NODE_OPTIONS: '' }
  return new Worker(script, { workerData, name, execArgv: [], env, transferList: [...moved] })
}
