/**
 * Repositories that somebody else has made, with everything in them that could make git run a program, open a
 * connection, or wait. Each trap leaves a trace when it snaps.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FreshdexError } from '../../../src/base/errors.js'
import { type GitWorldOptions, gitMoments, gitWorld, usualStepMs } from '../../../src/lab/worlds/git-world.js'
import { rounds } from '../../support/rounds.js'
import { SeededRandom, withSeed } from '../../support/seed.js'
import { GitRepository, hasGit } from './git-repository.js'
import { allSteps, WorldPlace } from './world-reading.js'

const DAY_MS = 86_400_000
const MOST_SILENCE_MS = 700

let place: WorldPlace
beforeEach(() => {
  place = new WorldPlace()
})
afterEach(() => place.remove())

interface Scene {
  readonly repository: GitRepository
  /** A script that leaves a trace. */
  readonly bait: string
}

const HOOKS = ['reference-transaction', 'post-checkout', 'pre-auto-gc', 'fsmonitor-watchman', 'post-rewrite', 'update']

function hooksIn(folder: string, { bait }: Scene): void {
  mkdirSync(folder, { recursive: true })
  for (const name of HOOKS) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${bait}\n`)
    chmodSync(path.join(folder, name), 0o755)
  }
}

/** The objects of pages are not there, and the repository says who has them. */
function promise({ repository }: Scene, settings: Readonly<Record<string, string>>): void {
  const { folder } = repository
  const all = { 'extensions.partialClone': 'origin', 'remote.origin.promisor': 'true', ...settings }
  repository.git('config', 'core.repositoryformatversion', '1')
  for (const [name, value] of Object.entries(all)) repository.git('config', name, value)
  const objects = path.join(folder, '.git/objects')
  for (const page of ['docs/a.md', 'docs/b.md']) {
    const listed = spawnSync('git', ['-C', folder, 'ls-tree', 'HEAD', page], { encoding: 'utf8' }).stdout
    const object = /blob ([0-9a-f]+)/.exec(listed)?.[1] ?? 'none'
    rmSync(path.join(objects, object.slice(0, 2), object.slice(2)), { force: true })
  }
}

const inGit = ({ repository }: Scene, ...names: string[]) => path.join(repository.folder, '.git', ...names)

function pipeAt(file: string): void {
  rmSync(file, { force: true, recursive: true })
  mkdirSync(path.dirname(file), { recursive: true })
  expect(spawnSync('mkfifo', [file]).status).toBe(0)
}

const TRAPS: Readonly<Record<string, (scene: Scene) => void>> = {
  'a missing object over ssh': (scene) =>
    promise(scene, { 'remote.origin.url': 'ssh://host/x', 'core.sshCommand': scene.bait }),
  'a missing object over a shell': (scene) =>
    promise(scene, {
      'remote.origin.url': `ext::${scene.bait}`,
      'protocol.ext.allow': 'always',
      'protocol.allow': 'always',
    }),
  'a missing object in a folder': (scene) =>
    promise(scene, {
      'remote.origin.url': scene.repository.folder,
      'remote.origin.uploadpack': `${scene.bait} #`,
      'protocol.file.allow': 'always',
    }),
  'a missing object by a helper of the repository': (scene) => {
    promise(scene, { 'remote.origin.url': 'bait::x', 'remote.origin.vcs': 'bait', 'protocol.bait.allow': 'always' })
    for (const name of ['git-remote-bait', 'git-remote-', 'ssh', 'sh'])
      writeFileSync(path.join(scene.repository.folder, name), `#!/bin/sh\n${scene.bait}\n`, { mode: 0o755 })
  },
  'a missing object behind a proxy': (scene) =>
    promise(scene, { 'remote.origin.url': 'git://host/x', 'core.gitProxy': scene.bait }),
  'a missing object behind a password': (scene) =>
    promise(scene, {
      'remote.origin.url': 'http://127.0.0.1:1/x',
      'credential.helper': `!${scene.bait}`,
      'core.askPass': scene.bait,
    }),
  'a rewritten address': (scene) =>
    promise(scene, {
      'remote.origin.url': 'https://host/x',
      [`url.ext::${scene.bait} #.insteadOf`]: 'https:',
      'protocol.ext.allow': 'always',
    }),
  'settings in a file of its own': (scene) => {
    writeFileSync(
      path.join(scene.repository.folder, 'more'),
      `[core]\n  sshCommand = ${scene.bait}\n  fsmonitor = ${scene.bait}\n  pager = ${scene.bait}\n`,
    )
    scene.repository.git('config', 'include.path', '../more')
    promise(scene, { 'remote.origin.url': 'host:x' })
  },
  'a monitor of files': (scene) => void scene.repository.git('config', 'core.fsmonitor', scene.bait),
  hooks: (scene) => hooksIn(inGit(scene, 'hooks'), scene),
  'hooks elsewhere': (scene) => {
    hooksIn(path.join(scene.repository.folder, 'elsewhere'), scene)
    scene.repository.git('config', 'core.hooksPath', 'elsewhere')
  },
  pagers: ({ repository, bait }) => {
    for (const name of ['core.pager', 'pager.rev-list', 'pager.ls-tree', 'pager.cat-file', 'core.editor'])
      repository.git('config', name, bait)
  },
  aliases: ({ repository, bait }) => {
    for (const name of ['rev-parse', 'rev-list', 'ls-tree', 'cat-file'])
      repository.git('config', `alias.${name}`, `!${bait}`)
  },
  'filters of attributes': (scene) => {
    const { repository, bait } = scene
    for (const name of ['clean', 'smudge', 'process']) repository.git('config', `filter.bait.${name}`, bait)
    for (const name of ['textconv', 'command']) repository.git('config', `diff.bait.${name}`, bait)
    repository.git('config', 'diff.external', bait)
    mkdirSync(inGit(scene, 'info'), { recursive: true })
    writeFileSync(inGit(scene, 'info', 'attributes'), '* filter=bait diff=bait merge=bait\n')
  },
  signatures: ({ repository, bait }) => {
    for (const [name, value] of [
      ['gpg.program', bait],
      ['gpg.ssh.program', bait],
      ['log.showSignature', 'true'],
    ])
      repository.git('config', name as string, value as string)
  },
  'objects of other folders': (scene) => {
    mkdirSync(inGit(scene, 'objects/info'), { recursive: true })
    writeFileSync(inGit(scene, 'objects/info/alternates'), '/dev/null\n/proc/self/fd\n../../../..\n')
  },
  'other parents': (scene) => {
    mkdirSync(inGit(scene, 'info'), { recursive: true })
    const head = scene.repository.git('rev-parse', 'HEAD').trim()
    writeFileSync(inGit(scene, 'info/grafts'), `${head} ${head}\n`)
  },
  'replaced objects': ({ repository }) => {
    const tree = repository.git('rev-parse', 'HEAD^{tree}').trim()
    const commit = repository.git('commit-tree', tree, '-m', 'another').trim()
    repository.git('replace', '--force', repository.git('rev-parse', 'HEAD').trim(), commit)
  },
  'a graph that lies': (scene) => {
    mkdirSync(inGit(scene, 'objects/info'), { recursive: true })
    writeFileSync(inGit(scene, 'objects/info/commit-graph'), Buffer.alloc(2000, 'CGPH\u0001\u0001'))
  },
  'a tree elsewhere': ({ repository }) => void repository.git('config', 'core.worktree', '/'),
  'submodules that update': ({ repository, bait }) => {
    repository.git('config', 'submodule.x.update', `!${bait}`)
    repository.git('config', 'submodule.x.url', `ext::${bait}`)
    repository.git('config', 'submodule.recurse', 'true')
  },
  'a folder of git in a file': (scene) => {
    const { folder } = scene.repository
    spawnSync('mv', [path.join(folder, '.git'), path.join(folder, 'real')])
    writeFileSync(path.join(folder, '.git'), 'gitdir: real\n')
  },
  'a link to pages': ({ repository }) => {
    symlinkSync('/etc/passwd', path.join(repository.folder, 'docs/passwords.md'))
    repository.commit('2026-01-09T00:00:00Z')
  },
}

