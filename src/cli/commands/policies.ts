import { DEFAULT_POLICY, type ListedPolicy, POLICY_CARDS, POLICY_NAMES, type PolicyOption } from '../../index.js'
import { command } from '../command.js'
import { optionWord, valueRule } from '../input/policy-choice.js'
import type { Argument } from '../options.js'
import { count, table } from '../output/wording.js'

const NAME: Argument<string | undefined> = {
  name: '[name]',
  text: 'only this one, with its options',
  choices: POLICY_NAMES,
}

export const policies = command({
  name: 'policies',
  summary: 'the policies that say what to refresh next: what each is for, its formula and options, where it comes from',
  args: [NAME],
  examples: ['freshdex policies', 'freshdex policies longevity-curve', 'freshdex policies --json'],
  run([name]) {
    const cards = POLICY_CARDS.filter((card) => name === undefined || card.name === name)
    return {
      json: { default: DEFAULT_POLICY, policies: cards },
      text: cards.map((card) => cardText(card, name !== undefined)).join('\n\n'),
    }
  },
})

function cardText({ name, purpose, formula, paper, bytesPerPage, options }: ListedPolicy, isAlone: boolean): string {
  const words = [...new Set(options.map(optionWord))].join(', ')
  return [
    name === DEFAULT_POLICY ? `${name} (default)` : name,
    `  ${purpose}`,
    `  priority  ${formula}`,
    `  reads     ${count(bytesPerPage, 'byte')} a page`,
    ...(paper === '-' ? [] : [`  from      ${paper}`]),
    ...(isAlone || words === '' ? [] : [`  options   ${words}`]),
    ...(isAlone ? optionsText(name, options) : []),
  ].join('\n')
}

function optionsText(name: string, options: readonly PolicyOption[]): string[] {
  if (options.length === 0) return ['  options   none']
  const rows = options.map((option) => [optionWord(option), option.fallback, valueRule(option), option.text])
  const example = options[0]!
  return [
    '',
    table([['option', 'unless told', 'value', 'meaning'], ...rows]),
    '',
    `--policy ${name}:${optionWord(example)}=${exampleOf(example)}`,
  ]
}

function exampleOf({ kind, choices }: PolicyOption): string {
  return kind === 'time' ? '1d' : kind === 'choice' ? (choices?.at(-1) ?? '') : kind === 'flag' ? 'true' : '3'
}
