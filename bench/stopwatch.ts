/** Times asynchronous work. CPU time is that of all threads of the process. */

export interface Elapsed {
  readonly wallUs: number
  readonly cpuUs: number
}

export async function elapsed(work: () => Promise<unknown>): Promise<Elapsed> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const wallUs = (performance.now() - start) * 1000
  const { user, system } = process.cpuUsage(cpu)
  return { wallUs, cpuUs: user + system }
}

/** The same, wall time only: cheap enough for single calls. */
export async function wallUs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) * 1000
}
