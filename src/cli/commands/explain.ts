import type { Command } from 'commander'
import { describe } from '../../base/describe.js'
import type { PolicyName } from '../../index.js'
import { addExamples, asUsage, folder, policyOption, withReader } from '../command.js'
import { keyOf, NUMBER_KEY, TIME_RULE, time } from '../input/values.js'
import { tellExplanation } from '../output/explanation-text.js'
import { complain, EXIT_FAILURE, print, printJson } from '../output/output.js'

interface ExplainCommandOptions {
  readonly numberKey: boolean
  readonly policy: PolicyName
  readonly at?: number
  readonly json: boolean
}

export function addExplainCommand(program: Command): void {
  const command = program
    .command('explain')
    .description('why a document has its refresh priority')
    .argument('<dir>', 'the folder of the index', folder)
    .argument('<key>', 'the key of the document')
    .option(...NUMBER_KEY, false)
    .addOption(policyOption())
    .option('--at <time>', `the moment for which to judge: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document; null when there is no such document', false)
    .action(runExplainCommand)
  addExamples(
    command,
    'freshdex explain pages.idx /ferry',
    'freshdex explain pages.idx /ferry --policy user-centric --at 2026-11-16T09:00Z --json',
    'freshdex explain products.idx 4711 --number-key',
  )
}

async function runExplainCommand(dir: string, text: string, options: ExplainCommandOptions): Promise<void> {
  const { numberKey, policy, at = Date.now(), json } = options
  const key = keyOf(text, numberKey)
  const explanation = await withReader(dir, (index) => asUsage(() => index.refresh.explain(key, { at, policy })))
  if (explanation !== undefined) return json ? printJson(explanation) : print(tellExplanation(explanation))
  if (json) printJson(null)
  complain(`no document has the key ${describe(key)}`)
  process.exitCode = EXIT_FAILURE
}
