/**
 * What an index is and cannot stop being: its key, its fields, its columns, its analyzer, its hash seed; and how it was
 * last scored, which may change. Kept as two rows of JSON in the table meta.
 */
import { randomBytes } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { type AnalyzerIdentity, identityOf } from '../analysis/analyzer.js'
import { describe } from '../base/describe.js'
import { FreshdexError } from '../base/errors.js'
import type { ColumnSetting } from '../options/columns.js'
import type { OpenSettings } from '../options/index-settings.js'
import type { StoredProperties } from '../options/stored-form.js'
import { corrupt } from './state.js'

interface IndexSchema {
  /** 16 bytes, hexadecimal; the header of every segment has them. */
  readonly id: string
  /** The seed of the hashes of texts, chunks and stored forms: 8 bytes, hexadecimal, little endian. */
  readonly seed: string
  readonly key: string
  /** In the order of their numbers. */
  readonly fields: readonly string[]
  /** In the order of their numbers; absent without columns. */
  readonly columns?: readonly ColumnSetting[]
  /** Without `foldAccents`, accents are kept. */
  readonly analyzer: AnalyzerIdentity
  /** Of the fields that have one of their own. */
  readonly fieldAnalyzers?: Readonly<Record<string, AnalyzerIdentity>>
  readonly weight: string | null
  /** Absent where the index reads no links. `field`: null for none. */
  readonly links?: { readonly property: string; readonly field: string | null; readonly isWeight: boolean }
}

interface StoredScoring {
  readonly model: OpenSettings['scoring']['model']
  readonly k1: number
  readonly b: number
  readonly alpha: number
  readonly beta: number
  /** By field number. */
  readonly boosts: readonly number[]
  readonly stored: StoredProperties
  /** The date column that says until when a document is found; absent where none does. */
  readonly expires?: string
}

export class IndexIdentity {
  readonly schema: IndexSchema
  readonly scoring: StoredScoring
  /** Schema and scoring, as the checksum of the state covers them. */
  readonly text: string
  readonly #schemaText: string
  readonly #scoringText: string

  private constructor(schemaText: string, scoringText: string) {
    this.#schemaText = schemaText
    this.#scoringText = scoringText
    this.schema = JSON.parse(schemaText) as IndexSchema
    this.scoring = JSON.parse(scoringText) as StoredScoring
    if (!/^[0-9a-f]{32}$/.test(this.schema.id) || !/^[0-9a-f]{16}$/.test(this.schema.seed)) throw new Error('malformed')
    this.text = `${schemaText}\n${scoringText}`
  }

  /**
   * The identity of a new index. The seed is secret and different each time, so that nobody can prepare texts that
   * collide.
   */
  static create(settings: OpenSettings, seed = randomBytes(8).toString('hex')): IndexIdentity {
    const schema: IndexSchema = {
      id: randomBytes(16).toString('hex'),
      seed,
      key: settings.key,
      fields: settings.fieldNames,
      ...(settings.columns.length === 0 ? {} : { columns: settings.columns }),
      analyzer: identityOf(settings.analyzer),
      ...ownAnalyzers(settings),
      weight: settings.scoring.weight ?? null,
      ...linkSchema(settings.links),
    }
    return new IndexIdentity(JSON.stringify(schema), scoringText(settings, settings.fieldNames))
  }