/** These make git wait: it is ended. */
const WAITS: Readonly<Record<string, (scene: Scene) => void>> = {
  'a pipe for its settings': (scene) => pipeAt(inGit(scene, 'config')),
  'a pipe for its head': (scene) => pipeAt(inGit(scene, 'HEAD')),
  'a pipe for its branches': (scene) => {
    scene.repository.git('pack-refs', '--all')
    pipeAt(inGit(scene, 'packed-refs'))
  },
  'a pipe for an object': (scene) => {
    const object = scene.repository.git('rev-parse', 'HEAD:docs/a.md').trim()
    pipeAt(inGit(scene, 'objects', object.slice(0, 2), object.slice(2)))
  },
  'settings in a pipe': (scene) => {
    pipeAt(path.join(scene.repository.folder, 'pipe'))
    scene.repository.git('config', 'include.path', '../pipe')
  },
}

function arrange(name: string): Scene & { readonly trace: string } {
  const repository = new GitRepository(place.path(name))
  repository.write('docs/a.md', 'The ferry leaves.')
  repository.commit('2026-01-01T00:00:00Z')
  repository.write('docs/b.md', 'The ferry is late.')
  repository.write('.gitattributes', '*.md diff=bait filter=bait\n')
  repository.commit('2026-01-08T00:00:00Z')
  const trace = place.path(`${name}-trace`)
  return { repository, trace, bait: `touch ${trace}` }
}

