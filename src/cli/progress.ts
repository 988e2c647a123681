import cliProgress from 'cli-progress'

/** Shows how far something is, or does nothing at all. */
export interface Progress {
  update(done: { readonly bytes: number; readonly documents: number }): void
  stop(): void
}

const SILENT: Progress = { update() {}, stop() {} }

/** On standard error, and only for people: a bar when the number of bytes is known, else a count. */
export function showProgress(totalBytes: number | undefined): Progress {
  if (!process.stderr.isTTY) return SILENT
  const isMeasured = totalBytes !== undefined && totalBytes > 0
  const format = isMeasured
    ? '{bar} {percentage}%  {documents} documents  {duration_formatted}'
    : '{documents} documents'
  const bar = new cliProgress.SingleBar(
    { format, stream: process.stderr, clearOnComplete: true, hideCursor: true, gracefulExit: false },
    cliProgress.Presets.shades_classic,
  )
  bar.start(isMeasured ? totalBytes : 1, 0, { documents: 0 })
  return {
    update: ({ bytes, documents }) => bar.update(isMeasured ? bytes : 0, { documents }),
    stop: () => bar.stop(),
  }
}
