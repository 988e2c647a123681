import { performance } from 'node:perf_hooks'
import cliProgress from 'cli-progress'
import { timeSpan } from './wording.js'

/** Shows how far something is, or does nothing at all. */
export interface Progress {
  /** `part` of the total, and how many things that was. */
  update(done: { readonly part: number; readonly things: number }): void
  stop(): void
}

const SILENT: Progress = { update() {}, stop() {} }

/**
 * On standard error, and only for people: a bar when the total is known, with the time that is left if it is asked for,
 * else a count. `noun` names the things, in the plural.
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
  bar.start(isMeasured ? total : 1, 0, { things: 0, left: '' })
  return {
    update: ({ part, things }) => {
      const left = hasTimeLeft && isMeasured ? timeLeft(performance.now() - startMs, part, total) : ''
      bar.update(isMeasured ? part : 0, { things, left })
    },
    stop: () => bar.stop(),
  }
}

/** As the parts before it, so the rest. */
function timeLeft(elapsedMs: number, part: number, total: number): string {
  return part > 0 && part < total ? `, about ${timeSpan((elapsedMs * (total - part)) / part)} left` : ''
}
