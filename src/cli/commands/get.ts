import type { Command } from 'commander'
import { describe } from '../../base/describe.js'
import { addExamples, folder, withReader } from '../command.js'
import { keyOf, NUMBER_KEY } from '../input/values.js'
import { complain, EXIT_FAILURE, printJson } from '../output/output.js'

export function addGetCommand(program: Command): void {
  const command = program
    .command('get')
    .description('the stored document with a key, as JSON')
    .argument('<dir>', 'the folder of the index', folder)
    .argument('<key>', 'the key of the document')
    .option(...NUMBER_KEY, false)
    .option('--json', 'print null when there is no such document', false)
    .action(async (dir: string, text: string, { numberKey, json }: { numberKey: boolean; json: boolean }) => {
      const key = keyOf(text, numberKey)
      const document = await withReader(dir, (index) => index.get(key))
      if (document !== undefined) return printJson(document)
      if (json) printJson(null)
      complain(`no document has the key ${describe(key)}`)
      process.exitCode = EXIT_FAILURE
    })
  addExamples(command, 'freshdex get pages.idx /ferry', 'freshdex get products.idx 4711 --number-key')
}
