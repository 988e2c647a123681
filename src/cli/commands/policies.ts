import { DEFAULT_POLICY, POLICY_CARDS, type PolicyCard } from '../../index.js'
import { command } from '../command.js'
import { count } from '../output/wording.js'

export const policies = command({
  name: 'policies',
  summary: 'the policies that say what to refresh next: what each is for, its formula, where it comes from',
  examples: ['freshdex policies', 'freshdex policies --json'],
  run: () => ({
    json: { default: DEFAULT_POLICY, policies: POLICY_CARDS },
    text: POLICY_CARDS.map(cardText).join('\n\n'),
  }),
})

function cardText({ name, purpose, formula, paper, bytesPerPage }: PolicyCard): string {
  return [
    name === DEFAULT_POLICY ? `${name} (default)` : name,
    `  ${purpose}`,
    `  priority  ${formula}`,
    `  reads     ${count(bytesPerPage, 'byte')} a page`,
    ...(paper === '-' ? [] : [`  from      ${paper}`]),
  ].join('\n')
}
