/**
 * A line on the terminal that says that a command is still at work, for commands that do not know how far they are.
 * Only one command runs in a process, so the state is that of the process.
 */

/** A command that takes no longer than this needs no line. */
const TICK_MS = 1000

let isSuspended = false
let isShown = false

/** Shows how long the work has been going on, from its second second on; nothing if standard error is no terminal. */
export async function withClock<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  if (!process.stderr.isTTY || process.env.TERM === 'dumb') return work()
  isSuspended = false
  let seconds = 0
  const tick = setInterval(() => show(`${name} at work for ${++seconds} s`), TICK_MS)
  try {
    return await work()
  } finally {
    clearInterval(tick)
    clear()
  }
}

/** From now on there is something better to see: a bar, or the result. */
export function suspendClock(): void {
  isSuspended = true
  clear()
}

export function resumeClock(): void {
  isSuspended = false
}

/** For work that leaves the event loop no turn: the line is there before it begins. */
export function showBefore(what: string): void {
  if (process.stderr.isTTY && process.env.TERM !== 'dumb') show(what)
}

function show(text: string): void {
  if (isSuspended) return
  process.stderr.write(`\r${text}\u001b[K`)
  isShown = true
}

function clear(): void {
  if (isShown) process.stderr.write('\r\u001b[K')
  isShown = false
}
