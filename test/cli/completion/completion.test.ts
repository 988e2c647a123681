/** The scripts of shells, tried in the shells themselves. */
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src/cli/command-table.js'
import { bashScript } from '../../../src/cli/completion/bash.js'
import { completedCommands } from '../../../src/cli/completion/completed-command.js'
import { fishScript } from '../../../src/cli/completion/fish.js'
import { zshScript } from '../../../src/cli/completion/zsh.js'

const commands = await completedCommands(COMMANDS)

/** Prints what is offered for each line of words, the last of which is the one to complete. */
const ASK = `
while IFS= read -r line; do
  IFS='|' read -ra COMP_WORDS <<< "$line|"
  COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
  if [[ "\${COMP_WORDS[COMP_CWORD]}" == '~' ]]; then COMP_WORDS[COMP_CWORD]=''; fi
  _freshdex
  echo "\${COMPREPLY[*]}"
done
`

/** What bash offers, for lines whose last word is to be completed. */
function offered(lines: readonly (readonly string[])[]): string[][] {
  const input = lines.map((words) => ['freshdex', ...words.map((word) => word || '~')].join('|')).join('\n')
  const { stdout, stderr, status } = spawnSync('bash', ['-c', `${bashScript(commands)}${ASK}`], {
    input: `${input}\n`,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').filter((word) => word !== ''))
}

describe('completion in bash', () => {
  it('offers all commands, those of groups, and every option of each', () => {
    const lines = commands.map(({ path, below }) => [...path.split(' ').filter(Boolean), below ? '' : '-'])
    const expected = commands.map(({ options, below }) => (below ?? options).map((each) => nameOf(each)))
    expect(offered(lines)).toEqual(expected)
    expect(commands.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['', 'next', 'workload', 'workload import', 'lab quality', 'completion', 'demo']),
    )
  })

  it('offers the values of an option that has a few, also behind an equals sign', () => {
    const tried = [
      ['next', 'pages.idx', '--policy', 'old'],
      ['next', 'pages.idx', '--policy', '=', 'old'],
      ['next', 'pages.idx', '--policy', '='],
      ['index', 'pages.idx', '--on-error', ''],
      ['next', 'pages.idx', '--budget', ''],
      ['completion', ''],
      ['wor'],
    ]
    const [typed, behindSign, sign, all, number, shells, command] = offered(tried)
    expect([typed, behindSign]).toEqual([['oldest-first'], ['oldest-first']])
    expect(sign).toContain('quality-utility')
    expect([all, number]).toEqual([['stop', 'skip'], []])
    expect([shells, command]).toEqual([['bash', 'zsh', 'fish'], ['workload']])
  })
})

describe.each([
  ['zsh', zshScript(commands)],
  ['fish', fishScript(commands)],
])('completion in %s', (shell, script) => {
  const isInstalled = spawnSync(shell, ['--version']).status === 0

  it.skipIf(!isInstalled)('is a script that the shell can read', () => {
    const { status, stderr } = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })

  it('names every command, every option and every value', () => {
    for (const { path, options, below } of commands) {
      for (const { name } of below ?? []) expect(script).toContain(name)
      if (below !== undefined) continue
      expect(script).toContain(path)
      for (const { flag, value } of options) {
        expect(script).toContain(shell === 'fish' ? ` -l ${flag.slice(2)}` : flag)
        if (typeof value === 'object') expect(script).toContain(value.words.join(' '))
      }
    }
  })

  it('closes every quote', () => {
    const bare = script
      .replaceAll(/^ *#.*$/gm, '')
      .replaceAll(/'\\''/g, '')
      .replaceAll(/\\'/g, '')
    for (const line of bare.split('\n')) expect([line, line.split("'").length % 2]).toEqual([line, 1])
  })
})

function nameOf(each: { readonly flag: string } | { readonly name: string }): string {
  return 'flag' in each ? each.flag : each.name
}
