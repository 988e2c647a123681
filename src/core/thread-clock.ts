/** The clock of a thread, for threads that need nothing else of the addon. */

/**
 * Gives what the addon in `file` says of the CPU time of the calling thread, in microseconds. Loading it with all that
 * stands around it would take a thread longer than its first commit.
 */
export function threadClock(file: string): () => number {
  const loaded = { exports: {} as { threadCpuUs(): number } }
  process.dlopen(loaded, file)
  return loaded.exports.threadCpuUs
}
