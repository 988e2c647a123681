import type { Command } from 'commander'

/** Examples below the help of a command, a line each. */
export function addExamples(command: Command, ...lines: readonly string[]): void {
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}
