import { existsSync } from 'node:fs'
import path from 'node:path'
import { type AnalyzerChoice, isPreset, PRESET_NAMES } from '../../analysis/analyzer.js'
import {
  type FieldOptions,
  type Freshdex,
  FreshdexError,
  type IndexStats,
  LANGUAGE_NAMES,
  type LanguageName,
  loadLanguage,
  type OpenOptions,
} from '../../index.js'
import { command } from '../command.js'
import { type Document, withIndex, withReader } from '../index-access.js'
import { addField } from '../input/field-option.js'
import { newFolderAt } from '../new-folder.js'
import { choice, folder, INDEX_FOLDER, optional } from '../options.js'
import { count } from '../output/wording.js'

const OPTIONS = {
  analyzer: choice('<name>', 'how text becomes words (default: as in the index)', [...PRESET_NAMES, ...LANGUAGE_NAMES]),
  field: optional('<name[:boost]>', 'a property to search; once for each (default: as in the index)', addField),
}

export const reindex = command({
  name: 'reindex',
  summary: 'make a new index from the stored documents of another one, with another analyzer or other fields',
  args: [INDEX_FOLDER, { name: '<new>', text: 'the folder to make', read: folder }],
  options: OPTIONS,
  examples: ['freshdex reindex pages.idx pages-english.idx --analyzer english'],
  async run([dir, target], { analyzer, field }) {
    if (existsSync(path.join(target, 'catalog.db')))
      throw new FreshdexError('EXISTS', 'there is an index at the new place already; name a folder that is not there')
    const removeNew = newFolderAt(target)
    let isMade = false
    try {
      const done = await withReader(dir, async (from) => {
        const options = await optionsLike(from.stats(), analyzer, field)
        return withIndex(target, options, async (to) => {
          isMade = true
          return copied(from, to)
        })
      })
      const queries = done.queries === 0 ? '' : `; ${count(done.queries, 'query', 'queries')} taken along`
      return { json: done, text: `${count(done.documents, 'document')} analysed into ${target}${queries}` }
    } catch (error) {
      if (isMade) removeNew()
      throw error
    }
  },
})

async function copied(from: Freshdex<Document>, to: Freshdex<Document>) {
  const { key, fields } = to.stats()
  const names = Object.keys(fields)
  const { documents } = await to.load(from.documents())
  if (documents > 0 && Object.values(to.stats().fields).every((field) => field.documents === 0)) {
    const message = `the index stores none of the fields ${names.join(', ')}: there is nothing to make a new one from`
    throw new FreshdexError('NOT_SUPPORTED', message)
  }
  const asked = from.workload.queries({ limit: Number.MAX_SAFE_INTEGER })
  const { recorded } = await to.workload.load(asked.map(({ query, weight }) => [query, weight] as const))
  return { key, fields: names, documents, queries: recorded }
}

/** What an index is, but for what the options say. */
async function optionsLike(
  { key, fields, columns, expires, analyzer, fieldAnalyzers = {}, scoring }: IndexStats,
  analyzerName: string | undefined,
  field: OpenOptions<Document>['fields'] | undefined,
): Promise<OpenOptions<Document>> {
  const { boosts, weight, ...model } = scoring
  const weighted = weight && { weight: weight.property, alpha: weight.alpha, beta: weight.beta }
  const same: [string, FieldOptions][] = Object.keys(fields).map((name) => [name, { boost: boosts[name] ?? 1 }])
  for (const entry of same) {
    const own = Object.hasOwn(fieldAnalyzers, entry[0]) ? fieldAnalyzers[entry[0]] : undefined
    if (own !== undefined) entry[1] = { ...entry[1], analyzer: await analyzerLike(own) }
  }
  return {
    key,
    fields: field ?? Object.fromEntries(same),
    ...(Object.keys(columns).length === 0 ? {} : { columns }),
    ...(expires === undefined ? {} : { expires }),
    analyzer: await analyzerLike(analyzerName === undefined ? analyzer : { name: analyzerName, foldAccents: true }),
    scoring: { ...model, ...weighted },
  }
}

async function analyzerLike({
  name,
  foldAccents = false,
}: Pick<IndexStats['analyzer'], 'name' | 'foldAccents'>): Promise<AnalyzerChoice> {
  return isPreset(name) ? { name, foldAccents } : loadLanguage(name as LanguageName)
}
