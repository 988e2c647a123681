#!/usr/bin/env node
import { readFileSync } from 'node:fs'
/** The command `freshdex`, put together. */
import { Command, CommanderError } from 'commander'
import { complain, complainOf, EXIT_USAGE, endWithReaders } from './output/output.js'

/**
 * In the order of the help. Each brings much along, so that only the one is loaded that is asked for; for a help or a
 * mistake all are.
 */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command, next: string) => void | Promise<void>>>> = {
  index: async () => (await import('./commands/index.js')).addIndexCommand,
  search: async () => (await import('./commands/search.js')).addSearchCommand,
  get: async () => (await import('./commands/get.js')).addGetCommand,
  next: async () => (await import('./commands/next.js')).addNextCommand,
  plan: async () => (await import('./commands/plan.js')).addPlanCommand,
  review: async () => (await import('./commands/review.js')).addReviewCommand,
  explain: async () => (await import('./commands/explain.js')).addExplainCommand,
  observe: async () => (await import('./commands/observe.js')).addObserveCommand,
  signal: async () => (await import('./commands/signal.js')).addSignalCommand,
  frontier: async () => (await import('./commands/frontier.js')).addFrontierCommand,
  policies: async () => (await import('./commands/policies.js')).addPoliciesCommand,
  clusters: async () => (await import('./commands/clusters.js')).addClustersCommand,
  workload: async () => (await import('./commands/workload.js')).addWorkloadCommand,
  schedule: async () => (await import('./commands/schedule.js')).addScheduleCommand,
  stats: async () => (await import('./commands/stats.js')).addStatsCommand,
  check: async () => (await import('./commands/check.js')).addCheckCommand,
  compact: async () => (await import('./commands/compact.js')).addCompactCommand,
  backup: async () => (await import('./commands/backup.js')).addBackupCommand,
  export: async () => (await import('./commands/export.js')).addExportCommand,
  salvage: async () => (await import('./commands/salvage.js')).addSalvageCommand,
  import: async () => (await import('./commands/import.js')).addImportCommand,
  lab: async () => (await import('./lab/lab.js')).addLabCommand,
  demo: async () => (await import('./commands/demo.js')).addDemoCommand,
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
