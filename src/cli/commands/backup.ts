import type { Command } from 'commander'
import { addExamples, folder, withIndex } from '../command.js'
import { print, printJson } from '../output/output.js'
import { byteSize, count } from '../output/wording.js'

export function addBackupCommand(program: Command): void {
  const command = program
    .command('backup')
    .description('copy an index into a new folder, whole or not at all')
    .argument('<dir>', 'the folder of the index', folder)
    .argument('<target>', 'the folder to make', folder)
    .option('--json', 'print one JSON document', false)
    .action(async (dir: string, target: string, { json }: { json: boolean }) => {
      const report = await withIndex(dir, {}, (index) => index.backup(target))
      if (json) printJson(report)
      else print(`${count(report.files, 'file')} of ${byteSize(report.bytes)} copied to ${target}`)
    })
  addExamples(command, 'freshdex backup pages.idx backups/pages-monday.idx')
}
