#!/usr/bin/env node
/** The command `freshdex`, put together. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { addBackupCommand } from './backup-command.js'
import { addCheckCommand } from './check-command.js'
import { addClustersCommand } from './clusters-command.js'
import { addCompactCommand } from './compact-command.js'
import { addDemoCommand } from './demo-command.js'
import { addExplainCommand } from './explain-command.js'
import { addExportCommand } from './export-command.js'
import { addFrontierCommand } from './frontier-command.js'
import { addGetCommand } from './get-command.js'
import { addImportCommand } from './import-command.js'
import { addIndexCommand } from './index-command.js'
import { addNextCommand } from './next-command.js'
import { addObserveCommand } from './observe-command.js'
import { complain, complainOf, EXIT_USAGE, endWithReaders } from './output.js'
import { addPlanCommand } from './plan-command.js'
import { addPoliciesCommand } from './policies-command.js'
import { addReviewCommand } from './review-command.js'
import { addSalvageCommand } from './salvage-command.js'
import { addScheduleCommand } from './schedule-command.js'
import { addSearchCommand } from './search-command.js'
import { addSignalCommand } from './signal-command.js'
import { addStatsCommand } from './stats-command.js'
import { addWorkloadCommand } from './workload-command.js'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const program = new Command('freshdex')
  .description('An embedded search index that knows which of its documents to refresh next')
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: (text) => complain(text.trim().replace(/^error: /, '')) })

addIndexCommand(program)
addSearchCommand(program)
addGetCommand(program)
addNextCommand(program)
addPlanCommand(program)
addReviewCommand(program)
addExplainCommand(program)
addObserveCommand(program)
addSignalCommand(program)
addFrontierCommand(program)
addPoliciesCommand(program)
addClustersCommand(program)
addWorkloadCommand(program)
addScheduleCommand(program)
addStatsCommand(program)
addCheckCommand(program)
addCompactCommand(program)
addBackupCommand(program)
addExportCommand(program)
addSalvageCommand(program)
addImportCommand(program)
const lab = program.command('lab').description('experiments: what policies are worth, on your own history')
// It takes as long to load as all else together: only for whoever asks for it.
if (process.argv.includes('lab')) (await import('./lab-command.js')).addLabCommands(lab)
addDemoCommand(program)

endWithReaders()
try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
  else complainOf(error)
}
