import { Command as Program } from 'commander'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addCommand, command } from '../../src/cli/command.js'
import {
  amount,
  argument,
  choice,
  flag,
  integer,
  nameList,
  onUnlessNegated,
  optional,
  required,
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
      docs: flag('a switch'),
      newPages: onUnlessNegated('a switch that is on'),
    },
    examples: [],
    run(values, options) {
      received = [values, options]
      return {}
    },
  })
  await programOf(shown).parseAsync(['show', ...args], { from: 'user' })
  return received
}

function programOf(added: Parameters<typeof addCommand>[1]): Program {
  const program = new Program('test').exitOverride().configureOutput({ writeErr: () => {} })
  addCommand(program, added)
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
  await programOf(ending).parseAsync(['end', ...args], { from: 'user' })
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
})

describe('readers of values', () => {
  it.each([
    [integer(0, 5), ['0', '5'], ['6', '-1', '1.5', '', 'x', '1e0']],
    [amount(0), ['0', '1.5', '2e3'], ['-1', 'Infinity', '', '1e999', '.5']],
    [amount(0, true), ['0.1'], ['0']],
    [nameList, ['a', 'a,b'], ['', 'a,', ',a']],
    [time, ['2026-11-16', '0'], ['now', '2026-13-01']],
    [span, ['7d', '1.5h'], ['7', '1y', '0s']],
  ])('%o takes what it should', (read, right, wrong) => {
    for (const text of right) expect(() => read(text), text).not.toThrow()
    for (const text of wrong) expect(() => read(text), text).toThrow(/^It must be /)
  })
})
