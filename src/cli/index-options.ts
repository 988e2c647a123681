/** What an index is, as the command line says it. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { LANGUAGE_NAMES, type LanguageName, loadLanguage } from '../analysis/languages.js'
import { isPreset, PRESET_NAMES } from '../analysis/presets.js'
import type { Durability } from '../catalog/connection.js'
import type { FieldOptions, OpenOptions, ScoringModel } from '../options.js'
import type { Document } from './open-index.js'
import { nameList } from './option-values.js'

export interface GivenIndexOptions {
  readonly key?: string
  readonly field?: Readonly<Record<string, FieldOptions>>
  readonly analyzer?: string
  readonly scoring?: ScoringModel
  readonly weight?: string
  readonly store?: boolean | readonly string[]
  readonly durability?: Durability
}

export function addIndexOptions(command: Command): Command {
  return command
    .optionsGroup('Of a new index (one that exists knows):')
    .option('--key <name>', 'the property that identifies a document')
    .option('--field <name[:boost]>', 'a property to search; once for each', addField)
    .addOption(new Option('--analyzer <name>', 'how text becomes words').choices([...PRESET_NAMES, ...LANGUAGE_NAMES]))
    .addOption(new Option('--scoring <model>', 'how hits are scored').choices(['bm25', 'tfidf']))
    .option('--weight <name>', 'a numeric property that is added to the score')
    .option('--store <what>', 'what can be given back: all, none, or names with commas between them', storeValue)
    .optionsGroup('Options:')
    .addOption(new Option('--durability <what>', 'what a written batch survives').choices(['process', 'power']))
}

export async function toOpenOptions(given: GivenIndexOptions): Promise<OpenOptions<Document>> {
  const { key, field: fields, scoring: model, weight, store, durability } = given
  const analyzer = given.analyzer === undefined ? undefined : await analyzerNamed(given.analyzer)
  const scoring = weight === undefined ? model : { ...(model && { model }), weight }
  const options = { key, fields, analyzer, scoring, store, durability }
  // What was not given must be absent: an index that exists fills it in.
  const said = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said) as unknown as OpenOptions<Document>
}

async function analyzerNamed(name: string): Promise<OpenOptions<Document>['analyzer'] & {}> {
  return isPreset(name) ? name : loadLanguage(name as LanguageName)
}

/** The last colon stands before the boost, so that a name with a colon needs one: `dc:title:1`. */
function addField(text: string, sofar: Readonly<Record<string, FieldOptions>> = {}) {
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

function storeValue(text: string): boolean | readonly string[] {
  return text === 'all' ? true : text === 'none' ? false : nameList(text)
}
