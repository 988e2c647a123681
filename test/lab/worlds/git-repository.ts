/** Repositories with a history of a test's own making. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Loud, because a test that is not run looks like one that passed. */
export function hasGit(): boolean {
  const isThere = spawnSync('git', ['--version']).status === 0
  if (!isThere) console.warn('git is not installed: histories of repositories are NOT tested')
  return isThere
}

export class GitRepository {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(folder, { recursive: true })
    this.git('init', '--quiet', '--initial-branch=main')
  }

  write(name: string, content: string | Uint8Array): void {
    const file = path.join(this.folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }

  remove(name: string): void {
    rmSync(path.join(this.folder, name))
  }

  /** All files as they are, at this time; its hash. */
  commit(time: string): string {
    this.git('add', '--all')
    this.git('commit', '--quiet', '--allow-empty', '--message', 'a change', ...[`--date=${time}`], { committed: time })
    return this.git('rev-parse', 'HEAD').trim()
  }

  git(...given: readonly (string | { readonly committed: string })[]): string {
    const args = given.filter((arg) => typeof arg === 'string')
    const { committed = '2026-01-01T00:00:00Z' } = given.find((arg) => typeof arg === 'object') ?? {}
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false']
    const { status, stdout, stderr } = spawnSync('git', ['-C', this.folder, ...identity, ...args], {
      encoding: 'utf8',
      env: { ...process.env, GIT_COMMITTER_DATE: committed, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout
  }
}
