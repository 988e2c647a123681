import type { Command } from 'commander'
import { addImportGitCommand } from './import-git-command.js'

export function addImportCommand(program: Command): void {
  const command = program.command('import').description('histories of pages into snapshot folders, to replay them')
  addImportGitCommand(command)
}