  /** The same index, scored and stored as `settings` say. */
  rescored(settings: OpenSettings): IndexIdentity {
    return new IndexIdentity(this.#schemaText, scoringText(settings, this.schema.fields))
  }

  /**
   * The same index with more fields, behind those that it has. `linked`: the one of them that links fill; `analyzers`:
   * those of fields with one of their own.
   */
  withFields(
    added: readonly string[],
    linked?: { readonly property: string; readonly field: string },
    analyzers: IndexSchema['fieldAnalyzers'] = {},
  ): IndexIdentity {
    const known = this.schema.links
    const isNew = linked !== undefined && !known?.field
    const own = { ...this.schema.fieldAnalyzers, ...analyzers }
    const schema: IndexSchema = {
      ...this.schema,
      fields: [...this.schema.fields, ...added],
      ...(Object.keys(own).length === 0 ? {} : { fieldAnalyzers: own }),
      ...(isNew ? { links: { isWeight: false, ...linked, ...known, field: linked.field } } : {}),
    }
    const scoring: StoredScoring = { ...this.scoring, boosts: [...this.scoring.boosts, ...added.map(() => 1)] }
    return new IndexIdentity(JSON.stringify(schema), JSON.stringify(scoring))
  }

  /** The same index with more columns, behind those that it has. */
  withColumns(added: readonly ColumnSetting[]): IndexIdentity {
    if (added.length === 0) return this
    const schema: IndexSchema = { ...this.schema, columns: [...(this.schema.columns ?? []), ...added] }
    return new IndexIdentity(JSON.stringify(schema), this.#scoringText)
  }

  /** Only the form is verified here: the checksum of the state covers the content. */
  static read(db: Database): IndexIdentity {
    const value = db.prepare('SELECT value FROM meta WHERE name = ?').pluck()
    const [schema, scoring] = [value.get('schema'), value.get('scoring')]
    if (typeof schema !== 'string' || typeof scoring !== 'string')
      throw corrupt(db, 'it does not say what the index is')
    try {
      return new IndexIdentity(schema, scoring)
    } catch {
      throw corrupt(db, 'what it says of the index is malformed')
    }
  }

  /** REQUIRES: a transaction is open, which also saves a state whose checksum covers this identity. */
  save(db: Database): void {
    const insert = db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)')
    insert.run('schema', this.#schemaText)
    insert.run('scoring', this.#scoringText)
  }

  get seed(): bigint {
    return Buffer.from(this.schema.seed, 'hex').readBigUInt64LE()
  }

  get id(): Uint8Array {
    return Buffer.from(this.schema.id, 'hex')
  }
}

/**
 * `settings` with the fields in the order of the index; MISMATCH where they say otherwise than the index about anything
 * that its postings depend on.
 */
export function reconcile(identity: IndexIdentity, settings: OpenSettings, path: string): OpenSettings {
  const { key, fields, columns = [], analyzer, weight, links } = identity.schema
  refuse(path, 'key', key, settings.key)
  refuse(path, 'fields', [...fields].sort().join(', '), [...settings.fieldNames].sort().join(', '))
  refuse(path, 'columns', columnsText(columns), columnsText(settings.columns))
  refuseAnalyzer(path, '', analyzer, identityOf(settings.analyzer))
  for (const [at, name] of settings.fieldNames.entries()) {
    const given = identityOf(settings.fieldAnalyzers[at] as OpenSettings['analyzer'])
    refuseAnalyzer(path, ` of the field ${name}`, ownAnalyzerOf(identity.schema, name) ?? analyzer, given)
  }
  const weightOf = (from: { isWeight: boolean; property: string } | undefined, name: string | null | undefined) =>
    from?.isWeight ? `links "${from.property}"` : (name ?? 'none')
  refuse(path, 'scoring.weight', weightOf(links, weight), weightOf(settings.links, settings.scoring.weight))
  const field = links?.field
  refuse(path, 'field of links', field ?? 'none', settings.links?.field ?? 'none')
  if (field !== null && field !== undefined)
    refuse(path, `fields.${field}.from`, links?.property as string, settings.links?.property ?? 'none')
  const boosts = fields.map((name) => settings.fieldBoosts[settings.fieldNames.indexOf(name)] ?? 1)
  const analyzers = fields.map(
    (name) => settings.fieldAnalyzers[settings.fieldNames.indexOf(name)] ?? settings.analyzer,
  )
  return { ...settings, fieldNames: fields, fieldBoosts: boosts, fieldAnalyzers: analyzers, columns }
}

/** Such as "draft: boolean, section: keyword": each column with its kind, whatever their order. */
function columnsText(columns: readonly ColumnSetting[]): string {
  return columns.length === 0
    ? 'none'
    : columns
        .map(({ name, kind }) => `${name}: ${kind}`)
        .sort()
        .join(', ')
}

function linkSchema(links: OpenSettings['links']): Pick<IndexSchema, 'links'> {
  return links === undefined ? {} : { links: { ...links, field: links.field ?? null } }
}

function ownAnalyzerOf({ fieldAnalyzers = {} }: IndexSchema, field: string): AnalyzerIdentity | undefined {
  return Object.hasOwn(fieldAnalyzers, field) ? fieldAnalyzers[field] : undefined
}

function refuseAnalyzer(path: string, where: string, stored: AnalyzerIdentity, given: AnalyzerIdentity): void {
  refuse(path, `analyzer${where}`, stored.name, given.name)
  refuse(path, `analyzer version${where}`, stored.version, given.version)
  refuse(path, `foldAccents${where}`, String(stored.foldAccents ?? false), String(given.foldAccents ?? false))
}

/** The analyzers of fields that are not that of the index. */
export function ownAnalyzers(
  { analyzer, fieldAnalyzers, fieldNames }: Pick<OpenSettings, 'analyzer' | 'fieldAnalyzers' | 'fieldNames'>,
  names: readonly string[] = fieldNames,
): Pick<IndexSchema, 'fieldAnalyzers'> {
  const own = fieldNames.flatMap((name, at) => {
    const used = fieldAnalyzers[at] as OpenSettings['analyzer']
    return used === analyzer || !names.includes(name) ? [] : [[name, identityOf(used)] as const]
  })
  return own.length === 0 ? {} : { fieldAnalyzers: Object.fromEntries(own) }
}

function refuse(path: string, what: string, stored: string, given: string): void {
  if (stored === given) return
  const message = `the index '${path}' has the ${what} ${describe(stored)}, but was opened with ${describe(given)}`
  throw new FreshdexError('MISMATCH', message, { detail: { path, option: what, stored, given } })
}

function scoringText(settings: OpenSettings, fields: readonly string[]): string {
  const { model, k1, b, alpha, beta } = settings.scoring
  const boosts = fields.map((name) => settings.fieldBoosts[settings.fieldNames.indexOf(name)] ?? 1)
  const expires = settings.expires === undefined ? {} : { expires: settings.expires }
  const scoring: StoredScoring = { model, k1, b, alpha, beta, boosts, stored: settings.stored, ...expires }
  return JSON.stringify(scoring)
}
