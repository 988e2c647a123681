/**
 * Parts of the compiled library that no entry shows, to be measured by themselves. `refresh.next()` is measured on a
 * ledger of a million pages, which would otherwise need a million documents; a schedule is measured step by step; and
 * sketches and clusters are measured without the index around them.
 */
import type * as BisectionModule from '../dist/clusters/bisection.js'
import type * as SketchModule from '../dist/frontier/impact/query-sketch.js'
import type * as DeviationModule from '../dist/lab/experiments/schedule/crawl-schemes.js'
import type * as MixtureModule from '../dist/lab/experiments/schedule/update-mixture.js'
import type * as LedgerModule from '../dist/ledger/ledger.js'
import type * as VanDerCorputModule from '../dist/math/draws.js'
import type * as PlanModule from '../dist/refresh/choose/next.js'
import type * as BlocksModule from '../dist/refresh/choose/priority-blocks.js'
import type * as RegistryModule from '../dist/refresh/policies/registry.js'
import type * as AllocationModule from '../dist/schedule/allocation.js'
import type * as IdealModule from '../dist/schedule/ideal-times.js'
import type * as SlotsModule from '../dist/schedule/slots.js'
import type * as TableModule from '../dist/schedule/staleness-table.js'
import type * as TimetableModule from '../dist/schedule/timetable.js'

export type { Ledger } from '../dist/ledger/ledger.js'
export type { Candidate } from '../dist/refresh/choose/next.js'
export type { PriorityBlocks } from '../dist/refresh/choose/priority-blocks.js'
export type { PolicyName } from '../dist/refresh/policies/registry.js'
export type { IdealCrawls, Phasing } from '../dist/schedule/ideal-times.js'
export type { StalenessTable as Table } from '../dist/schedule/staleness-table.js'

async function load(name: string): Promise<unknown> {
  // Compiled benchmarks lie two folders below the root, their sources one.
  return import(new URL(`../../dist/${name}.js`, import.meta.url).href)
}

export async function loadPlanner() {
  const { Ledger } = (await load('ledger/ledger')) as typeof LedgerModule
  const { chooseRefreshes } = (await load('refresh/choose/next')) as typeof PlanModule
  const { PriorityBlocks } = (await load('refresh/choose/priority-blocks')) as typeof BlocksModule
  const { createPolicy, POLICY_CARDS, POLICY_NAMES } = (await load(
    'refresh/policies/registry',
  )) as typeof RegistryModule
  return { Ledger, chooseRefreshes, PriorityBlocks, createPolicy, POLICY_CARDS, POLICY_NAMES }
}

export type Planner = Awaited<ReturnType<typeof loadPlanner>>

export async function loadFrontierParts() {
  const { QuerySketches } = (await load('frontier/impact/query-sketch')) as typeof SketchModule
  const { bisect } = (await load('clusters/bisection')) as typeof BisectionModule
  return { QuerySketches, bisect }
}

export type FrontierParts = Awaited<ReturnType<typeof loadFrontierParts>>

export const { generateMixture } = (await load('lab/experiments/schedule/update-mixture')) as typeof MixtureModule
export const { allocate } = (await load('schedule/allocation')) as typeof AllocationModule
export const { idealCrawls } = (await load('schedule/ideal-times')) as typeof IdealModule
export const { crawlerSlots } = (await load('schedule/slots')) as typeof SlotsModule
export const { StalenessTable } = (await load('schedule/staleness-table')) as typeof TableModule
export const { makeTimetable } = (await load('schedule/timetable')) as typeof TimetableModule
export const { timetableDeviation } = (await load('lab/experiments/schedule/crawl-schemes')) as typeof DeviationModule
export const { vanDerCorput } = (await load('math/draws')) as typeof VanDerCorputModule
