/** Sites and trust as the catalog gives them back. A row that makes no sense is passed over. */
import type { SignalTables } from '../catalog/signal-rows.js'
import { describe } from '../describe.js'
import { EVIDENCE_KINDS, type EvidenceKind } from './signals/site-evidence.js'
import type { TrustRow } from './signals/site-trust.js'
import type { Site } from './signals/sites.js'

/** Far beyond any number of sites, and room for more behind it in the column of the ledger. */
export const MAX_SITE = 2 ** 31

export interface SoundSignals {
  readonly sites: readonly Site[]
  readonly trust: readonly TrustRow[]
  /** What is wrong with the other rows, in words. */
  readonly faults: readonly string[]
}

export function soundSignals(tables: SignalTables): SoundSignals {
  const faults: string[] = []
  const sites = new Map<string, Site>()
  for (const [number, name] of tables.sites) {
    if (isCount(number, MAX_SITE) && number > 0 && typeof name === 'string' && !sites.has(name))
      sites.set(name, { number, name })
    else faults.push(`the row of site ${describe(number)} is damaged`)
  }
  const known = new Set(Array.from(sites.values(), ({ number }) => number))
  const trust: TrustRow[] = []
  for (const values of tables.trust) {
    const row = trustRow(values)
    if (row !== undefined && known.has(row.site)) trust.push(row)
    else faults.push(`what is known of signals ${describe(values[1])} of site ${describe(values[0])} is damaged`)
  }
  return { sites: [...sites.values()], trust, faults }
}

function trustRow([site, kind, ...counts]: readonly unknown[]): TrustRow | undefined {
  if (!isCount(site, MAX_SITE) || !EVIDENCE_KINDS.includes(kind as EvidenceKind)) return undefined
  if (!counts.every((count) => isCount(count, Number.MAX_SAFE_INTEGER))) return undefined
  const [signalledChanged, signalledSame, silentChanged, silentSame] = counts as [number, number, number, number]
  return { site, kind: kind as EvidenceKind, signalledChanged, signalledSame, silentChanged, silentSame }
}

function isCount(value: unknown, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max
}