/** As `import git` reads it. What it throws has a code. */
async function imported(folder: string, bounds: Partial<GitWorldOptions> = {}): Promise<string> {
  const times = { silenceMs: MOST_SILENCE_MS }
  try {
    await usualStepMs(folder, times)
    await gitMoments(folder, { everyMs: DAY_MS, ...times })
    const steps = await allSteps(gitWorld(folder, { paths: ['docs/**'], everyMs: DAY_MS, ...times, ...bounds }))
    return `${steps.length} steps`
  } catch (error) {
    if (error instanceof FreshdexError) return error.code
    if (error instanceof RangeError) return 'RangeError'
    throw error
  }
}

describe.skipIf(!hasGit())('a hostile repository', () => {
  it.each(Object.entries(TRAPS))('runs nothing: %s', async (_, trap) => {
    const scene = arrange('trapped')
    trap(scene)
    const outcome = await imported(scene.repository.folder)
    expect(existsSync(scene.trace)).toBe(false)
    expect(outcome).toMatch(/^\d+ steps$|^IO$|^CORRUPT$/)
  })

  it('could do that: the traps are real', () => {
    const scene = arrange('real')
    TRAPS['a missing object over a shell']?.(scene)
    spawnSync('git', ['-C', scene.repository.folder, 'cat-file', '-p', 'HEAD:docs/a.md'])
    expect(existsSync(scene.trace)).toBe(true)
  })

  it.each(Object.entries(WAITS))('waits for nothing: %s', async (_, trap) => {
    const scene = arrange('waiting')
    trap(scene)
    expect(await imported(scene.repository.folder)).toBe('IO')
  })

  it('is not told what the surroundings say', async () => {
    const scene = arrange('surrounded')
    const other = arrange('other')
    process.env.GIT_DIR = path.join(other.repository.folder, '.git')
    process.env.GIT_SSH_COMMAND = scene.bait
    process.env.GIT_CONFIG_COUNT = '1'
    process.env.GIT_CONFIG_KEY_0 = 'core.fsmonitor'
    process.env.GIT_CONFIG_VALUE_0 = scene.bait
    try {
      rmSync(path.join(other.repository.folder, '.git'), { recursive: true })
      expect(await imported(scene.repository.folder)).toBe('8 steps')
    } finally {
      for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name]
    }
    expect(existsSync(scene.trace)).toBe(false)
  })

  it('has files without end in a few trees', async () => {
    const { repository } = arrange('bomb')
    const { folder } = repository
    const made = (entry: string) =>
      spawnSync('git', ['-C', folder, 'mktree'], { input: entry, encoding: 'utf8' }).stdout.trim()
    const blob = repository.git('rev-parse', 'HEAD:docs/a.md').trim()
    const tenOf = (what: string) => made(Array.from({ length: 10 }, (_, at) => `${what}\tx${at}\n`).join(''))
    let tree = tenOf(`100644 blob ${blob}`)
    for (let level = 0; level < 12; level++) tree = tenOf(`040000 tree ${tree}`)
    const commit = repository.git('commit-tree', tree, '-m', 'bomb').trim()
    repository.git('update-ref', 'refs/heads/main', commit)
    expect(await imported(folder, { maxFiles: 10_000 })).toBe('CORRUPT')
  })

  it('with several traps at once, and random bytes in its files, runs nothing', async () => {
    await withSeed('hostile repositories', async (seed) => {
      const random = new SeededRandom(seed)
      const outcomes = new Map<string, number>()
      const count = Number(process.env.FRESHDEX_REPOSITORIES ?? rounds(12, 200))
      for (let nth = 0; nth < count; nth++) {
        const scene = arrange(`mixed-${nth}`)
        for (const name of random.shuffle(Object.keys(TRAPS)).slice(0, random.between(1, 6))) {
          // Some traps leave nothing in which others can be set.
          try {
            TRAPS[name]?.(scene)
          } catch {}
        }
        if (random.chance(0.5)) scribble(scene, random)
        // The git of this test may have run into a trap while it set another one.
        rmSync(scene.trace, { force: true })
        const outcome = await imported(scene.repository.folder)
        expect(existsSync(scene.trace), `repository ${nth}`).toBe(false)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        rmSync(scene.repository.folder, { recursive: true, force: true })
      }
      if (process.env.FRESHDEX_REPOSITORIES !== undefined) console.info(`seed ${seed}:`, Object.fromEntries(outcomes))
    })
  })
})

/** Changes bytes in some files of the folder of git. */
function scribble(scene: Scene, random: SeededRandom): void {
  const files = (
    readdirSync(scene.repository.folder, { recursive: true, withFileTypes: true }) as readonly {
      isFile(): boolean
      name: string
      parentPath: string
    }[]
  )
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
  for (let nth = 0; nth < 3; nth++) {
    const bytes = Buffer.from(Array.from({ length: random.between(0, 200) }, () => random.int(256)))
    rmSync(random.pick(files), { force: true })
    writeFileSync(random.pick(files), bytes)
  }
}
