/** At which times to look at the history of a git repository, and what it shows then. */
import { describe } from '../../describe.js'
import { numberOption } from '../../option-checks.js'
import { gitRecords } from './git-process.js'
import { damaged } from './world-fault.js'

export interface GitTimes {
  /** From one look to the next. */
  readonly everyMs: number
  /** The first look; without it, when the first commit was made. */
  readonly sinceMs?: number | undefined
  /** No look comes later; without it, the last look is the first one that sees the last commit. */
  readonly untilMs?: number | undefined
  /** Which branch, tag or commit ends the history; HEAD unless told. */
  readonly ref?: string | undefined
}

export interface GitMoment {
  readonly atMs: number
  /** Of the commit that was the newest then, on the line of first parents. */
  readonly commit: string
}

const MAX_MOMENTS = 100_000

/** Times grow. Commits are of the time when they were committed. RangeError for times between which there is none. */
export async function gitMoments(repository: string, times: GitTimes): Promise<GitMoment[]> {
  const everyMs = numberOption('everyMs', times.everyMs, 0, { min: 1 })
  const commits = await firstParents(repository, times.ref ?? 'HEAD')
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
  const moments: GitMoment[] = []
  for (let nth = 0; nth < count; nth++) {
    const atMs = sinceMs + nth * everyMs
    const newest = commits.findLast((commit) => commit.atMs <= atMs)
    if (newest !== undefined) moments.push({ atMs, commit: newest.commit })
  }
  return moments
}

/** Oldest first. */
async function firstParents(repository: string, ref: string): Promise<GitMoment[]> {
  let tip: string | undefined
  // What begins with a dash would be an option.
  const verify = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  await inside(repository)
  try {
    for await (const line of gitRecords(repository, verify, '\n')) tip = line.trim()
  } catch {
    throw new RangeError(`ref must name a commit of the repository, received ${describe(ref)}`)
  }
  const commits: GitMoment[] = []
  for await (const line of gitRecords(repository, ['rev-list', '--first-parent', '--timestamp', tip ?? ''], '\n')) {
    const [, seconds, commit] = /^(\d{1,12}) ([0-9a-f]{40,64})$/.exec(line) ?? []
    if (commit === undefined)
      throw damaged(repository, `git tells of a commit in words not understood: ${describe(line)}`)
    commits.push({ atMs: Number(seconds) * 1000, commit })
  }
  return commits.reverse()
}

/** Throws with the words of git for what is no repository. */
async function inside(repository: string): Promise<void> {
  for await (const _ of gitRecords(repository, ['rev-parse', '--git-dir'], '\n'));
}
