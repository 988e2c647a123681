/** Fields as the command line names them: --field title:2 --field body. */
import { InvalidArgumentError } from 'commander'
import type { FieldOptions } from '../../index.js'

/** The last colon stands before the boost, so that a name with a colon needs a boost: `dc:title:1`. */
export function addField(text: string, sofar: Readonly<Record<string, FieldOptions>> = {}) {
  const colon = text.lastIndexOf(':')
  const name = colon === -1 ? text : text.slice(0, colon)
  const boost = colon === -1 ? undefined : text.slice(colon + 1)
  if (name === '') throw new InvalidArgumentError('It must have a name.')
  if (Object.hasOwn(sofar, name)) throw new InvalidArgumentError(`The field "${name}" was given before.`)
  if (boost === undefined) return { ...sofar, [name]: {} }
  if (!/^\d+(?:\.\d+)?$/.test(boost)) {
    throw new InvalidArgumentError('Behind the last colon there must be a boost, a number such as 2 or 0.5.')
  }
  return { ...sofar, [name]: { boost: Number(boost) } }
}
