/**
 * Every command, once in a process of its own and once in that of the test, prints the same and ends with the same
 * status. The other tests of commands rest on it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Command, CommandGroup } from '../../dist/cli/command.js'
import { COMMANDS } from '../../dist/cli/command-table.js'
import { GitRepository, hasGit } from '../lab/worlds/git-repository.js'
import { writeLabFolder } from './lab/lab-folder.js'
import { type Ending, jsonLines, PAGE_OPTIONS, PAGES, Workplace } from './program.js'

interface Line {
  readonly words: string
  readonly input?: string
  /** Unless told, 0. */
  readonly status?: number
  /** What is printed depends on clocks, or on the place of the folder. */
  readonly hasTimes?: boolean
}

const AT = '--at 2026-11-10'
const INDEX = `index pages ${PAGE_OPTIONS.join(' ')}`
const DEMO = 'demo --pages 40 --weeks 2 --budget 4 --json'

/** One after the other, on the same folder. */
const LINES: readonly Line[] = [
  { words: `${INDEX} --at 2026-11-01`, input: jsonLines(PAGES), hasTimes: true },
  { words: 'index pages --at 2026-11-03', input: '{"url":"/inn"}\n{"url"', status: 1, hasTimes: true },
  { words: 'workload import pages -', input: 'ferry\t40\nsubmarine\t3\nboats\t1\n' },
  { words: 'workload show pages', hasTimes: true },
  { words: 'workload unanswered pages', hasTimes: true },
  { words: 'workload export pages', hasTimes: true },
  { words: 'workload forget pages boats' },
  { words: 'search pages ferry --json' },
  { words: 'search pages ferry --snippet' },
  { words: 'search pages fery --as-you-type --did-you-mean' },
  { words: 'suggest pages fer' },
  { words: 'similar pages /ferry' },
  { words: 'similar pages /nowhere', status: 1 },
  { words: 'reindex pages reindexed --analyzer standard' },
  { words: 'reindex pages reindexed', status: 1 },
  { words: 'get pages /ferry' },
  { words: 'get pages /nowhere', status: 1 },
  { words: `next pages --budget 2 ${AT}` },
  { words: `plan pages --budget 2 ${AT} --json` },
  { words: 'watch pages --last --writes 1', hasTimes: true },
  { words: `observe pages /ferry --outcome same ${AT}` },
  { words: `signal pages --from - ${AT}`, input: '{"key":"/market","kind":"push"}\n' },
  { words: 'review pages --json', hasTimes: true },
  { words: `explain pages /ferry ${AT}` },
  { words: `frontier add pages --file - ${AT}`, input: '{"url":"/island","anchors":["ferry"]}\n' },
  { words: 'frontier next pages --budget 3', hasTimes: true },
  { words: 'frontier explain pages /island', hasTimes: true },
  { words: `clusters build pages --clusters 2 --seed 3 ${AT}` },
  { words: 'clusters list pages' },
  { words: 'clusters explain pages /ferry' },
  { words: 'policies' },
  { words: 'schedule --start 2026-11-16 --crawls 3 --json', input: '{"key":"/ferry","perDay":4}\n' },
  { words: 'stats pages', hasTimes: true },
  { words: 'check pages', hasTimes: true },
  { words: 'compact pages', hasTimes: true },
  { words: 'backup pages copy', hasTimes: true },
  { words: 'export pages' },
  { words: 'salvage copy again', hasTimes: true },
  { words: 'completion bash' },
  { words: DEMO },
  { words: 'bench nowhere.jsonl', status: 1 },
  { words: 'lab quality --data site --budgets 5% --policies oldest-first --json' },
  { words: 'lab forecast --data site --samples 20' },
  { words: 'lab frontier --data site --held-back 20% --budgets 5%' },
  { words: 'lab schedule --pages 40 --crawlers 2' },
  { words: 'lab longevity --data site --json' },
  { words: 'lab clusters --data site --json' },
  { words: 'lab estimate --data site --scorings tfidf --weeks 2 --queries 5' },
  { words: 'lab overhead --data site --runs 1 --sizes 0.01', hasTimes: true },
  { words: '--help' },
  { words: 'nonsense', status: 2 },
]
const GIT_LINE = { words: 'import git repository --every 7d --json', hasTimes: true }

const places = { process: new Workplace(), test: new Workplace() }

beforeAll(async () => {
  for (const place of Object.values(places)) {
    await writeLabFolder(place.path('site'), { pages: 20, steps: 5 })
    if (!hasGit()) continue
    const repository = new GitRepository(place.path('repository'))
    repository.write('a.md', '# Ferry')
    repository.commit('2026-01-01T00:00:00Z')
    repository.write('a.md', '# Ferry at dusk')
    repository.commit('2026-01-10T00:00:00Z')
  }
})
afterAll(() => {
  for (const place of Object.values(places)) place.remove()
})

describe('a command in the process of the test does what its own process does', () => {
  it('and none is forgotten here', async () => {
    const names = (await Promise.all(Object.values(COMMANDS).map((load) => load()))).map(namesOf)
    const called = [...LINES, GIT_LINE].map(({ words }) => words)
    for (const name of (await Promise.all(names)).flat()) {
      expect([name, called.some((words) => `${words} `.startsWith(`${name} `))]).toEqual([name, true])
    }
  })

  it.each(LINES)('freshdex $words', compare)

  it.skipIf(!hasGit())('freshdex import git', () => compare(GIT_LINE))
})

async function compare({ words, input = '', status = 0, hasTimes = false }: Line): Promise<void> {
  const args = words.split(' ')
  const byProcess = await places.process.feedProcess(input, ...args)
  const here = await places.test.feedHere(input, ...args)
  expect([byProcess.status, byProcess.stderr]).toEqual([status, status === 0 ? '' : expect.stringMatching(/./)])
  if (hasTimes) expect(withoutTimes(here, places.test)).toEqual(withoutTimes(byProcess, places.process))
  else expect(here).toEqual(byProcess)
}

/** Without any number, and what depends on one. */
function withoutTimes({ status, stdout, stderr }: Ending, place: Workplace): Ending {
  const bare = (text: string) =>
    text
      .replaceAll(place.folder, 'FOLDER')
      .replaceAll(/-?\d[\d.,:]*( ([mµn]?s|seconds?)\b)?/g, '#')
      .replaceAll(/ +/g, ' ')
  return { status, stdout: bare(stdout), stderr: bare(stderr) }
}

async function namesOf(command: Command | CommandGroup): Promise<string[]> {
  if (!('commands' in command)) return [command.name]
  const { commands } = command
  const below = Array.isArray(commands)
    ? (commands as readonly Command[])
    : await Promise.all(Object.values(commands).map((load) => load()))
  return (await Promise.all(below.map(namesOf))).flat().map((name) => `${command.name} ${name}`)
}
