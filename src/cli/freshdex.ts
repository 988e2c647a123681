#!/usr/bin/env node
/** The command `freshdex`, put together. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { complain, complainOf, EXIT_USAGE, endWithReaders } from './output.js'

/** In the order of the help. Each brings much along, so that only the one is loaded that is asked for; for a help or a mistake all are. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command, next: string) => void | Promise<void>>>> = {
  index: async () => (await import('./index-command.js')).addIndexCommand,
  search: async () => (await import('./search-command.js')).addSearchCommand,
  get: async () => (await import('./get-command.js')).addGetCommand,
  next: async () => (await import('./next-command.js')).addNextCommand,
  plan: async () => (await import('./plan-command.js')).addPlanCommand,
  review: async () => (await import('./review-command.js')).addReviewCommand,
  explain: async () => (await import('./explain-command.js')).addExplainCommand,
  observe: async () => (await import('./observe-command.js')).addObserveCommand,
  signal: async () => (await import('./signal-command.js')).addSignalCommand,
  frontier: async () => (await import('./frontier-command.js')).addFrontierCommand,
  policies: async () => (await import('./policies-command.js')).addPoliciesCommand,
  clusters: async () => (await import('./clusters-command.js')).addClustersCommand,
  workload: async () => (await import('./workload-command.js')).addWorkloadCommand,
  schedule: async () => (await import('./schedule-command.js')).addScheduleCommand,
  stats: async () => (await import('./stats-command.js')).addStatsCommand,
  check: async () => (await import('./check-command.js')).addCheckCommand,
  compact: async () => (await import('./compact-command.js')).addCompactCommand,
  backup: async () => (await import('./backup-command.js')).addBackupCommand,
  export: async () => (await import('./export-command.js')).addExportCommand,
  salvage: async () => (await import('./salvage-command.js')).addSalvageCommand,
  import: async () => (await import('./import-command.js')).addImportCommand,
  lab: async () => (await import('./lab-command.js')).addLabCommand,
  demo: async () => (await import('./demo-command.js')).addDemoCommand,
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const program = new Command('freshdex')
  .description('An embedded search index that knows which of its documents to refresh next')
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: (text) => complain(text.trim().replace(/^error: /, '')) })

const [, , asked = '', next = ''] = process.argv
const wanted = Object.hasOwn(COMMANDS, asked) ? [COMMANDS[asked]!] : Object.values(COMMANDS)
for (const add of await Promise.all(wanted.map((load) => load()))) await add(program, next)

endWithReaders()
try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
  else complainOf(error)
}
