/** The rankings of one ledger by several policies. */
import type { ReadableLedger } from '../../ledger/ledger.js'
import type { CurrentModel } from '../model/current-model.js'
import { DEFAULT_POLICY, type PolicyChoice, policyOf } from '../policies/registry.js'
import type { GainTotal } from './gain-total.js'
import { PriorityBlocks } from './priority-blocks.js'

/** Policies whose bounds are kept. A question about another policy drops the one that was asked about longest ago. */
const KEPT = 4

/** The rankings of one ledger by policy. Each keeps the bounds that make the next question about the policy cheap. */
export class PolicyRankings {
  readonly ledger: ReadableLedger
  readonly #choice: PolicyChoice
  /** Shared with the policy that judges by it, so that priorities and expected gains agree. */
  readonly #model: CurrentModel | undefined
  readonly #total: GainTotal | undefined
  /** By name and options of the policy, the one asked about last at the end. */
  readonly #blocks = new Map<string, PriorityBlocks>()

  constructor(ledger: ReadableLedger, choice: PolicyChoice = DEFAULT_POLICY, model?: CurrentModel, total?: GainTotal) {
    this.ledger = ledger
    this.#model = model
    this.#total = total
    this.#choice = choice
  }

  /** The ranking by a policy; without one, by the policy that the index was opened with. */
  of(choice: PolicyChoice = this.#choice): PriorityBlocks {
    const name = JSON.stringify(choice)
    const known = this.#blocks.get(name)
    const blocks = known ?? new PriorityBlocks(this.ledger, policyOf(choice), this.#model?.frozen, this.#total)
    if (known === undefined && this.#blocks.size === KEPT) this.#dropOldest()
    this.#blocks.delete(name)
    this.#blocks.set(name, blocks)
    return blocks
  }

  /** Stops following the ledger. */
  close(): void {
    for (const blocks of this.#blocks.values()) blocks.close()
    this.#blocks.clear()
  }

  #dropOldest(): void {
    const [oldest] = this.#blocks.keys()
    this.#blocks.get(oldest as string)?.close()
    this.#blocks.delete(oldest as string)
  }
}
