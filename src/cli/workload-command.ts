import type { Command } from 'commander'
import { addWorkloadImportCommand } from './workload-import-command.js'
import { addWorkloadShowCommand } from './workload-show-command.js'

export function addWorkloadCommand(program: Command): void {
  const command = program.command('workload').description('the queries by which refreshes are measured')
  addWorkloadImportCommand(command)
  addWorkloadShowCommand(command)
}
