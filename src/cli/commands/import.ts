import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type { Command } from 'commander'
import { type GitWorldOptions, gitMoments, gitWorld } from '../../lab/worlds/git-world.js'
import { globPattern } from '../../lab/worlds/path-glob.js'
import { type SnapshotTotals, type WrittenStep, writeSnapshotFolder } from '../../lab/worlds/snapshot-writer.js'
import { addExamples, asUsage, folder, UsageError } from '../command.js'
import { SPAN_RULE, span, TIME_RULE, time } from '../input/values.js'
import { complain, EXIT_INTERRUPTED, print, printJson } from '../output/output.js'
import { showProgress } from '../output/progress.js'
import { count, duration, thousands } from '../output/wording.js'

export function addImportCommand(program: Command): void {
  const command = program.command('import').description('histories of pages into snapshot folders, to replay them')
  addImportGitCommand(command)
}

interface ImportGitOptions {
  readonly path?: readonly string[]
  readonly every: number
  readonly since?: number
  readonly until?: number
  readonly ref: string
  readonly out?: string
  readonly json: boolean
}

const DEFAULT_PATHS = ['**/*.{md,mdx,markdown,html,htm}']

function addImportGitCommand(parent: Command): void {
  const command = parent
    .command('git')
    .description('the history of the pages of a git repository, as a snapshot folder')
    .argument('<repository>', 'the folder of the repository')
    .option(
      '--path <glob>',
      `which files are pages, such as 'docs/**/*.md'; may come again (default: ${DEFAULT_PATHS[0]})`,
      (glob: string, sofar: readonly string[] | undefined) => [...(sofar ?? []), glob],
    )
    .option('--every <span>', `time from one snapshot to the next: ${SPAN_RULE}`, span, span('7d'))
    .option('--since <time>', `the first snapshot: ${TIME_RULE} (default: the first commit)`, time)
    .option('--until <time>', 'the last snapshot, at most (default: as late as needed to see the last commit)', time)
    .option('--ref <name>', 'the branch, tag or commit whose history it is', 'HEAD')
    .option('--out <folder>', 'the new folder (default: the name of the repository and -snapshots)', folder)
    .option('--json', 'print one JSON document', false)
    .action(runImportGit)
  addExamples(
    command,
    "freshdex import git ~/website --path 'content/en/**/*.md' --every 7d",
    'freshdex import git . --since 2025-01-01 --until 2026-01-01 --out site-2025 --json',
  )
}

async function runImportGit(repository: string, given: ImportGitOptions): Promise<void> {
  const start = performance.now()
  if (given.since !== undefined && given.until !== undefined && given.until < given.since) {
    throw new UsageError('--until must not be before --since')
  }
  const out = given.out ?? `${path.basename(path.resolve(repository)).replace(/\.git$/, '')}-snapshots`
  const skipped = new Set<string>()
  const options: GitWorldOptions = {
    paths: given.path ?? DEFAULT_PATHS,
    everyMs: given.every,
    sinceMs: given.since,
    untilMs: given.until,
    ref: given.ref,
    onSkipped: (file) => skipped.add(file),
  }
  const moments = await asUsage(() => {
    options.paths.forEach(globPattern)
    return gitMoments(repository, options)
  })
  const progress = showProgress(moments.length, 'snapshots')
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  let totals: SnapshotTotals | undefined
  try {
    totals = await writeSnapshotFolder(untilStopped(gitWorld(repository, options), stop.signal), out, (sofar) => {
      totals = sofar
      progress.update({ part: sofar.weeks, things: sofar.weeks })
    })
  } catch (error) {
    progress.stop()
    // Git hears the interruption too, and may be the first to give up.
    if (!stop.signal.aborted) throw totals === undefined ? withoutPages(error, options.paths) : error
    process.exitCode = EXIT_INTERRUPTED
    return
  }
  progress.stop()
  const elapsedMs = performance.now() - start
  if (given.json) printJson({ path: out, ...totals, skipped: skipped.size, elapsedMs })
  else print(tell(out, totals, elapsedMs))
  if (skipped.size > 0) complain(`${count(skipped.size, 'file')} passed over: too large, or no UTF-8 text`)
}

function tell(out: string, { weeks, pages, versions, changed, gone }: SnapshotTotals, elapsedMs: number): string {
  return [
    `${count(weeks, 'snapshot')} written to ${out}; ${duration(elapsedMs)}`,
    `${count(pages, 'page')} in the last one; ${thousands(versions)} versions, ${thousands(changed)} of them changes; ${thousands(gone)} disappearances`,
  ].join('\n')
}

/** A world begins with its first page: one without any step has none. */
function withoutPages(error: unknown, paths: readonly string[]): unknown {
  const isEmpty = error instanceof RangeError
  return isEmpty ? new UsageError(`no file of the history is a page: nothing matches ${paths.join(' or ')}`) : error
}

/** Who interrupts wants no half of a history: the writer leaves nothing behind when its world breaks off. */
async function* untilStopped(world: AsyncIterable<WrittenStep>, signal: AbortSignal): AsyncGenerator<WrittenStep> {
  for await (const step of world) {
    // Steps in which nothing happens wait for nothing, and no signal would be heard in between.
    await setImmediate()
    signal.throwIfAborted()
    yield step
  }
}
