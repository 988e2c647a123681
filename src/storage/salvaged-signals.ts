/** Sites and what is known of their signals, as far as their rows can be read: see salvaged-refresh.ts. */
import { type SignalCommit, TRUST_COLUMNS } from '../catalog/signal-rows.js'
import { EVIDENCE_KINDS } from '../refresh/signals/site-evidence.js'
import { soundSignals } from '../refresh/stored-signals.js'
import type { SalvageSource } from './salvage-source.js'

export interface SalvagedSignals {
  readonly commit: SignalCommit | undefined
  readonly counts: { readonly kept: number; readonly lost: number }
  has(site: number): boolean
}

export function salvageSignals(source: SalvageSource): SalvagedSignals {
  if (source.columnsOf('sites').size === 0) return { commit: undefined, counts: { kept: 0, lost: 0 }, has: () => false }
  const sites = [...source.rows('SELECT id, name FROM sites WHERE id > ? ORDER BY id LIMIT 1', 'site')]
  // By their keys: the table has no numbers of its own to go on from behind a damaged row.
  const trustOf = source.lookup(
    `SELECT ${TRUST_COLUMNS} FROM signal_trust WHERE site = ? AND kind = ?`,
    'what is known of signals',
  )
  const trust = sites.flatMap(([site]) => EVIDENCE_KINDS.map((kind) => trustOf(site, kind)))
  const sound = soundSignals({ sites, trust: trust.filter((row) => row !== undefined) })
  source.problems.push(...sound.faults)
  const known = new Set(sound.sites.map(({ number }) => number))
  return {
    commit: known.size === 0 ? undefined : { isAll: true, sites: sound.sites, trust: sound.trust },
    counts: { kept: known.size, lost: sites.length - known.size },
    has: (site) => known.has(site),
  }
}
