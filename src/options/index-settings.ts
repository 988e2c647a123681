/** The options of an index, checked and with all defaults filled in. */
import {
  type Analyzer,
  isPreset,
  isPresetObject,
  PRESET_NAMES,
  type PresetName,
  type PresetVariant,
  presetVariant,
  requireAnalyzer,
} from '../analysis/analyzer.js'
import { MAX_BOOST } from '../base/amounts.js'
import {
  amountOption,
  booleanOption,
  choiceOption,
  nameListOption,
  nameOption,
  numberOption,
  readOptions,
} from '../base/checks.js'
import { describe } from '../base/describe.js'
import { type PinTable, pinsOption } from '../search/pins.js'
import { type SynonymTable, synonymsOption } from '../search/synonyms.js'
import { type ColumnSetting, resolveColumns, resolveExpires } from './columns.js'
import type { Durability, ScoringModel } from './index-options.js'
import type { StoredFormat, StoredProperties } from './stored-form.js'

/** Open options after validation, all defaults filled in. */
export interface OpenSettings {
  readonly key: string
  readonly fieldNames: readonly string[]
  readonly fieldBoosts: readonly number[]
  /** In the order of their numbers. */
  readonly columns: readonly ColumnSetting[]
  /** The date column that says until when a document is found. */
  readonly expires: string | undefined
  readonly analyzer: PresetVariant | Analyzer
  /** By field; that of the index for fields that name none. */
  readonly fieldAnalyzers: readonly (PresetVariant | Analyzer)[]
  readonly scoring: {
    readonly model: ScoringModel
    readonly k1: number
    readonly b: number
    readonly weight: string | undefined
    readonly alpha: number
    readonly beta: number
  }
  /** Undefined where the index reads no links. */
  readonly links: LinkSettings | undefined
  readonly stored: StoredProperties
  readonly storedAs: StoredFormat
  readonly documentBytes: number
  /** Bytes; undefined: no limit. Not kept with the index. */
  readonly maxMemory: number | undefined
  /** Not kept with the index. */
  readonly synonyms: SynonymTable | undefined
  /** Not kept with the index. */
  readonly pins: PinTable | undefined
}

/** What an index makes of the links of its documents. */
export interface LinkSettings {
  /** The property that holds the links of a document. */
  readonly property: string
  /** The field that their texts fill at the target, if any. */
  readonly field: string | undefined
  /** Whether their number is the weight of the target. */
  readonly isWeight: boolean
}

/** Options of an index in a folder after validation. */
export interface DiskSettings {
  readonly durability: Durability
  readonly readOnly: boolean
  readonly pollMs: number
  readonly mapped: boolean
  readonly logBytes: number
  readonly foldPostings: number
  readonly phrasePages: number
  readonly packRecords: boolean
  readonly partitionBytes: number
}

/** A query names its fields by the bits of a 32-bit mask. */
const MAX_FIELDS = 32

const DEFAULT_DOCUMENT_BYTES = 16 * 1024 * 1024
/** A document has to fit into a batch. */
const MAX_DOCUMENT_BYTES = 1024 * 1024 * 1024

const DISK_OPTION_NAMES = ['durability', 'readOnly', 'pollMs', 'mapped', 'upkeep'] as const
const OPEN_OPTION_NAMES = [
  'key',
  'fields',
  'columns',
  'expires',
  'analyzer',
  'scoring',
  'store',
  'storeAs',
  'limits',
  'synonyms',
  'pins',
  'prioritizer',
  'workload',
  'refresh',
  'changeProfiles',
  'maxMemory',
  'now',
  ...DISK_OPTION_NAMES,
] as const

/** Open options as given, each read once. */
export type GivenOptions = { readonly [Name in (typeof OPEN_OPTION_NAMES)[number]]?: unknown }

export function readOpenOptions(options: unknown): GivenOptions {
  return readOptions('open', options, OPEN_OPTION_NAMES)
}

/** Refuses options that have no meaning for an index in memory. */
export function refuseDiskOptions(given: GivenOptions): void {
  const name = DISK_OPTION_NAMES.find((name) => given[name] !== undefined)
  if (name !== undefined) throw new TypeError(`${name} is for an index in a folder, not for one in memory`)
}

const UPKEEP_OPTION_NAMES = ['logBytes', 'foldPostings', 'phrasePages', 'packRecords', 'partitionBytes'] as const

