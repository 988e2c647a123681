import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { nextTurn } from '../../base/turns.js'
import { type GitWorldOptions, gitMoments, gitWorld, usualStepMs } from '../../lab/worlds/git-world.js'
import { globPattern } from '../../lab/worlds/path-glob.js'
import { type SnapshotTotals, type WrittenStep, writeSnapshotFolder } from '../../lab/worlds/snapshot-writer.js'
import { type CommandGroup, command } from '../command.js'
import { isoTime, SPAN_RULE, TIME_RULE } from '../input/values.js'
import { argument, asUsage, folder, optional, span, time, UsageError, withDefault } from '../options.js'
import { EXIT_INTERRUPTED } from '../output/output.js'
import { withProgress } from '../output/progress.js'
import { count, duration, thousands, timeSpan } from '../output/wording.js'

const DEFAULT_PATHS = ['**/*.{md,mdx,markdown,html,htm}']

const git = command({
  name: 'git',
  summary: 'the history of the pages of a git repository, as a snapshot folder',
  args: [argument('<repository>', 'the folder of the repository')],
  options: {
    path: optional(
      '<glob>',
      `which files are pages, such as 'docs/**/*.md'; may come again (default: ${DEFAULT_PATHS[0]})`,
      (glob, sofar: readonly string[] = []) => [...sofar, glob],
    ),
    every: optional(
      '<span>',
      `time from one snapshot to the next: ${SPAN_RULE} (default: 7d, or less if that makes fewer than 12)`,
      span,
    ),
    since: optional('<time>', `the first snapshot: ${TIME_RULE} (default: the first commit)`, time),
    until: optional('<time>', 'the last snapshot, at most (default: as late as needed to see the last commit)', time),
    ref: withDefault('<name>', 'the branch, tag or commit whose history it is', 'HEAD'),
    out: optional('<folder>', 'the new folder (default: the name of the repository and -snapshots)', folder),
  },
  examples: [
    "freshdex import git ~/website --path 'content/en/**/*.md' --every 7d",
    'freshdex import git . --since 2025-01-01 --until 2026-01-01 --out site-2025 --json',
  ],
  async run([repository], { path: paths = DEFAULT_PATHS, every, since, until, ref, out = outFolder(repository) }) {
    const start = performance.now()
    if (since !== undefined && until !== undefined && until < since) {
      throw new UsageError('--until must not be before --since')
    }
    const skipped = new Set<string>()
    const onSkipped = (file: string) => skipped.add(file)
    const times = { sinceMs: since, untilMs: until, ref }
    const everyMs = every ?? (await asUsage(() => usualStepMs(repository, times)))
    const written = await writeHistory(repository, out, { ...times, paths, everyMs, onSkipped })
    if (written === undefined) return { status: EXIT_INTERRUPTED }
    const { from, to, ...totals } = written
    const elapsedMs = performance.now() - start
    const { size } = skipped
    return {
      json: { path: out, everyMs, from, to, ...totals, skipped: size, elapsedMs },
      text: totalsText(out, { ...written, everyMs }, elapsedMs),
      warnings: [
        ...(size === 0 ? [] : [`${count(size, 'file')} passed over: too large, or no UTF-8 text`]),
        ...(totals.changed === 0 ? [NO_CHANGES] : []),
      ],
    }
  },
})

export const imports: CommandGroup = {
  name: 'import',
  summary: 'histories of pages into snapshot folders, to replay them',
  commands: [git],
}

function outFolder(repository: string): string {
  return `${path.basename(path.resolve(repository)).replace(/\.git$/, '')}-snapshots`
}

const NO_CHANGES =
  'no page changes from one snapshot to the next: there is nothing to learn from; ' +
  'take a smaller --every, a longer time with --since and --until, or other files with --path'

/** What was written: the times are those of the first and the last snapshot. */
interface WrittenHistory extends SnapshotTotals {
  readonly from: number
  readonly to: number
}

/** Undefined if it was interrupted. */
async function writeHistory(
  repository: string,
  out: string,
  options: GitWorldOptions,
): Promise<WrittenHistory | undefined> {
  const moments = await asUsage(() => {
    options.paths.forEach(globPattern)
    return gitMoments(repository, options)
  })
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  let hasPages = false
  const seen: number[] = []
  const world = untilStopped(gitWorld(repository, options), stop.signal, (atMs) => seen.push(atMs))
  try {
    const totals = await withProgress(moments.length, 'snapshots', (update) =>
      writeSnapshotFolder(world, out, ({ weeks }) => {
        hasPages = true
        update({ part: weeks, things: weeks })
      }),
    )
    return { ...totals, from: seen[0]!, to: seen.at(-1)! }
  } catch (error) {
    // Git is interrupted, too, and may be the first to give up.
    if (stop.signal.aborted) return undefined
    // A world begins with its first page: one without any step has no pages, which the writer refuses.
    if (hasPages || !(error instanceof RangeError)) throw error
    throw new UsageError(`no file of the history is a page: nothing matches ${options.paths.join(' or ')}`)
  }
}

/** An interruption leaves no half of a history: the writer removes what it has written when its world breaks off. */
async function* untilStopped(
  world: AsyncIterable<WrittenStep>,
  signal: AbortSignal,
  onStep: (atMs: number) => void,
): AsyncGenerator<WrittenStep> {
  for await (const step of world) {
    // Steps in which nothing happens wait for nothing, and no signal would be heard in between.
    await nextTurn()
    signal.throwIfAborted()
    onStep(step.atMs)
    yield step
  }
}

function totalsText(out: string, written: WrittenHistory & { readonly everyMs: number }, elapsedMs: number): string {
  const { weeks, pages, versions, changed, gone, from, to, everyMs } = written
  const all = `${count(versions, 'version')}, ${thousands(changed)} of them changes`
  const time =
    weeks === 1 ? `of ${isoTime(from)}` : `from ${isoTime(from)} to ${isoTime(to)}, ${timeSpan(everyMs)} apart`
  return [
    `${count(weeks, 'snapshot')} written to ${out}; ${duration(elapsedMs)}`,
    time,
    `${count(pages, 'page')} in the last one; ${all}; ${count(gone, 'disappearance')}`,
  ].join('\n')
}
