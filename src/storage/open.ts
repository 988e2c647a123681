/**
 * Opens the storage that a path and options ask for. SQLite, and everything that works in a folder, is loaded when the
 * first folder is opened: an index in memory needs none of it.
 */
import { type Analyzer, isPresetObject, requireAnalyzer } from '../analysis/analyzer.js'
import type { Gate } from '../base/gate.js'
import { type Clock, clockOption } from '../base/time.js'
import { nextTurn } from '../base/turns.js'
import { QueryEncoder } from '../core/query-wire.js'
import type { ReaderSetup } from '../core/read-state.js'
import { ResultRoom } from '../core/result-room.js'
import {
  type GivenOptions,
  type OpenSettings,
  readOpenOptions,
  refuseDiskOptions,
  resolveDiskOptions,
  resolveOpenOptions,
} from '../options/index-settings.js'
import { type PrioritizerSettings, resolvePrioritizerOptions } from '../refresh/prioritizer-options.js'
import { MemoryStorage } from './memory.js'
import type { SalvageOptions, SalvageReport } from './salvage/salvage.js'
import type { Storage } from './storage.js'

/** The path of an index that lives as long as its object. */
export const IN_MEMORY = ':memory:'

export interface OpenedStorage<D extends object> {
  readonly storage: Storage<D>
  readonly settings: OpenSettings
  readonly prioritizer: PrioritizerSettings
  /** By which all moments are judged. */
  readonly now: Clock
}

export async function openStorage<D extends object>(
  path: string,
  options: unknown,
  gate: Gate,
): Promise<OpenedStorage<D>> {
  const readerSetup =
    (now: Clock) =>
    (settings: OpenSettings): ReaderSetup => ({
      settings,
      now,
      gate,
      queries: new QueryEncoder(settings),
      room: new ResultRoom(),
    })
  if (path === IN_MEMORY) {
    const given = behindGate(readOpenOptions(options), gate)
    const settings = resolveOpenOptions(options === undefined ? undefined : given)
    refuseDiskOptions(given)
    const now = clockOption('now', given.now)
    const prioritizer = resolvePrioritizerOptions(given)
    const storage = new MemoryStorage<D>(readerSetup(now)(settings), { wantsSketches: prioritizer.changeProfiles > 0 })
    return { storage, settings, prioritizer, now }
  }
  const given = behindGate(readOpenOptions(options), gate)
  const now = clockOption('now', given.now)
  const prioritizer = resolvePrioritizerOptions(given)
  const disk = resolveDiskOptions(given)
  const { openFolder } = await import('./open-folder.js')
  await nextTurn()
  const opening = {
    disk,
    now,
    wantsSketches: prioritizer.changeProfiles > 0,
    wantsLedger: prioritizer.workload !== undefined,
    hasPrioritizer: prioritizer.isOn,
  }
  const opened = await openFolder<D>(path, given, opening, readerSetup(now))
  return { ...opened, prioritizer, now }
}

/** An analyzer of the user may be called at any time, by searches, writes and the workload: it never gets in again. */
function behindGate(given: GivenOptions, gate: Gate): GivenOptions {
  const shielded = shieldedAnalyzer('analyzer', given.analyzer, gate)
  const options = shielded === undefined ? given : { ...given, analyzer: shielded }
  const { fields } = given
  // What is no object is left for its check.
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return options
  const entries = Object.entries(fields).map(([name, field]: [string, unknown]) => {
    const { analyzer } = (field ?? {}) as { readonly analyzer?: unknown }
    const own = shieldedAnalyzer(`fields.${name}.analyzer`, analyzer, gate)
    return [name, own === undefined ? field : { ...(field as object), analyzer: own }] as const
  })
  return { ...options, fields: Object.fromEntries(entries) }
}

/** Undefined where it is not of the user. */
function shieldedAnalyzer(option: string, given: unknown, gate: Gate): Analyzer | undefined {
  if (typeof given !== 'object' || given === null || isPresetObject(given)) return undefined
  const own = requireAnalyzer(given, option)
  return {
    name: own.name,
    version: own.version,
    analyze: (text) => gate.shield(() => copied(own.analyze(text))),
    ...(own.normalize && { normalize: (word) => gate.shield(() => own.normalize!(word)) }),
  }
}

/** A list that is read to its end here, so that its getters run here, too; anything else as it is. */
function copied(tokens: readonly string[]): readonly string[] {
  return Array.isArray(tokens) ? [...tokens] : tokens
}

/** Builds a new index from what is intact of a damaged one. The damaged index is only read. */
export async function salvage(path: string, target: string, options?: SalvageOptions): Promise<SalvageReport> {
  const { salvageFolder } = await import('./salvage/salvage.js')
  return salvageFolder(path, target, options)
}
