import type { Ledger } from '../../ledger/ledger.js'
import { DEFAULT_POLICY, type PolicyChoice, policyOf } from '../policies/registry.js'
import { PriorityBlocks } from './priority-blocks.js'

/** Policies whose bounds are kept: a question about another one takes the place of the oldest. */
const KEPT = 4

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
