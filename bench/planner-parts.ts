/**
 * The parts behind `refresh.next()`, from the compiled library. No other benchmark reaches behind the public entry:
 * here a ledger of a million pages would first need a million documents.
 */
import type * as LedgerModule from '../dist/ledger/ledger.js'
import type * as PlanModule from '../dist/refresh/choose/next.js'
import type * as BlocksModule from '../dist/refresh/choose/priority-blocks.js'
import type * as RegistryModule from '../dist/refresh/policies/registry.js'

export type { Ledger } from '../dist/ledger/ledger.js'
export type { Candidate } from '../dist/refresh/choose/next.js'
export type { PriorityBlocks } from '../dist/refresh/choose/priority-blocks.js'
export type { PolicyName } from '../dist/refresh/policies/registry.js'

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
