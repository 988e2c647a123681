import cliProgress from 'cli-progress'

/** Shows how far something is, or does nothing at all. */
export interface Progress {
  /** `part` of the total, and how many things that was. */
  update(done: { readonly part: number; readonly things: number }): void
  stop(): void
}

const SILENT: Progress = { update() {}, stop() {} }

/**
 * On standard error, and only for people: a bar when the total is known, with the time that is left if it is asked for, else a count. `noun` names
 * the things, in the plural.
 */
export function showProgress(
  total: number | undefined,
  noun: string,
  { hasTimeLeft = false }: { readonly hasTimeLeft?: boolean } = {},
): Progress {
  if (!process.stderr.isTTY) return SILENT
  const isMeasured = total !== undefined && total > 0
  const times = hasTimeLeft ? '{duration_formatted}, about {eta_formatted} left' : '{duration_formatted}'
  const format = isMeasured ? `{bar} {percentage}%  {things} ${noun}  ${times}` : `{things} ${noun}`
  const bar = new cliProgress.SingleBar(
    { format, stream: process.stderr, clearOnComplete: true, hideCursor: true, gracefulExit: false },
    cliProgress.Presets.shades_classic,
  )
  bar.start(isMeasured ? total : 1, 0, { things: 0 })
  return {
    update: ({ part, things }) => bar.update(isMeasured ? part : 0, { things }),
    stop: () => bar.stop(),
  }
}
