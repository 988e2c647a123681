/** The world of a git repository: its pages at equal distances in time, a page for each file that a pattern matches. */

import { numberOption } from '../../base/checks.js'
import { describe } from '../../base/describe.js'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../../base/time.js'
import { BlobReader, type GitSource, gitRecords, isSilence } from './git-process.js'
import { globPattern } from './path-glob.js'
import { SnapshotDiffer } from './snapshot-differ.js'
import { pageTextOf } from './text/markdown-text.js'
import { damaged, type WorldStep } from './world.js'

export interface GitWorldOptions extends GitTimes {
  /** Patterns of paths from the root of the repository; a file is taken when one of them matches it. */
  readonly paths: readonly string[]
  /** Hears of files that are passed over because they are too large or no text, once for each version. */
  readonly onSkipped?: (path: string) => void
  /** The most files of a commit, pages or not; more are CORRUPT. Default a million. */
  readonly maxFiles?: number | undefined
}

export interface GitStep extends WorldStep {
  readonly commit: string
}

/** The longest file that is taken for a page: no page of text is longer. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

/** A few small trees that name each other ten times over are files without end. */
const DEFAULT_MAX_FILES = 1_000_000

interface TreeFile {
  readonly path: string
  readonly object: string
  readonly bytes: number
}

/**
 * The address of a page is its path; a file that is moved is one page gone and one new. It begins with the first page:
 * steps before that would be empty.
 */
export function gitWorld(repository: string, options: GitWorldOptions): AsyncIterable<GitStep> {
  const patterns = options.paths.map(globPattern)
  const isPage = (path: string) => patterns.some((pattern) => pattern.test(path))
  return { [Symbol.asyncIterator]: () => tell(repository, options, isPage) }
}

async function* tell(
  repository: string,
  options: GitWorldOptions,
  isPage: (path: string) => boolean,
): AsyncGenerator<GitStep> {
  const moments = await gitMoments(repository, options)
  const source = { repository, silenceMs: options.silenceMs }
  const maxFiles = options.maxFiles ?? DEFAULT_MAX_FILES
  const blobs = new BlobReader(source)
  const differ = new SnapshotDiffer()
  let before = new Map<string, string>()
  let shown = ''
  let hasBegun = false
  try {
    for (const { atMs, commit } of moments) {
      const files = commit === shown ? undefined : await filesOf(source, commit, isPage, maxFiles)
      // The commit of the step before has the files of the step before.
      for (const path of files === undefined ? before.keys() : []) differ.keep(path)
      for (const file of files ?? []) {
        if (before.get(file.path) === file.object) differ.keep(file.path)
        else await see(file, blobs, differ, options)
      }
      if (files !== undefined) before = new Map(files.map(({ path, object }) => [path, object]))
      shown = commit
      const step = { ...differ.end(atMs), commit }
      hasBegun ||= step.versions.length > 0
      if (hasBegun) yield step
    }
  } finally {
    blobs.close()
  }
}

async function see(
  { path, object, bytes }: TreeFile,
  blobs: BlobReader,
  differ: SnapshotDiffer,
  { onSkipped }: GitWorldOptions,
): Promise<void> {
  const page = bytes > MAX_FILE_BYTES ? undefined : pageTextOf(path, await blobs.read(object, bytes))
  if (page === undefined) onSkipped?.(path)
  else differ.see({ url: path, ...page })
}

/** The plain files of a commit that are pages. Links and submodules are none. */
async function filesOf(
  source: GitSource,
  commit: string,
  isPage: (path: string) => boolean,
  maxFiles: number,
): Promise<TreeFile[]> {
  const files: TreeFile[] = []
  let entries = 0
  for await (const record of gitRecords(source, ['ls-tree', '-r', '-l', '-z', '--full-tree', commit], '\0')) {
    if (++entries > maxFiles) throw damaged(source.repository, `commit ${commit} has more than ${maxFiles} files`)
    const [, object, bytes, path] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(record) ?? []
    if (path !== undefined && isPage(path)) files.push({ path, object: object!, bytes: Number(bytes) })
  }
  return files
}

/** At which times to look at the history of a git repository, and what it shows then. */
export interface GitTimes {
  /** The time from one look to the next. */
  readonly everyMs: number
  /** The first look; without it, when the first commit was made. */
  readonly sinceMs?: number | undefined
  /** No look comes later; without it, the last look is the first one that sees the last commit. */
  readonly untilMs?: number | undefined
  /** Which branch, tag or commit ends the history; HEAD unless told. */
  readonly ref?: string | undefined
  /** How long git may say nothing before it is ended, with IO. Default one minute. */
  readonly silenceMs?: number | undefined
}

