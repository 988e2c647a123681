import type { Command } from 'commander'
import { addFrontierAddCommand } from './frontier-add-command.js'
import { addFrontierExplainCommand } from './frontier-explain-command.js'
import { addFrontierNextCommand } from './frontier-next-command.js'

export function addFrontierCommand(program: Command): void {
  const command = program.command('frontier').description('the pages that are known and were not fetched')
  addFrontierAddCommand(command)
  addFrontierNextCommand(command)
  addFrontierExplainCommand(command)
}
