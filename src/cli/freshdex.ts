#!/usr/bin/env node
/** The command `freshdex`. Results go to standard output, everything else to standard error. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { FreshdexError } from '../errors.js'
import { runDemo } from './demo.js'
import { tellStory } from './demo-story.js'

/** 1 is left to what fails while it runs. */
const EXIT_USAGE = 2

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const program = new Command('freshdex')
  .description('An embedded search index that knows which of its documents to refresh next')
  .version(version)
  .exitOverride()

program
  .command('demo')
  .description('index an invented site, refresh it week by week, and tell what happened')
  .option('--json', 'print one JSON document instead of the story', false)
  .option('--pages <n>', 'pages at the beginning, 1 to 100000', integer(1, 100_000), 400)
  .option('--rounds <n>', 'weeks to follow the site, 0 to 52', integer(0, 52), 4)
  .option('--seed <n>', 'which site, 0 to 4294967295', integer(0, 2 ** 32 - 1), 1)
  .action(async ({ json, pages, rounds, seed }: { json: boolean; pages: number; rounds: number; seed: number }) => {
    const log = (line: string) => void process.stderr.write(`freshdex: ${line}\n`)
    const report = await runDemo({ pages, rounds, seed, log })
    process.stdout.write(`${json ? JSON.stringify(report, null, 2) : tellStory(report)}\n`)
    if (!report.check.ok) process.exitCode = 1
  })

function integer(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= low && value <= high) return value
    throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`)
  }
}

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
  } else {
    const code = error instanceof FreshdexError ? ` (${error.code})` : ''
    process.stderr.write(`freshdex: ${error instanceof Error ? error.message : String(error)}${code}\n`)
    process.exitCode = 1
  }
}
