import type { Command } from 'commander'
import { describe } from '../describe.js'
import type { PolicyName } from '../refresh/registry.js'
import { addExamples } from './examples.js'
import { keyOf, NUMBER_KEY } from './key-text.js'
import { withReader } from './open-index.js'
import { folder } from './option-values.js'
import { complain, EXIT_FAILURE, print, printJson } from './output.js'
import { policyOption } from './policy-option.js'
import { tellExplanation } from './refresh-account.js'
import { TIME_RULE, time } from './time-text.js'
import { asUsage } from './usage-error.js'

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
