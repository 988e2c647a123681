import { describe } from '../describe.js'
import type { Ledger } from './ledger.js'
import type { Policy } from './policy.js'
import { PriorityBlocks } from './priority-blocks.js'
import { createPolicy, DEFAULT_POLICY, type PolicyName, type PolicyOptions } from './registry.js'
import { withSignals } from './signals/evidence.js'

/** A policy by name, or by name and options. */
export type PolicyChoice =
  | PolicyName
  | { readonly [Name in PolicyName]: { readonly name: Name } & PolicyOptions[Name] }[PolicyName]

/** Policies whose bounds are kept: a question about another one takes the place of the oldest. */
const KEPT = 4

/** Judge without signals: by age alone, or knowing of trust by themselves. */
const WITHOUT_EVIDENCE: ReadonlySet<string> = new Set(['oldest-first', 'lambda-crawl', 'quality-utility'])

/** The policies that are asked about one ledger, each with the bounds that make the next question cheap. */
export class PolicyDesk {
  readonly ledger: Ledger
  readonly #choice: PolicyChoice
  /** By name and options, the last one asked about at the end. */
  readonly #blocks = new Map<string, PriorityBlocks>()

  constructor(ledger: Ledger, choice: PolicyChoice = DEFAULT_POLICY) {
    this.ledger = ledger
    this.#choice = choice
  }

  blocksOf(choice: PolicyChoice = this.#choice): PriorityBlocks {
    const name = JSON.stringify(choice)
    const known = this.#blocks.get(name)
    const blocks = known ?? new PriorityBlocks(this.ledger, policyOf(choice))
    if (known === undefined && this.#blocks.size === KEPT) this.#dropOldest()
    this.#blocks.delete(name)
    this.#blocks.set(name, blocks)
    return blocks
  }

  #dropOldest(): void {
    const [oldest] = this.#blocks.keys()
    this.#blocks.get(oldest as string)?.close()
    this.#blocks.delete(oldest as string)
  }
}

/** TypeError or RangeError for what is no policy. */
export function policyOf(choice: PolicyChoice): Policy {
  const policy = namedPolicy(choice)
  return WITHOUT_EVIDENCE.has(policy.name) ? policy : withSignals(policy)
}

function namedPolicy(choice: PolicyChoice): Policy {
  if (typeof choice !== 'object' || choice === null) return createPolicy(choice)
  const { name, ...options } = choice
  if (name === undefined) throw new TypeError(`policy must have a name, received ${describe(choice)}`)
  return createPolicy(name, options as PolicyOptions[typeof name])
}
