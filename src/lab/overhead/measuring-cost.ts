/**
 * Indexes in folders that take the same batches in turn: one without measurement, one for each way of measuring, and one that does not even
 * sketch what changes, which all others do.
 */
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { Freshdex, type WriteOverhead } from '../../index.js'
import type { Terms } from '../estimate/exact-workload.js'
import type { AskedQuery } from '../generated-workload.js'
import { inBatches, pageOptions, recordQueries } from '../page-index.js'
import type { WorldPage } from '../world.js'

export type Contender = 'unsketched' | 'without' | Terms
export const CONTENDERS: readonly Contender[] = ['unsketched', 'without', 'full', 'single']
export type Contenders = Readonly<Record<Contender, Freshdex<WorldPage>>>

const LOAD_PAGES = 500

/** Of one batch. */
export interface BatchCost {
  readonly wallMs: number
  /** In the core, by its own clocks. */
  readonly indexMs: number
  readonly measureMs: number
  readonly sketchMs: number
}

/** With the pages given, and the workload fitted. */
export async function openContender(
  folder: string,
  contender: Contender,
  pages: readonly WorldPage[],
  counted: readonly AskedQuery[],
): Promise<Freshdex<WorldPage>> {
  const isMeasured = contender === 'full' || contender === 'single'
  const measured = { learn: false, maxQueries: counted.length, halfLifeMs: Number.POSITIVE_INFINITY }
  const index = await Freshdex.open<WorldPage>(path.join(folder, contender), {
    ...pageOptions('standard'),
    durability: 'process',
    workload: isMeasured ? { ...measured, terms: contender } : false,
    changeProfiles: contender !== 'unsketched',
  })
  for (const put of inBatches(pages, LOAD_PAGES)) await index.write({ put }, { at: 0 })
  if (isMeasured) recordQueries(index, counted)
  await settle(index)
  return index
}

/** Nothing goes on behind the writes any more, and curves are new. */
export async function settle(index: Freshdex<WorldPage>): Promise<void> {
  await index.refresh.fit()
  await index.write({})
}

/** The awaited writes, one after another. Upkeep that one of them causes holds up the next, and counts then. */
export async function costOf(
  index: Freshdex<WorldPage>,
  writes: readonly WorldPage[][],
  atMs: number,
): Promise<BatchCost> {
  const overheads: WriteOverhead[] = []
  const start = performance.now()
  for (const put of writes) overheads.push((await index.write({ put }, { at: atMs })).overhead)
  const wallMs = performance.now() - start
  const sum = (name: keyof WriteOverhead) => overheads.reduce((total, overhead) => total + overhead[name], 0)
  return { wallMs, indexMs: sum('indexMs'), measureMs: sum('measureMs'), sketchMs: sum('sketchMs') }
}
