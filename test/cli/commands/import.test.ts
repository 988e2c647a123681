import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { snapshotFolderWorld } from '../../../src/lab/worlds/snapshot-differ.js'
import { GitRepository, hasGit } from '../../lab/worlds/git-repository.js'
import { allSteps } from '../../lab/worlds/world-reading.js'
import { ending, refused, Workplace } from '../program.js'

describe.skipIf(!hasGit())('freshdex import git', () => {
  const place = new Workplace()

  beforeAll(() => {
    const site = new GitRepository(place.path('site'))
    site.write('docs/a.md', '# Ferry\nLeaves at dawn.')
    site.write('docs/b.md', '# Market')
    site.write('docs/picture.md', Uint8Array.of(1, 0, 2))
    site.write('notes.txt', 'a note')
    site.commit('2026-01-01T00:00:00Z')
    site.write('docs/a.md', '# Ferry\nLeaves at dusk.')
    site.remove('docs/b.md')
    site.commit('2026-01-10T00:00:00Z')
    mkdirSync(place.path('plain'))
  })
  afterAll(() => place.remove())

  it('writes a snapshot folder and tells what is in it', async () => {
    expect(await place.run('import', 'git', 'site', '--path', 'docs/**', '--every', '7d')).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        new RegExp(
          '^3 snapshots written to site-snapshots; .*\\n' +
            'from 2026-01-01T00:00:00.000Z to 2026-01-15T00:00:00.000Z, 7 days apart\\n' +
            '1 page in the last one; 3 versions, 1 of them changes; 1 disappearance\\n$',
        ),
      ),
      stderr: 'freshdex: 1 file passed over: too large, or no UTF-8 text\n',
    })
    const steps = await allSteps(snapshotFolderWorld(place.path('site-snapshots')))
    expect(steps).toMatchObject([
      { atMs: Date.UTC(2026, 0, 1), versions: [{ url: 'docs/a.md', title: 'Ferry' }, { url: 'docs/b.md' }], gone: [] },
      { atMs: Date.UTC(2026, 0, 8), versions: [], gone: [] },
      {
        atMs: Date.UTC(2026, 0, 15),
        versions: [{ url: 'docs/a.md', text: 'Ferry\nLeaves at dusk.' }],
        gone: ['docs/b.md'],
      },
    ])
    expect(readFileSync(place.path('site-snapshots/weeks.tsv'), 'utf8').split('\n').length).toBe(5)
  })

  it('prints one JSON document, for patterns and times of its own', async () => {
    const patterns = ['--path', 'docs/*.md', '--path', '*.txt']
    const times = ['--every', '12h', '--since', '2026-01-09T12:00Z', '--until', '2026-01-10']
    const { status, stdout } = await place.run(
      'import',
      'git',
      'site',
      ...patterns,
      ...times,
      '--out',
      'new/mine',
      '--json',
    )
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      ...{ everyMs: 43_200_000, from: Date.UTC(2026, 0, 9, 12), to: Date.UTC(2026, 0, 10) },
      ...{ path: 'new/mine', weeks: 2, versions: 4, pages: 2, changed: 1, gone: 1, skipped: 1 },
      elapsedMs: expect.any(Number),
    })
  })

  it('chooses a step that shows the changes of a short history, and warns where nothing changes', async () => {
    const young = new GitRepository(place.path('young'))
    young.write('a.md', '# One')
    young.commit('2026-01-01T00:00:00Z')
    young.write('a.md', '# Two')
    young.commit('2026-01-02T06:00:00Z')
    const told = JSON.parse((await place.run('import', 'git', 'young', '--json')).stdout)
    expect(told).toMatchObject({ everyMs: 3_600_000, weeks: 31, changed: 1 })
    const still = await place.run('import', 'git', 'young', '--until', '2026-01-02', '--out', 'still')
    expect(still.status).toBe(0)
    expect(still.stderr).toMatch(/^freshdex: no page changes .*--every/)
  })

  it('refuses what cannot be, and leaves nothing behind', async () => {
    const before = readdirSync(place.folder)
    const git = (...args: readonly string[]) => place.run('import', 'git', ...args, '--out', 'never')
    expect(await git('plain')).toEqual(refused('not a git repository.*\\(IO\\)', 1))
    expect(await git('site', '--path', '**/*.rst')).toEqual(refused('nothing matches \\*\\*/\\*\\.rst'))
    expect(await git('site', '--path', 'a/{b')).toEqual(refused('a \\{ of a pattern of paths must be closed'))
    expect(await git('site', '--every', '0d')).toEqual(refused('It must be a length of time'))
    expect(await git('site', '--every', 'week')).toEqual(refused('It must be a length of time'))
    expect(await git('site', '--ref', 'nowhere')).toEqual(refused('ref must name a commit.*"nowhere"'))
    expect(await git('site', '--since', '2026-02-01', '--until', '2026-01-01')).toEqual(
      refused('--until must not be before --since'),
    )
    expect(await place.run('import', 'git', 'site', '--out', 'site')).toEqual(
      refused('something in site already.*EXISTS', 1),
    )
    expect(readdirSync(place.folder)).toEqual(before)
  })

  it('leaves nothing behind when it is interrupted', async () => {
    const child = place.start('import', 'git', 'site', '--every', '8s', '--out', 'half')
    child.stdin.end()
    const end = ending(child)
    // The folder that it writes in, until it is whole.
    await until(() => readdirSync(place.folder).some((name) => name.startsWith('.half-')))
    child.kill('SIGINT')
    expect(await end).toEqual({ status: 130, stdout: '', stderr: '' })
    expect(readdirSync(place.folder).filter((name) => name.includes('half'))).toEqual([])
    expect(existsSync(place.path('half'))).toBe(false)
  })
})

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}