export interface GitMoment {
  readonly atMs: number
  /** The commit that was the newest then, on the line of first parents. */
  readonly commit: string
}

const MAX_MOMENTS = 100_000

/** Times from one look to the next that people know, the longest first. */
const USUAL_STEPS_MS = [WEEK_MS, DAY_MS, HOUR_MS, 10 * MINUTE_MS, MINUTE_MS, SECOND_MS]
/** A history of fewer looks shows few of its changes. */
const ENOUGH_MOMENTS = 12

/** The longest usual step by which a history is looked at a dozen times, so that its changes are seen. */
export async function usualStepMs(
  repository: string,
  { sinceMs, untilMs, ref, silenceMs }: Omit<GitTimes, 'everyMs'>,
): Promise<number> {
  const times = (await firstParents({ repository, silenceMs }, ref ?? 'HEAD')).map(({ atMs }) => atMs)
  const firstMs = sinceMs ?? times.reduce((least, atMs) => Math.min(least, atMs), Number.POSITIVE_INFINITY)
  const lastMs = untilMs ?? times.reduce((most, atMs) => Math.max(most, atMs), Number.NEGATIVE_INFINITY)
  const lengthMs = Math.max(0, lastMs - firstMs)
  return USUAL_STEPS_MS.find((stepMs) => lengthMs / stepMs >= ENOUGH_MOMENTS - 1) ?? SECOND_MS
}

/** Times grow. Commits are of the time when they were committed. RangeError for times between which there is none. */
export async function gitMoments(repository: string, times: GitTimes): Promise<GitMoment[]> {
  const everyMs = numberOption('everyMs', times.everyMs, 0, { min: 1 })
  const commits = await firstParents({ repository, silenceMs: times.silenceMs }, times.ref ?? 'HEAD')
  // Clocks go wrong: a commit may be older than its parent.
  const oldestMs = commits.reduce((oldest, { atMs }) => Math.min(oldest, atMs), Number.POSITIVE_INFINITY)
  const newestMs = commits.reduce((newest, { atMs }) => Math.max(newest, atMs), Number.NEGATIVE_INFINITY)
  const sinceMs = numberOption('sinceMs', times.sinceMs, Math.max(0, oldestMs), { min: 0 })
  const untilMs = numberOption('untilMs', times.untilMs, Math.max(newestMs, sinceMs) + everyMs - 1, { min: 0 })
  if (untilMs < sinceMs) throw new RangeError(`untilMs must not be before sinceMs, ${sinceMs}, received ${untilMs}`)
  const count = Math.floor((untilMs - sinceMs) / everyMs) + 1
  if (count > MAX_MOMENTS) {
    throw new RangeError(`everyMs must be larger: ${everyMs} parts the time into more than ${MAX_MOMENTS} steps`)
  }
  const byTime = Array.from(commits.keys()).sort((a, b) => commits[a]!.atMs - commits[b]!.atMs)
  const moments: GitMoment[] = []
  let seen = 0
  let newest = -1
  for (let nth = 0; nth < count; nth++) {
    const atMs = sinceMs + nth * everyMs
    for (; seen < byTime.length && commits[byTime[seen]!]!.atMs <= atMs; seen++)
      newest = Math.max(newest, byTime[seen]!)
    if (newest >= 0) moments.push({ atMs, commit: commits[newest]!.commit })
  }
  return moments
}

/** Oldest first. */
async function firstParents(source: GitSource, ref: string): Promise<GitMoment[]> {
  let tip: string | undefined
  // What begins with a dash would be an option.
  const verify = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  await inside(source)
  try {
    for await (const line of gitRecords(source, verify, '\n')) tip = line.trim()
  } catch (error) {
    if (isSilence(error)) throw error
    throw new RangeError(`ref must name a commit of the repository, received ${describe(ref)}`)
  }
  const commits: GitMoment[] = []
  const list = ['rev-list', '--first-parent', '--timestamp', tip ?? '']
  for await (const line of gitRecords(source, list, '\n')) {
    const [, seconds, commit] = /^(\d{1,12}) ([0-9a-f]{40,64})$/.exec(line) ?? []
    if (commit === undefined)
      throw damaged(source.repository, `git tells of a commit in words not understood: ${describe(line)}`)
    commits.push({ atMs: Number(seconds) * 1000, commit })
  }
  return commits.reverse()
}

/** Throws with the words of git for what is no repository. */
async function inside(source: GitSource): Promise<void> {
  for await (const _ of gitRecords(source, ['rev-parse', '--git-dir'], '\n'));
}