export function resolveDiskOptions(given: GivenOptions): DiskSettings {
  const upkeep = readOptions('upkeep', given.upkeep, UPKEEP_OPTION_NAMES)
  const readOnly = booleanOption('readOnly', given.readOnly, false)
  const isUseless = readOnly ? given.durability !== undefined : given.pollMs !== undefined
  if (isUseless)
    throw new TypeError(readOnly ? 'durability is for a writer, not with readOnly' : 'pollMs needs readOnly')
  const positive = { min: 1, integer: true, max: Number.MAX_SAFE_INTEGER }
  return {
    durability: choiceOption('durability', given.durability, 'process', ['power', 'process']),
    readOnly,
    mapped: booleanOption('mapped', given.mapped, true),
    pollMs: numberOption('pollMs', given.pollMs, 100, { min: 1, max: 2 ** 31 - 1 }),
    logBytes: numberOption('upkeep.logBytes', upkeep.logBytes, 8 * 1024 * 1024, positive),
    foldPostings: numberOption('upkeep.foldPostings', upkeep.foldPostings, 8192, positive),
    phrasePages: numberOption('upkeep.phrasePages', upkeep.phrasePages, 256, { ...positive, max: 2 ** 32 - 1 }),
    packRecords: booleanOption('upkeep.packRecords', upkeep.packRecords, false),
    partitionBytes: numberOption('upkeep.partitionBytes', upkeep.partitionBytes, 8 * 1024 * 1024, positive),
  }
}

export function resolveOpenOptions(options: unknown): OpenSettings {
  if (options === undefined) throw new TypeError('open needs options with at least key and fields')
  const given = readOpenOptions(options)
  const key = nameOption('key', given.key)
  const analyzer = resolveAnalyzer('analyzer', given.analyzer)
  const columns = resolveColumns(given.columns)
  const { documentBytes } = readOptions('limits', given.limits, ['documentBytes'])
  const { linked, ...fields } = resolveFields(given.fields, analyzer)
  const { weightFrom, ...scoring } = resolveScoring(given.scoring)
  return {
    key,
    ...fields,
    columns,
    expires: resolveExpires(given.expires, columns),
    analyzer,
    scoring,
    links: resolveLinks(key, fields.fieldNames, linked, weightFrom),
    stored: resolveStore(given.store),
    storedAs: choiceOption<StoredFormat>('storeAs', given.storeAs, 'msgpack', ['msgpack', 'json']),
    documentBytes: numberOption('limits.documentBytes', documentBytes, DEFAULT_DOCUMENT_BYTES, {
      min: 1,
      max: MAX_DOCUMENT_BYTES,
      integer: true,
    }),
    maxMemory:
      given.maxMemory === undefined
        ? undefined
        : numberOption('maxMemory', given.maxMemory, 0, { min: 1, max: Number.MAX_SAFE_INTEGER, integer: true }),
    synonyms: synonymsOption('synonyms', given.synonyms),
    pins: pinsOption(given.pins),
  }
}

interface LinkedField {
  readonly name: string
  readonly from: string
}

interface ResolvedFields extends Pick<OpenSettings, 'fieldNames' | 'fieldBoosts' | 'fieldAnalyzers'> {
  /** The field that links fill. */
  readonly linked: LinkedField | undefined
}

function resolveFields(value: unknown, analyzer: OpenSettings['analyzer']): ResolvedFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`fields must be an object such as { title: { boost: 2 } }, received ${describe(value)}`)
  }
  const fieldNames = Object.keys(value)
  if (fieldNames.length < 1 || fieldNames.length > MAX_FIELDS) {
    throw new RangeError(`fields must name 1 to ${MAX_FIELDS} properties, received ${fieldNames.length}`)
  }
  let linked: LinkedField | undefined
  const fieldAnalyzers: (PresetVariant | Analyzer)[] = []
  const fieldBoosts = fieldNames.map((name) => {
    if (name === '') throw new TypeError('fields must not name the empty property')
    const field = (value as Record<string, unknown>)[name]
    if (field === undefined) throw new TypeError(`fields.${name} must be an object, received undefined`)
    const { boost, from, analyzer: own } = readOptions(`fields.${name}`, field, ['boost', 'from', 'analyzer'])
    if (from !== undefined) {
      if (linked !== undefined) throw new TypeError(`one field is filled by links, not both ${linked.name} and ${name}`)
      linked = { name, from: nameOption(`fields.${name}.from`, from) }
    }
    fieldAnalyzers.push(own === undefined ? analyzer : resolveAnalyzer(`fields.${name}.analyzer`, own))
    return amountOption(`fields.${name}.boost`, boost, 1, { max: MAX_BOOST })
  })
  if (linked !== undefined && fieldNames.length === 1)
    throw new TypeError(`fields must name a field of the documents beside "${fieldNames[0]}", which links fill`)
  return { fieldNames, fieldBoosts, fieldAnalyzers, linked }
}

