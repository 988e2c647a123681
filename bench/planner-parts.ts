/**
 * The parts behind `refresh.next()`, from the compiled library. No other benchmark reaches behind the public entry: here a
 * ledger of a million pages would first need a million documents.
 */
import type * as LedgerModule from '../dist/refresh/ledger.js'
import type * as PlanModule from '../dist/refresh/plan.js'
import type * as BlocksModule from '../dist/refresh/priority-blocks.js'
import type * as RegistryModule from '../dist/refresh/registry.js'

export type { Ledger } from '../dist/refresh/ledger.js'
export type { Candidate } from '../dist/refresh/plan.js'
export type { PriorityBlocks } from '../dist/refresh/priority-blocks.js'
export type { PolicyName } from '../dist/refresh/registry.js'

async function load(name: string): Promise<unknown> {
  // Compiled benchmarks lie two folders below the root, their sources one.
  return import(new URL(`../../dist/refresh/${name}.js`, import.meta.url).href)
}

export async function loadPlanner() {
  const { Ledger } = (await load('ledger')) as typeof LedgerModule
  const { planRefreshes } = (await load('plan')) as typeof PlanModule
  const { PriorityBlocks } = (await load('priority-blocks')) as typeof BlocksModule
  const { createPolicy, POLICY_CARDS, POLICY_NAMES } = (await load('registry')) as typeof RegistryModule
  return { Ledger, planRefreshes, PriorityBlocks, createPolicy, POLICY_CARDS, POLICY_NAMES }
}

export type Planner = Awaited<ReturnType<typeof loadPlanner>>
