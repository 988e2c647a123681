/** What a result was measured with. Nothing here tells whose machine it is or where things lie on it. */
import { spawnSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly platform: string
  /**
   * Runnable threads over the last minute: well above what the benchmark itself uses means that others were at work.
   */
  readonly loadAverage: number
}

export function describeMachine(): Machine {
  const cores = cpus()
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform}-${process.arch}`,
    loadAverage: Math.round(loadavg()[0]! * 100) / 100,
  }
}

/** Versions by name. */
export function describePrograms(): Record<string, string> {
  return { node: process.versions.node, v8: process.versions.v8, 'g++': firstLineOf('g++', ['-dumpfullversion']) }
}

export interface Commit {
  /** 'none' outside of a repository or before the first commit. */
  readonly commit: string
  /** True when files differ from the commit, null when there is none. */
  readonly isDirty: boolean | null
}

export function describeCommit(): Commit {
  const commit = firstLineOf('git', ['rev-parse', '--short=12', 'HEAD'])
  if (!/^[0-9a-f]+$/.test(commit)) return { commit: 'none', isDirty: null }
  // A saved result must not make the next run look changed.
  const changes = firstLineOf('git', ['status', '--porcelain', '--', '.', ':!bench/results'])
  return { commit, isDirty: changes !== '' }
}

/** What a program says about itself on either stream; 'not found' when it cannot be run. */
export function firstLineOf(program: string, args: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync(program, args, { cwd: REPOSITORY, encoding: 'utf8' })
  if (error) return 'not found'
  return ((status === 0 && stdout) || stderr).split('\n', 1)[0]!.trim()
}
