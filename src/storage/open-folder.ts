/** Opens an index in a folder, making it if there is none. */

import { type AnalyzerIdentity, identityOf, isPreset } from '../analysis/analyzer.js'
import { LANGUAGE_NAMES, type LanguageName, loadLanguage } from '../analysis/languages.js'
import { FreshdexError } from '../base/errors.js'
import { nextTurn } from '../base/turns.js'
import { isWaiting, type WaitingProperties } from '../base/waiting-properties.js'
import { changeIdentity, createCatalog, identityForReading, identityForWriting } from '../catalog/catalog.js'
import { IndexIdentity, reconcile } from '../catalog/identity.js'
import { hasDocuments, waitingProperties } from '../catalog/reindexing.js'
import { StoredView } from '../catalog/stored-view.js'
import { beginMissingHistories } from '../catalog/unrecorded-writes.js'
import { callNative, loadAddon } from '../core/binding.js'
import type { ReaderSetup } from '../core/read-state.js'
import { type ColumnSetting, resolveColumns } from '../options/columns.js'
import { type GivenOptions, type OpenSettings, resolveOpenOptions } from '../options/index-settings.js'
import { DiskStorage } from './disk.js'
import { IndexFolder } from './folder.js'
import { FollowerStorage } from './follower.js'
import { type FolderSetup, hashFor } from './open-core.js'
import type { Storage } from './storage.js'

/** What an opener asks for, beside what the index is. */
export interface OpeningSettings extends Pick<FolderSetup, 'disk' | 'now' | 'wantsSketches' | 'wantsLedger'> {
  /** Somebody keeps account of writes. */
  readonly hasPrioritizer: boolean
}

interface OpenedFolder<D extends object> {
  readonly storage: Storage<D>
  readonly settings: OpenSettings
}

export async function openFolder<D extends object>(
  path: string,
  given: GivenOptions,
  opening: OpeningSettings,
  readerSetup: (settings: OpenSettings) => ReaderSetup,
): Promise<OpenedFolder<D>> {
  const folder = new IndexFolder(path)
  folder.refuseStranger()
  if (!opening.disk.readOnly) return openForWriting<D>(folder, given, opening, readerSetup)
  const core = await coreForReading(folder, given, opening)
  const storage = await FollowerStorage.open<D>(core, readerSetup(core.settings))
  return { storage, settings: core.settings }
}

