/** How the documents of an index change, taken together. */
import { behaviourOf, type ChangeBehaviour, type ChangeKind } from './change-account.js'
import type { Ledger } from './ledger.js'

export interface ChangeStats {
  readonly documents: number
  /** Documents by how they change; 'unknown' while there are too few refreshes to tell, or no profile. */
  readonly kinds: Readonly<Record<ChangeKind | 'unknown', number>>
  /** Of the documents that change, by the updates that their fragments survive: ascending. */
  readonly items: readonly { readonly items: number; readonly documents: number }[]
  /** How long fragments stay, over the documents that change; undefined when none does. */
  readonly longevityMs: Quartiles | undefined
  /** How far documents that change end up from old versions. */
  readonly share: Quartiles | undefined
  /** How often documents that change are updated. */
  readonly updatesPerDay: Quartiles | undefined
}

export interface Quartiles {
  readonly lower: number
  readonly median: number
  readonly upper: number
}

/** Rows looked at before the event loop has its turn. */
const PORTION = 2048

/** Looks at the ledger in portions, and at `pause` between them: documents that come and go meanwhile count or not. */
export async function changeStats(ledger: () => Ledger, pause: () => Promise<void>): Promise<ChangeStats> {
  const kinds = { still: 0, churn: 0, scroll: 0, unknown: 0 }
  const moving: ChangeBehaviour[] = []
  for (let doc = 0; doc < ledger().rows; doc++) {
    if (doc % PORTION === PORTION - 1) await pause()
    const { columns } = ledger()
    if (columns.present[doc] !== 1) continue
    const behaviour = behaviourOf(columns, doc)
    kinds[behaviour?.kind ?? 'unknown']++
    if (behaviour !== undefined && behaviour.kind !== 'still') moving.push(behaviour)
  }
  return {
    documents: kinds.still + kinds.churn + kinds.scroll + kinds.unknown,
    kinds,
    items: countsOf(moving.map(({ items }) => items)),
    longevityMs: quartilesOf(moving.map(({ longevityMs = 0 }) => longevityMs)),
    share: quartilesOf(moving.map(({ share }) => share)),
    updatesPerDay: quartilesOf(moving.map(({ updatesPerDay }) => updatesPerDay)),
  }
}

function countsOf(all: readonly number[]): ChangeStats['items'] {
  const counts = new Map<number, number>()
  for (const items of all) counts.set(items, (counts.get(items) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => a - b).map(([items, documents]) => ({ items, documents }))
}

/** Values of the list, not between them. */
function quartilesOf(values: readonly number[]): Quartiles | undefined {
  if (values.length === 0) return undefined
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!
  return { lower: at(0.25), median: at(0.5), upper: at(0.75) }
}
