import { symlinkSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FreshdexError } from '../../../src/base/errors.js'
import { type GitStep, type GitWorldOptions, gitMoments, gitWorld } from '../../../src/lab/worlds/git-world.js'
import { globPattern } from '../../../src/lab/worlds/path-glob.js'
import { snapshotFolderWorld } from '../../../src/lab/worlds/snapshot-differ.js'
import { writeSnapshotFolder } from '../../../src/lab/worlds/snapshot-writer.js'
import { SeededRandom, withSeed } from '../../support/seed.js'
import { GitRepository, hasGit } from './git-repository.js'
import { allSteps, statesOf, WorldPlace } from './world-reading.js'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const START_MS = Date.UTC(2026, 0, 1)

let place: WorldPlace
beforeEach(() => {
  place = new WorldPlace()
})
afterEach(() => place.remove())

const iso = (ms: number) => new Date(ms).toISOString()
const told = (repository: GitRepository, options: Partial<GitWorldOptions> = {}) =>
  allSteps(gitWorld(repository.folder, { paths: ['docs/**'], everyMs: WEEK_MS, ...options })) as Promise<GitStep[]>

describe.skipIf(!hasGit())('the world of a git repository', () => {
  it('shows the pages as they were at each look', async () => {
    const repository = new GitRepository(place.path('site'))
    repository.write('README.md', '# not a page')
    repository.write('docs/a.md', '---\ntitle: The ferry\n---\nLeaves at *dawn*.')
    repository.write('docs/deep/b.html', '<title>B</title><p>text')
    const first = repository.commit(iso(START_MS))
    repository.write('docs/a.md', '---\ntitle: The ferry\nweight: 7\n---\nLeaves at **dawn**.')
    repository.write('docs/new.txt', 'plain')
    repository.commit(iso(START_MS + DAY_MS))
    repository.write('docs/new.txt', 'plain, once more')
    const second = repository.commit(iso(START_MS + 2 * DAY_MS))
    repository.git('mv', 'docs/deep/b.html', 'docs/b.html')
    const third = repository.commit(iso(START_MS + 20 * DAY_MS))
    const world = gitWorld(repository.folder, { paths: ['docs/**'], everyMs: WEEK_MS })
    const b = { title: 'B', text: 'text' }
    const expected = [
      {
        atMs: START_MS,
        commit: first,
        versions: [
          { url: 'docs/a.md', title: 'The ferry', text: 'Leaves at dawn.' },
          { url: 'docs/deep/b.html', ...b },
        ],
        gone: [],
      },
      {
        atMs: START_MS + WEEK_MS,
        commit: second,
        // Front matter and marks of a.md changed, its text did not.
        versions: [{ url: 'docs/new.txt', title: '', text: 'plain, once more' }],
        gone: [],
      },
      { atMs: START_MS + 2 * WEEK_MS, commit: second, versions: [], gone: [] },
      {
        atMs: START_MS + 3 * WEEK_MS,
        commit: third,
        versions: [{ url: 'docs/b.html', ...b }],
        gone: ['docs/deep/b.html'],
      },
    ]
    expect(await allSteps(world)).toEqual(expected)
    expect(await allSteps(world)).toEqual(expected)
    await writeSnapshotFolder(world, place.path('written'))
    const written = expected.map(({ commit: _, ...step }) => step)
    expect(await allSteps(snapshotFolderWorld(place.path('written')))).toEqual(written)
  })

  it('looks between the times and at the branch that it is told', async () => {
    const repository = new GitRepository(place.path('site'))
    for (let day = 0; day < 10; day++) {
      repository.write('docs/a.txt', `day ${day}`)
      repository.commit(iso(START_MS + day * DAY_MS))
      if (day === 4) repository.git('branch', 'early')
    }
    const texts = async (options: Partial<GitWorldOptions>) =>
      (await told(repository, { everyMs: DAY_MS, ...options })).map(({ versions }) => versions[0]?.text)
    const sinceMs = START_MS + 2.5 * DAY_MS
    expect(await texts({ sinceMs, untilMs: sinceMs + DAY_MS })).toEqual(['day 2', 'day 3'])
    expect(await texts({ sinceMs, everyMs: 3 * DAY_MS })).toEqual(['day 2', 'day 5', 'day 8', 'day 9'])
    expect(await texts({ sinceMs, ref: 'early' })).toEqual(['day 2', 'day 3', 'day 4'])
  })

  it('begins with the first page, and passes over what is no text', async () => {
    const repository = new GitRepository(place.path('site'))
    repository.write('other.txt', 'x')
    repository.commit(iso(START_MS))
    repository.write('docs/picture.md', Uint8Array.of(0x89, 0, 1))
    repository.write('docs/a b "ü".md', 'text')
    symlinkSync('a.md', place.path('site/docs/link.md'))
    repository.commit(iso(START_MS + WEEK_MS))
    const skipped: string[] = []
    const steps = await told(repository, { onSkipped: (file) => skipped.push(file) })
    expect(steps.map(({ atMs, versions }) => [atMs, versions.map(({ url }) => url)])).toEqual([
      [START_MS + WEEK_MS, ['docs/a b "ü".md']],
    ])
    expect(skipped).toEqual(['docs/picture.md'])
  })

  it('follows first parents: what a branch did counts when it was merged', async () => {
    const repository = new GitRepository(place.path('site'))
    repository.write('docs/a.txt', 'main')
    repository.commit(iso(START_MS))
    repository.git('checkout', '--quiet', '-b', 'side')
    repository.write('docs/b.txt', 'side')
    repository.commit(iso(START_MS + DAY_MS))
    repository.git('checkout', '--quiet', 'main')
    const merged = { committed: iso(START_MS + 10 * DAY_MS) }
    repository.git('merge', '--quiet', '--no-ff', '--no-edit', 'side', merged)
    const steps = await told(repository)
    expect(steps.map(({ versions }) => versions.map(({ url }) => url))).toEqual([['docs/a.txt'], [], ['docs/b.txt']])
  })

  it('adds up to the files of every commit, in random histories', async () => {
    await withSeed('git worlds', async (seed) => {
      const random = new SeededRandom(seed)
      const repository = new GitRepository(place.path('site'))
      const files = new Map<string, string>()
      const states = Array.from({ length: 12 }, (_, nth) => {
        for (let change = random.between(0, 4); change > 0; change--) {
          const name = `docs/${random.pick(['a', 'b', 'c/d', 'c/e'])}.txt`
          if (files.has(name) && random.chance(0.4)) {
            files.delete(name)
            repository.remove(name)
          } else {
            files.set(name, `text ${random.int(3)}`)
            repository.write(name, files.get(name)!)
          }
        }
        if (nth === 0) {
          files.set('docs/first.txt', 'first')
          repository.write('docs/first.txt', 'first')
        }
        repository.commit(iso(START_MS + nth * WEEK_MS))
        return new Map(files)
      })
      const shown = statesOf(await told(repository)).map(
        (state) => new Map(Array.from(state, ([url, { text }]) => [url, text])),
      )
      expect(shown).toEqual(states)
    })
  })

  it('says what is no repository, no commit and no time', async () => {
    const repository = new GitRepository(place.path('site'))
    await expect(gitMoments(repository.folder, { everyMs: 1 })).rejects.toThrow(/ref must name a commit .*"HEAD"/)
    repository.commit(iso(START_MS))
    await expect(gitMoments(place.path('none'), { everyMs: 1 })).rejects.toSatisfy(
      (error) =>
        error instanceof FreshdexError && error.code === 'IO' && /git rev-parse failed: .*none/s.test(error.message),
    )
    const refused = (times: object) => expect(gitMoments(repository.folder, { everyMs: WEEK_MS, ...times })).rejects
    await refused({ ref: '--all' }).toThrow(/ref must name a commit/)
    await refused({ ref: 'no-such-branch' }).toThrow(RangeError)
    await refused({ everyMs: 0 }).toThrow(/everyMs must be a finite number of at least 1/)
    await refused({ sinceMs: 5, untilMs: 4 }).toThrow(/untilMs must not be before sinceMs/)
    await refused({ everyMs: 1, sinceMs: 0 }).toThrow(/everyMs must be larger/)
  })

  describe('without git', () => {
    const { PATH } = process.env
    beforeAll(() => {
      process.env.PATH = ''
    })
    afterAll(() => {
      process.env.PATH = PATH
    })

    it('says so', async () => {
      await expect(gitMoments(place.folder, { everyMs: 1 })).rejects.toThrow(/git could not be started/)
    })
  })
})