function resolveLinks(
  key: string,
  fieldNames: readonly string[],
  linked: LinkedField | undefined,
  weightFrom: string | undefined,
): LinkSettings | undefined {
  const property = linked?.from ?? weightFrom
  if (property === undefined) return undefined
  if (weightFrom !== undefined && weightFrom !== property) {
    throw new TypeError(
      `links come from one property: fields.${linked?.name}.from is ${describe(property)}, ` +
        `scoring.weight.from is ${describe(weightFrom)}`,
    )
  }
  if (property === key || fieldNames.includes(property))
    throw new TypeError(`links must come from a property of their own, and "${property}" is the key or a field`)
  return { property, field: linked?.name, isWeight: weightFrom !== undefined }
}

function resolveAnalyzer(option: string, value: unknown): PresetVariant | Analyzer {
  if (value === undefined) return 'standard'
  if (isPresetObject(value)) {
    const { name, foldAccents } = readOptions(option, value, ['name', 'foldAccents'])
    return presetVariant(preset(`${option}.name`, name), booleanOption(`${option}.foldAccents`, foldAccents, true))
  }
  return typeof value === 'string' ? preset(option, value) : requireAnalyzer(value, option)
}

function preset(option: string, value: unknown): PresetName {
  if (typeof value === 'string' && isPreset(value)) return value
  const presets = PRESET_NAMES.map((name) => `'${name}'`).join(', ')
  throw new RangeError(
    `${option} must be ${presets} or an Analyzer, received ${describe(value)}; ` +
      'other languages: await loadLanguage(name)',
  )
}

function resolveScoring(value: unknown): OpenSettings['scoring'] & { readonly weightFrom: string | undefined } {
  const isModel = typeof value === 'string'
  const given = readOptions('scoring', isModel ? undefined : value, ['model', 'k1', 'b', 'weight', 'alpha', 'beta'])
  const model = choiceOption('scoring', isModel ? value : given.model, 'bm25', ['bm25', 'tfidf'])
  // An option without effect is as misleading as a misspelt one.
  for (const name of ['k1', 'b'] as const) {
    if (model !== 'bm25' && given[name] !== undefined) throw new TypeError(`scoring.${name} belongs to the model bm25`)
  }
  for (const name of ['alpha', 'beta'] as const) {
    if (given.weight === undefined && given[name] !== undefined) {
      throw new TypeError(`scoring.${name} needs scoring.weight`)
    }
  }
  const isFromLinks = typeof given.weight === 'object' && given.weight !== null
  const { from } = readOptions('scoring.weight', isFromLinks ? given.weight : undefined, ['from'])
  const weightFrom = isFromLinks ? nameOption('scoring.weight.from', from) : undefined
  const weight = given.weight === undefined || isFromLinks ? undefined : nameOption('scoring.weight', given.weight)
  return {
    weightFrom,
    model,
    k1: amountOption('scoring.k1', given.k1, 1.2),
    b: numberOption('scoring.b', given.b, 0.75, { min: 0, max: 1 }),
    weight,
    alpha: amountOption('scoring.alpha', given.alpha, 1),
    // Without a weight property every weight is 0; a beta of 0 says so to the core.
    beta: amountOption('scoring.beta', given.beta, given.weight === undefined ? 0 : 1),
  }
}

function resolveStore(value: unknown): StoredProperties {
  if (value === undefined || value === true) return 'all'
  if (value === false) return []
  if (!Array.isArray(value)) {
    throw new TypeError(`store must be true, false or a list of names, received ${describe(value)}`)
  }
  return nameListOption('store', value)
}

/** Whether the stored form of a document has its links. */
export function hasStoredLinks({ links, stored }: Pick<OpenSettings, 'links' | 'stored'>): boolean {
  return links !== undefined && (stored === 'all' || stored.includes(links.property))
}
