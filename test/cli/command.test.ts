import { Command as Program } from 'commander'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addCommand, addCommands, command } from '../../src/cli/command.js'
import {
  amount,
  argument,
  choice,
  filePath,
  flag,
  integer,
  nameList,
  oneOrMore,
  onUnlessNegated,
  optional,
  required,
  seed,
  share,
  span,
  time,
  withDefault,
} from '../../src/cli/options.js'
import type { Outcome } from '../../src/cli/output/output.js'

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

/** What `run` is given for a line of arguments. */
async function given(...args: readonly string[]): Promise<unknown> {
  let received: unknown
  const shown = command({
    name: 'show',
    summary: 'shows what it is given',
    args: [argument('<dir>', 'a folder'), argument<readonly string[]>('[files...]', 'files')],
    options: {
      perHost: required('<n>', 'a number', integer(1, 9)),
      order: choice('<what>', 'a word', ['up', 'down'], 'up'),
      kind: choice('<what>', 'a word', ['a', 'b']),
      cost: withDefault('<amount>', 'an amount', 2, amount(0, true)),
      fields: optional('<names>', 'names', nameList),
      field: { ...optional('<name>', 'a name'), conflicts: ['fields'] },
      docs: flag('a switch'),
      newPages: onUnlessNegated('a switch that is on'),
    },
    examples: [],
    run(values, options) {
      received = [values, options]
      return {}
    },
  })
  await (await programOf(shown)).parseAsync(['show', ...args], { from: 'user' })
  return received
}

async function programOf(added: Parameters<typeof addCommand>[1]): Promise<Program> {
  const program = new Program('test').exitOverride().configureOutput({ writeErr: () => {} })
  await addCommand(program, added)
  return program
}

/** What an outcome prints, and the exit status. */
async function printed(outcome: Outcome, ...args: readonly string[]) {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation(((chunk: string | Uint8Array, done?: () => void) => {
      output[name] += Buffer.from(chunk as string).toString()
      done?.()
      return true
    }) as typeof process.stdout.write)
  }
  const ending = command({ name: 'end', summary: 'ends', examples: [], run: () => outcome })
  await (await programOf(ending)).parseAsync(['end', ...args], { from: 'user' })
  vi.restoreAllMocks()
  return { ...output, status: process.exitCode ?? 0 }
}