describe('a pattern of paths', () => {
  it.each([
    ['*.md', ['a.md', '.md'], ['a/b.md', 'a.mdx', 'a_md']],
    ['**/*.md', ['a.md', 'a/b.md', 'a/b/c.md'], ['a.txt', 'a.md/b']],
    ['docs/**', ['docs/a', 'docs/a/b.c'], ['docs', 'xdocs/a']],
    ['./a/**/z', ['a/z', 'a/b/z', 'a/b/c/z'], ['a/bz', 'z']],
    ['a?.{md,ht*}', ['ab.md', 'ac.html'], ['a.md', 'abc.md', 'a/.md', 'ab.txt']],
    ['[a-c]/[!x]', ['a/y', 'c/z'], ['d/y', 'a/x', 'a//']],
    ['a+(b).md', ['a+(b).md'], ['aab.md']],
    ['**', ['a', 'a/b'], []],
    ['[]]', [']'], ['[']],
  ])('%s matches what it should', (glob, matching, others) => {
    const pattern = globPattern(glob)
    expect(matching.filter((path) => !pattern.test(path))).toEqual([])
    expect(others.filter((path) => pattern.test(path))).toEqual([])
  })

  it('is refused where it is none', () => {
    expect(() => globPattern('a/{b,c')).toThrow(/a \{ of a pattern of paths must be closed/)
    expect(() => globPattern('a/[bc')).toThrow(/a \[ of a pattern of paths must be closed/)
    expect(() => globPattern('')).toThrow(/must not be empty/)
    expect(() => globPattern('[z-a]')).toThrow(/a range of a pattern of paths must ascend/)
  })
})
