import type { Command } from 'commander'
import { DEFAULT_POLICY, POLICY_CARDS, type PolicyCard } from '../../index.js'
import { addExamples } from '../command.js'
import { print, printJson } from '../output/output.js'
import { count } from '../output/wording.js'

export function addPoliciesCommand(program: Command): void {
  const command = program
    .command('policies')
    .description('the policies that say what to refresh next: what each is for, its formula, where it comes from')
    .option('--json', 'print one JSON document', false)
    .action(({ json }: { json: boolean }) => {
      if (json) printJson({ default: DEFAULT_POLICY, policies: POLICY_CARDS })
      else print(POLICY_CARDS.map(tell).join('\n\n'))
    })
  addExamples(command, 'freshdex policies', 'freshdex policies --json')
}

function tell({ name, purpose, formula, paper, bytesPerPage }: PolicyCard): string {
  const lines = [
    name === DEFAULT_POLICY ? `${name} (default)` : name,
    `  ${purpose}`,
    `  priority  ${formula}`,
    `  reads     ${count(bytesPerPage, 'byte')} a page`,
    ...(paper === '-' ? [] : [`  from      ${paper}`]),
  ]
  return lines.join('\n')
}
