/** The settings of an index that exists: what its opener says, and for the rest what the catalog remembers. */
import { LANGUAGE_NAMES, type LanguageName, loadLanguage } from '../analysis/languages.js'
import { isPreset } from '../analysis/presets.js'
import { type IndexIdentity, reconcile } from '../catalog/index-identity.js'
import { FreshdexError } from '../errors.js'
import { type GivenOptions, type OpenSettings, resolveOpenOptions } from '../settings.js'

/** MISMATCH where the options contradict the index. */
export async function settingsOfExisting(
  identity: IndexIdentity,
  given: GivenOptions,
  path: string,
): Promise<OpenSettings> {
  const { schema, scoring } = identity
  const { model, k1, b, alpha, beta, boosts, stored } = scoring
  const storedFields = Object.fromEntries(schema.fields.map((name, at) => [name, { boost: boosts[at] }]))
  const weighted = schema.weight === null ? {} : { weight: schema.weight, alpha, beta }
  const storedScoring = { model, ...(model === 'bm25' ? { k1, b } : {}), ...weighted }
  const settings = resolveOpenOptions({
    ...given,
    key: given.key ?? schema.key,
    fields: given.fields ?? storedFields,
    analyzer: given.analyzer ?? (await analyzerNamed(schema.analyzer.name, path)),
    scoring: given.scoring ?? storedScoring,
    store: given.store ?? (stored === 'all' ? true : stored),
  })
  return reconcile(identity, settings, path)
}

async function analyzerNamed(name: string, path: string): Promise<unknown> {
  if (isPreset(name)) return name
  if ((LANGUAGE_NAMES as readonly string[]).includes(name)) return loadLanguage(name as LanguageName)
  const message = `the index '${path}' was made with the analyzer "${name}", which is not one of ours: open it with this analyzer`
  throw new FreshdexError('MISMATCH', message, { detail: { path, option: 'analyzer', stored: name, given: 'none' } })
}
