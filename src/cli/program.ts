/** The program as a function: from the words of a command line to what is printed and the exit status. */
import { readFileSync } from 'node:fs'
import { CommanderError, Command as Program } from 'commander'
import { addCommands } from './command.js'
import { COMMANDS } from './command-table.js'
import { EXIT_USAGE, endWithReaders, reportFailure, warn } from './output/output.js'

/**
 * Runs a command in this process: it reads and prints by the standard streams of the process, and leaves its status in
 * `process.exitCode`. `words` are what was typed behind the name of the program. Never throws.
 */
export async function runProgram(words: readonly string[]): Promise<void> {
  const program = new Program('freshdex')
    .description('An embedded search index that knows which of its documents to refresh next')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ outputError: (text) => warn(text.trim().replace(/^error: /, '')) })
  await addCommands(program, COMMANDS, words)
  endWithReaders()
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
    else reportFailure(error)
  }
}

function packageVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
