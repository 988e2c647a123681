/**
 * A policy as the command line has it: its name, perhaps with options, such as
 * `longevity-curve:risk=30,weight=stake`.
 */
import { InvalidArgumentError } from 'commander'
import { POLICY_CARDS, POLICY_NAMES, type PolicyChoice, type PolicyName, type PolicyOption } from '../../index.js'
import { parseSpan, SPAN_RULE } from './values.js'

/** InvalidArgumentError, which names what there is, for a text that is no policy. */
export function readPolicy(text: string): PolicyChoice {
  const [name = '', ...rest] = text.split(':')
  const card = POLICY_CARDS.find((each) => each.name === name)
  if (card === undefined) {
    throw new InvalidArgumentError(
      `It must be one of ${POLICY_NAMES.join(', ')}; ` +
        'options follow a colon, such as longevity-curve:risk=30,weight=stake.',
    )
  }
  if (rest.length === 0) return card.name
  const given = rest.join(':').split(',')
  const options = Object.fromEntries(given.map((part) => readOption(card.name, card.options, part)))
  // The library checks the values.
  return { name: card.name, ...options } as PolicyChoice
}

/** `learningMs` is `learning`, `refreshesPerDay` is `refreshes-per-day`. */
export function optionWord({ name }: PolicyOption): string {
  return name.replace(/Ms$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export function policyText(choice: PolicyChoice): string {
  return typeof choice === 'string' ? choice : choice.name
}

function readOption(policy: PolicyName, options: readonly PolicyOption[], part: string): [string, unknown] {
  const [word = '', ...values] = part.split('=')
  const named = options.filter((option) => optionWord(option) === word)
  if (named.length === 0) {
    const words = [...new Set(options.map(optionWord))].join(', ')
    const has = options.length === 0 ? `${policy} has no options.` : `The options of ${policy} are ${words}.`
    throw new InvalidArgumentError(`${has} freshdex policies ${policy} says what they mean.`)
  }
  const value = values.join('=')
  for (const option of named) {
    const read = readValue(option, value)
    if (read !== undefined) return [option.name, read]
  }
  throw new InvalidArgumentError(`${word} of ${policy} must be ${named.map(valueRule).join(', or ')}.`)
}

function readValue({ kind, choices }: PolicyOption, text: string): unknown {
  const isNumber = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)
  switch (kind) {
    case 'number':
      return isNumber ? Number(text) : undefined
    case 'time':
      return isNumber ? Number(text) : parseSpan(text)
    case 'choice':
      return choices?.includes(text) === true ? text : undefined
    case 'flag':
      return text === 'true' || text === '' ? true : text === 'false' ? false : undefined
  }
}

export function valueRule({ kind, choices = [] }: PolicyOption): string {
  switch (kind) {
    case 'number':
      return 'a number'
    case 'time':
      return `${SPAN_RULE}, or milliseconds`
    case 'choice':
      return choices.join(' or ')
    case 'flag':
      return 'true or false'
  }
}
