/** What the library says of its own options, in the words of the command line. */
import { REPLAY_HINT } from '../base/time.js'
import type { OptionTable } from './options.js'

/** How the options of `next`, `plan` and the others are called where the library calls them otherwise. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  fields: 'field',
  'scoring.weight': 'weight',
  budgetShare: 'budgets',
  resourceShare: 'resources',
  maxQueries: 'max',
}

/** `perHost` is `--per-host`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/**
 * A message of the library about an option that the command has, too: `minIntervalMs must be …` becomes
 * `--min-interval must be …`. A name that is also an ordinary word is replaced only where the message begins with it.
 */
export function inOptionWords(message: string, options: OptionTable): string {
  const names = Object.keys(options)
  const said = message.replace(REPLAY_HINT, '')
  const known = (name: string) => names.find((own) => own === name || own === OTHER_NAMES[name])
  const begun = said.replace(/^([a-z]+(?:\.[a-z]+)?)(?= (?:must|names?|needs?) )/, (name) => flagIn(known(name), name))
  const negated = begun.replaceAll(/\b([a-z]+(?:[A-Z][a-z]+)*): false\b/g, (text, name: string) => {
    return names.includes(name) ? flagOf(name).replace('--', '--no-') : text
  })
  return negated.replaceAll(/(?<!["'\w-])[a-z]+(?:[A-Z][a-z]+)+\b/g, (text) =>
    flagIn(known(text.replace(/Ms$/, '')), text),
  )
}

function flagIn(name: string | undefined, otherwise: string): string {
  return name === undefined ? otherwise : flagOf(name)
}