describe('the frame of a command', () => {
  it('gives what was said, defaults, and nothing for what was not said', async () => {
    const unsaid = { order: 'up', cost: 2, docs: false, newPages: true, json: false }
    expect(await given('d', '--per-host', '3')).toEqual([['d', []], { perHost: 3, ...unsaid }])
    const said = ['--order', 'down', '--kind', 'b', '--cost', '0.5', '--fields', 'x,y', '--docs', '--no-new-pages']
    expect(await given('d', 'f', 'g', '--per-host', '9', ...said, '--json')).toEqual([
      ['d', ['f', 'g']],
      { perHost: 9, order: 'down', kind: 'b', cost: 0.5, fields: ['x', 'y'], docs: true, newPages: false, json: true },
    ])
  })

  it.each([
    ['a required option that is missing', ['d']],
    ['an argument that is missing', ['--per-host', '3']],
    ['a value that its reader refuses', ['d', '--per-host', '10']],
    ['a word that is no choice', ['d', '--per-host', '3', '--kind', 'c']],
    ['options that exclude each other', ['d', '--per-host', '3', '--field', 'x', '--fields', 'x']],
    ['an unknown option', ['d', '--per-host', '3', '--nonsense']],
  ])('refuses %s', async (_, args) => {
    await expect(given(...args)).rejects.toThrow()
  })

  it.each<[string, Outcome, readonly string[], { stdout: string; stderr: string; status: number }]>([
    ['text', { json: { a: 1 }, text: 'one' }, [], { stdout: 'one\n', stderr: '', status: 0 }],
    ['lines', { text: ['one', 'two'] }, [], { stdout: 'one\ntwo\n', stderr: '', status: 0 }],
    ['JSON', { json: { a: 1 }, text: 'one' }, ['--json'], { stdout: '{\n  "a": 1\n}\n', stderr: '', status: 0 }],
    ['null', { json: null, failure: 'no' }, ['--json'], { stdout: 'null\n', stderr: 'freshdex: no\n', status: 1 }],
    ['no text', { json: null, failure: 'no' }, [], { stdout: '', stderr: 'freshdex: no\n', status: 1 }],
    ['a warning', { text: 'one', warnings: ['w'] }, [], { stdout: 'one\n', stderr: 'freshdex: w\n', status: 0 }],
    ['a status', { text: 'one', status: 130 }, [], { stdout: 'one\n', stderr: '', status: 130 }],
    ['nothing', {}, [], { stdout: '', stderr: '', status: 0 }],
  ])('prints %s', async (_, outcome, args, expected) => {
    expect(await printed(outcome, ...args)).toEqual(expected)
  })

  it('shows defaults as people say them', async () => {
    const told = command({
      name: 'tell',
      summary: 'tells',
      options: {
        every: withDefault('<span>', 'a span', 7 * 86_400_000, span),
        rate: withDefault('<share>', 'a share', 0.05, share),
        mode: withDefault('<modes>', 'words', ['online'], oneOrMore(['online', 'offline'])),
        order: choice('<what>', 'a word', ['up', 'down'], 'up'),
        workers: { ...withDefault('<n>', 'threads', 2, integer(1)), defaultText: 'one for each core' },
        docs: flag('a switch'),
      },
      examples: [],
      run: () => ({}),
    })
    const help = (await programOf(told)).commands[0]!.helpInformation().replaceAll(/\s+/g, ' ')
    const defaults = [...help.matchAll(/default: ([^)]*)\)/g)].map(([, text]) => text)
    expect(defaults).toEqual(['7 days', '5%', 'online', 'up', 'one for each core'])
  })

  it('shows examples and further sections below the help', async () => {
    const sections = { Words: 'a  the first\nb  the second' }
    const told = command({
      name: 'tell',
      summary: 'tells',
      examples: ['tell', 'tell --json'],
      sections,
      run: () => ({}),
    })
    const program = await programOf(told)
    let help = ''
    program.commands[0]!.configureOutput({ writeOut: (text) => (help += text) })
    await expect(program.parseAsync(['tell', '--help'], { from: 'user' })).rejects.toThrow('outputHelp')
    expect(help).toMatch(
      /\n\nExamples:\n {2}tell\n {2}tell --json\n\nWords:\n {2}a {2}the first\n {2}b {2}the second\n$/,
    )
  })
})

describe('commands that load late', () => {
  const loads: string[] = []
  const late = (name: string) => async () => {
    loads.push(name)
    return command({ name, summary: name, examples: [], run: () => ({}) })
  }
  const inner = { name: 'inner', summary: 'a group', commands: { c: late('c'), d: late('d') } }
  const commands = { a: late('a'), b: late('b'), inner: async () => inner }

  it.each([
    [['a', 'c'], ['a']],
    [['inner', 'd', 'a'], ['d']],
    [
      ['inner', '--help'],
      ['c', 'd'],
    ],
    [['--help'], ['a', 'b', 'c', 'd']],
    [['toString'], ['a', 'b', 'c', 'd']],
    [[], ['a', 'b', 'c', 'd']],
  ])('of the words %j need %j', async (words, expected) => {
    loads.length = 0
    await addCommands(new Program('test'), commands, words)
    expect(loads).toEqual(expected)
  })
})

describe('readers of values', () => {
  it.each([
    [integer(0, 5), ['0', '5'], ['6', '-1', '1.5', '', 'x', '1e0']],
    [amount(0), ['0', '1.5', '2e3'], ['-1', 'Infinity', '', '1e999', '.5']],
    [amount(0, true), ['0.1'], ['0']],
    [nameList, ['a', 'a,b'], ['', 'a,', ',a']],
    [oneOrMore(['up', 'down']), ['up', 'up,down', 'up,up'], ['', 'up,', 'Up', 'left']],
    [share, ['0%', '100%', '0.25%'], ['101%', '-1%', '5', '', '%']],
    [seed, ['0', '4294967295'], ['4294967296', '-1']],
    [filePath, ['no-such-file', 'no/such/file'], ['', '.']],
    [time, ['2026-11-16', '0'], ['now', '2026-13-01']],
    [span, ['7d', '1.5h'], ['7', '1y', '0s']],
  ])('%o takes what it should', (read, right, wrong) => {
    for (const text of right) expect(() => read(text), text).not.toThrow()
    for (const text of wrong) expect(() => read(text), text).toThrow(/^It must be /)
  })
})
