import { performance } from 'node:perf_hooks'
import cliProgress from 'cli-progress'
import { resumeClock, suspendClock } from './clock.js'
import { timeSpan } from './wording.js'

/** Shows how far something is, or does nothing at all. */
export interface Progress {
  /** `part` of the total, and how many things that was. */
  update(done: { readonly part: number; readonly things: number }): void
  stop(): void
}

const SILENT: Progress = { update() {}, stop() {} }

/**
 * Shows a bar on standard error when the total is known, else a count; nothing if standard error is no terminal.
 * `noun` names the things, in the plural. `hasTimeLeft` adds an estimate of the time that is left.
 */
export function showProgress(
  total: number | undefined,
  noun: string,
  { hasTimeLeft = false }: { readonly hasTimeLeft?: boolean } = {},
): Progress {
  if (!process.stderr.isTTY) return SILENT
  const isMeasured = total !== undefined && total > 0
  const format = isMeasured ? `{bar} {percentage}%  {things} ${noun}  {duration_formatted}{left}` : `{things} ${noun}`
  const bar = new cliProgress.SingleBar(
    { format, stream: process.stderr, clearOnComplete: true, hideCursor: true, gracefulExit: false },
    cliProgress.Presets.shades_classic,
  )
  const startMs = performance.now()
  suspendClock()
  bar.start(isMeasured ? total : 1, 0, { things: 0, left: '' })
  return {
    update: ({ part, things }) => {
      const left = hasTimeLeft && isMeasured ? timeLeft(performance.now() - startMs, part, total) : ''
      bar.update(isMeasured ? part : 0, { things, left })
    },
    stop: () => {
      bar.stop()
      resumeClock()
    },
  }
}

/** Shows progress while `work` goes on, and ends that whatever happens. */
export async function withProgress<T>(
  total: number | undefined,
  noun: string,
  work: (update: Progress['update']) => T | Promise<T>,
): Promise<T> {
  const progress = showProgress(total, noun)
  try {
    return await work(progress.update)
  } finally {
    progress.stop()
  }
}

/** Assumes that the rest takes as long, part by part, as what is done. */
function timeLeft(elapsedMs: number, part: number, total: number): string {
  return part > 0 && part < total ? `, about ${timeSpan((elapsedMs * (total - part)) / part)} left` : ''
}