async function openForWriting<D extends object>(
  folder: IndexFolder,
  given: GivenOptions,
  opening: OpeningSettings,
  readerSetup: (settings: OpenSettings) => ReaderSetup,
): Promise<OpenedFolder<D>> {
  const isDescribed = given.key !== undefined || given.fields !== undefined
  // Before anything is made: options that cannot make an index leave no folder behind.
  if (!folder.hasCatalog) {
    if (!isDescribed) throw folder.notFound()
    resolveOpenOptions(given)
  }
  folder.create()
  const addon = loadAddon()
  const lock = callNative(() => new addon.FileLock(folder.lock))
  try {
    // The addon has been loaded; now SQLite is.
    await nextTurn()
    const core = await coreForWriting(folder, given, opening)
    // SQLite has been loaded and has looked at its file; now it opens it.
    await nextTurn()
    return { storage: await DiskStorage.open<D>(core, lock, readerSetup(core.settings)), settings: core.settings }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** REQUIRES: the lock is held. */
async function coreForWriting(
  folder: IndexFolder,
  given: GivenOptions,
  opening: OpeningSettings,
): Promise<FolderSetup> {
  const existing = identityForWriting(folder.catalog, hashFor)
  if (existing === undefined) {
    if (given.key === undefined && given.fields === undefined) throw folder.notFound()
    const settings = resolveOpenOptions(given)
    folder.refuseLostCatalog()
    const identity = IndexIdentity.create(settings)
    createCatalog(folder.catalog, identity, hashFor)
    return { folder, identity, settings, ...opening }
  }
  const newColumns = addedColumns(existing, given)
  const added = { fields: addedFields(existing, given), columns: newColumns.map(({ name }) => name) }
  const linked = linkedAmong(added.fields, given)
  const grown = existing.withFields(added.fields, linked, analyzersOfAdded(given, added.fields)).withColumns(newColumns)
  const settings = await settingsOfExisting(grown, given, folder.path)
  if (isWaiting(added)) requireStoredProperties(existing, settings, folder, added)
  if (opening.hasPrioritizer) beginMissingHistories(folder.catalog, opening.now())
  const identity = grown.rescored(settings)
  if (identity.text !== existing.text) changeIdentity(folder.catalog, existing, identity, hashFor, added)
  return { folder, identity, settings, waiting: waitingProperties(folder.catalog), ...opening }
}

/** The fields that the options name beside all those of the index; none when they leave any of these out. */
function addedFields({ schema }: IndexIdentity, { fields }: GivenOptions): readonly string[] {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return []
  const names = Object.keys(fields)
  return schema.fields.every((name) => names.includes(name))
    ? names.filter((name) => !schema.fields.includes(name))
    : []
}

/** The analyzers that new fields are given. */
function analyzersOfAdded(given: GivenOptions, added: readonly string[]) {
  if (added.length === 0) return {}
  const { fields } = given as { readonly fields: Readonly<Record<string, unknown>> }
  // What else is said of a field, as that links fill it, is read with the other fields.
  const analyzerOf = (field: unknown) => ({ analyzer: (field as { readonly analyzer?: unknown } | null)?.analyzer })
  const said = Object.fromEntries(added.map((name) => [name, analyzerOf(fields[name])]))
  const settings = resolveOpenOptions({ key: 'key', fields: said })
  const hasOwn = (name: string) => said[name]?.analyzer !== undefined
  const own = added.filter(hasOwn).map((name) => [name, settings.fieldAnalyzers[added.indexOf(name)]] as const)
  return Object.fromEntries(own.map(([name, analyzer]) => [name, identityOf(analyzer as OpenSettings['analyzer'])]))
}

/** The one of these fields that links fill, if any. */
function linkedAmong(names: readonly string[], { fields }: GivenOptions) {
  for (const field of names) {
    const { from } = ((fields as Record<string, unknown>)[field] ?? {}) as { readonly from?: unknown }
    if (typeof from === 'string') return { field, property: from }
  }
  return undefined
}

/** The columns that the options name beside all those of the index; none when they leave any of these out. */
function addedColumns({ schema }: IndexIdentity, { columns }: GivenOptions): readonly ColumnSetting[] {
  const known = (schema.columns ?? []).map(({ name }) => name)
  const given = resolveColumns(columns)
  return known.every((name) => given.some((column) => column.name === name))
    ? given.filter(({ name }) => !known.includes(name))
    : []
}

/** Documents are written anew from what is stored of them: all that is made of them then has to be there. */
function requireStoredProperties(
  { scoring }: IndexIdentity,
  settings: OpenSettings,
  { path, catalog }: IndexFolder,
  { fields, columns }: WaitingProperties,
): void {
  const { links } = settings
  const ownFields = settings.fieldNames.filter((name) => name !== links?.field)
  const isNewLinks = links?.field !== undefined && fields.includes(links.field)
  const others = [settings.scoring.weight, isNewLinks ? links.property : undefined]
  const texts = fields.length === 0 ? [] : ownFields
  const needed = [...texts, ...columns, ...others.filter((name) => name !== undefined)]
  const isStored = (name: string, stored: OpenSettings['stored']) => stored === 'all' || stored.includes(name)
  const missing = needed.find((name) => !isStored(name, scoring.stored) || !isStored(name, settings.stored))
  if (missing === undefined || !hasDocuments(catalog)) return
  const option = fields.length > 0 ? 'fields' : 'columns'
  const names = (option === 'fields' ? fields : columns).map((name) => `"${name}"`).join(', ')
  const message =
    `the index '${path}' cannot be given the ${option === 'fields' ? 'field' : 'column'} ${names}: its documents ` +
    `would be ${option === 'fields' ? 'analysed' : 'read'} again, and "${missing}" is not stored; ` +
    'write them to a new index'
  throw new FreshdexError('MISMATCH', message, { detail: { path, option, missing } })
}

async function coreForReading(
  folder: IndexFolder,
  given: GivenOptions,
  { disk, now }: OpeningSettings,
): Promise<FolderSetup> {
  if (!folder.hasCatalog) throw folder.notFound()
  const view = StoredView.open(folder.catalog)
  try {
    const identity = identityForReading(view, hashFor)
    if (identity === undefined) throw folder.notFound()
    const settings = await settingsOfExisting(identity, given, folder.path)
    return { folder, identity, settings, disk, now, wantsSketches: false }
  } finally {
    view.close()
  }
}

/** The settings of an index that exists: what its opener says, and for the rest what the catalog remembers. */

/** MISMATCH where the options contradict the index. */
export async function settingsOfExisting(
  identity: IndexIdentity,
  given: GivenOptions,
  path: string,
): Promise<OpenSettings> {
  const { schema, scoring } = identity
  const { model, k1, b, alpha, beta, boosts, stored, expires } = scoring
  const { links } = schema
  const fromLinks = (name: string) => (links !== undefined && name === links.field ? { from: links.property } : {})
  const own = new Map<string, { analyzer: unknown }>()
  for (const [name, analyzer] of Object.entries(schema.fieldAnalyzers ?? {})) {
    if (saysAnalyzer(given.fields, name)) continue
    own.set(name, { analyzer: await analyzerNamed(analyzer, path) })
  }
  const storedFields = Object.fromEntries(
    schema.fields.map((name, at) => [name, { boost: boosts[at], ...fromLinks(name), ...own.get(name) }]),
  )
  const weight = links?.isWeight ? { from: links.property } : schema.weight
  const weighted = weight === null ? {} : { weight, alpha, beta }
  const storedScoring = { model, ...(model === 'bm25' ? { k1, b } : {}), ...weighted }
  const settings = resolveOpenOptions({
    ...given,
    key: given.key ?? schema.key,
    fields: given.fields === undefined ? storedFields : withAnalyzers(given.fields, own),
    columns: given.columns ?? Object.fromEntries((schema.columns ?? []).map(({ name, kind }) => [name, kind])),
    // Where the column is left out, that is what is refused.
    expires: given.expires ?? (isDateColumn(given.columns, expires) ? expires : undefined),
    analyzer: given.analyzer ?? (await analyzerNamed(schema.analyzer, path)),
    scoring: given.scoring ?? storedScoring,
    store: given.store ?? (stored === 'all' ? true : stored),
  })
  return reconcile(identity, settings, path)
}

/** Whether the option `columns` has it, or says nothing. */
function isDateColumn(columns: unknown, name: string | undefined): boolean {
  if (typeof columns !== 'object' || columns === null) return true
  return name !== undefined && (columns as Readonly<Record<string, unknown>>)[name] === 'date'
}

/** Whether options say how a field is analysed. */
function saysAnalyzer(fields: unknown, name: string): boolean {
  const field = (fields as Readonly<Record<string, unknown>> | undefined)?.[name]
  return (field as { readonly analyzer?: unknown } | null | undefined)?.analyzer !== undefined
}

/** Fields as they were given, with analyzers that were not. What is no field is left for its check. */
function withAnalyzers(fields: unknown, own: ReadonlyMap<string, object>): unknown {
  if (own.size === 0 || typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields
  const merged = Object.entries(fields).map(([name, field]: [string, unknown]) => {
    const isObject = typeof field === 'object' && field !== null && !Array.isArray(field)
    return [name, isObject && own.has(name) ? { ...field, ...own.get(name) } : field]
  })
  return Object.fromEntries(merged)
}

async function analyzerNamed({ name, foldAccents = false }: AnalyzerIdentity, path: string): Promise<unknown> {
  if (isPreset(name)) return { name, foldAccents }
  if ((LANGUAGE_NAMES as readonly string[]).includes(name)) return loadLanguage(name as LanguageName)
  const message =
    `the index '${path}' was made with the analyzer "${name}", which is not one of ours: ` +
    'open it with this analyzer'
  throw new FreshdexError('MISMATCH', message, { detail: { path, option: 'analyzer', stored: name, given: 'none' } })
}
