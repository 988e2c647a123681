#!/usr/bin/env node
/** The program `freshdex`. */
import { readFileSync } from 'node:fs'
import { CommanderError, Command as Program } from 'commander'
import { addCommands, type LateCommands } from './command.js'
import { EXIT_USAGE, endWithReaders, reportFailure, warn } from './output/output.js'

const COMMANDS: LateCommands = {
  index: async () => (await import('./commands/index.js')).index,
  search: async () => (await import('./commands/search.js')).search,
  get: async () => (await import('./commands/get.js')).get,
  next: async () => (await import('./commands/next.js')).next,
  plan: async () => (await import('./commands/plan.js')).plan,
  review: async () => (await import('./commands/review.js')).review,
  explain: async () => (await import('./commands/explain.js')).explain,
  observe: async () => (await import('./commands/observe.js')).observe,
  signal: async () => (await import('./commands/signal.js')).signal,
  frontier: async () => (await import('./commands/frontier.js')).frontier,
  policies: async () => (await import('./commands/policies.js')).policies,
  clusters: async () => (await import('./commands/clusters.js')).clusters,
  workload: async () => (await import('./commands/workload.js')).workload,
  schedule: async () => (await import('./commands/schedule.js')).schedule,
  stats: async () => (await import('./commands/stats.js')).stats,
  check: async () => (await import('./commands/check.js')).check,
  compact: async () => (await import('./commands/compact.js')).compact,
  backup: async () => (await import('./commands/backup.js')).backup,
  export: async () => (await import('./commands/export.js')).exportDocuments,
  salvage: async () => (await import('./commands/salvage.js')).salvageIndex,
  import: async () => (await import('./commands/import.js')).imports,
  lab: async () => (await import('./lab/lab.js')).lab,
  demo: async () => (await import('./commands/demo.js')).demo,
}

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
