#!/usr/bin/env node
/** The program `freshdex`. */
import { readFileSync } from 'node:fs'
import { CommanderError, Command as Program } from 'commander'
import { addCommands } from './command.js'
import { COMMANDS } from './command-table.js'
import { EXIT_USAGE, endWithReaders, reportFailure, warn } from './output/output.js'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const program = new Program('freshdex')
  .description('An embedded search index that knows which of its documents to refresh next')
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: (text) => warn(text.trim().replace(/^error: /, '')) })

await addCommands(program, COMMANDS, process.argv.slice(2))
endWithReaders()
try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
  else reportFailure(error)
}
