import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { nextTurn } from '../../base/turns.js'
import { type GitWorldOptions, gitMoments, gitWorld } from '../../lab/worlds/git-world.js'
import { globPattern } from '../../lab/worlds/path-glob.js'
import { type SnapshotTotals, type WrittenStep, writeSnapshotFolder } from '../../lab/worlds/snapshot-writer.js'
import { type CommandGroup, command } from '../command.js'
import { SPAN_RULE, TIME_RULE } from '../input/values.js'
import { argument, asUsage, folder, optional, span, time, UsageError, withDefault } from '../options.js'
import { EXIT_INTERRUPTED } from '../output/output.js'
import { withProgress } from '../output/progress.js'
import { count, duration, thousands } from '../output/wording.js'

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
    every: withDefault('<span>', `time from one snapshot to the next: ${SPAN_RULE}`, span('7d'), span),
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
    const options = { paths, everyMs: every, sinceMs: since, untilMs: until, ref, onSkipped }
    const totals = await writeHistory(repository, out, options)
    if (totals === undefined) return { status: EXIT_INTERRUPTED }
    const elapsedMs = performance.now() - start
    const { size } = skipped
    return {
      json: { path: out, ...totals, skipped: size, elapsedMs },
      text: totalsText(out, totals, elapsedMs),
      warnings: size === 0 ? [] : [`${count(size, 'file')} passed over: too large, or no UTF-8 text`],
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

/** Undefined if it was interrupted. */
async function writeHistory(
  repository: string,
  out: string,
  options: GitWorldOptions,
): Promise<SnapshotTotals | undefined> {
  const moments = await asUsage(() => {
    options.paths.forEach(globPattern)
    return gitMoments(repository, options)
  })
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  let hasPages = false
  try {
    return await withProgress(moments.length, 'snapshots', (update) =>
      writeSnapshotFolder(untilStopped(gitWorld(repository, options), stop.signal), out, ({ weeks }) => {
        hasPages = true
        update({ part: weeks, things: weeks })
      }),
    )
  } catch (error) {
    // Git is interrupted, too, and may be the first to give up.
    if (stop.signal.aborted) return undefined
    // A world begins with its first page: one without any step has no pages, which the writer refuses.
    if (hasPages || !(error instanceof RangeError)) throw error
    throw new UsageError(`no file of the history is a page: nothing matches ${options.paths.join(' or ')}`)
  }
}

/** An interruption leaves no half of a history: the writer removes what it has written when its world breaks off. */
async function* untilStopped(world: AsyncIterable<WrittenStep>, signal: AbortSignal): AsyncGenerator<WrittenStep> {
  for await (const step of world) {
    // Steps in which nothing happens wait for nothing, and no signal would be heard in between.
    await nextTurn()
    signal.throwIfAborted()
    yield step
  }
}

function totalsText(out: string, { weeks, pages, versions, changed, gone }: SnapshotTotals, elapsedMs: number): string {
  const all = `${thousands(versions)} versions, ${thousands(changed)} of them changes`
  return [
    `${count(weeks, 'snapshot')} written to ${out}; ${duration(elapsedMs)}`,
    `${count(pages, 'page')} in the last one; ${all}; ${thousands(gone)} disappearances`,
  ].join('\n')
}
