/**
 * Everything that names pages to refresh, as choosers of one replay: the policies of the product and those of the lab.
 */
import { ChangeSignals } from '../../src/lab/choosers/change-signals.js'
import { type ChoosingContext, GAIN_ESTIMATORS, QUALITY_POLICIES } from '../../src/lab/experiments/quality/policies.js'
import { type Chooser, replay } from '../../src/lab/quality/replay.js'
import type { RepositoryQuality, ScoredWorld } from '../../src/lab/quality/repository-quality.js'
import { NO_VERSION } from '../../src/lab/quality/timeline.js'
import { Ledger } from '../../src/ledger/ledger.js'
import { chooseRefreshes } from '../../src/refresh/choose/next.js'
import { PriorityBlocks } from '../../src/refresh/choose/priority-blocks.js'
import { policyOf } from '../../src/refresh/policies/registry.js'
import { randomVersion } from '../support/ledgers.js'
import { type SeededRandom, seededRandom } from '../support/seed.js'
import { VARIANTS } from './variants.js'

export interface ChooserCase {
  readonly name: string
  readonly make: () => Chooser
}

/**
 * The policies of the product by themselves; the lab's own in all their modes. `random`: of what the lab's policies are
 * given.
 */
export function chooserCases(world: ScoredWorld, budget: number, seed: number, random: SeededRandom): ChooserCase[] {
  const ofProduct = VARIANTS.map(([name, choice]) => ({
    name,
    make: () => new LedgerChooser(new Ledger(), (ledger) => new PriorityBlocks(ledger, policyOf(choice))),
  }))
  return [...ofProduct, ...labCases(world, budget, seed, random)]
}

function labCases(world: ScoredWorld, budget: number, seed: number, random: SeededRandom): ChooserCase[] {
  const column = () => Float64Array.from(world.timeline.changedPages, () => (random.chance(0.3) ? 0 : random.next()))
  const gains = Object.fromEntries(GAIN_ESTIMATORS.map((name) => [name, column()]))
  const differences = column()
  const rates = { missRate: 0.2, falseAlarmRate: 0.1 }
  return QUALITY_POLICIES.flatMap(({ name, modes, choose, indexPolicy, thresholds = [0] }) =>
    modes.flatMap((mode) =>
      choose === undefined || indexPolicy?.modes.includes(mode)
        ? []
        : thresholds.map((threshold) => ({
            name: `${name} ${mode} ${threshold}`,
            make: () => {
              const signals = mode === 'signals' ? new ChangeSignals(world.timeline, rates, seed) : undefined
              const context: ChoosingContext = { ...world, mode, budget, seed, signals, differences, gains, threshold }
              return choose(context)
            },
          })),
    ),
  )
}

/** A policy of the product, with a ledger that is told of its refreshes as an index would tell it. */
class LedgerChooser implements Chooser {
  readonly #ledger: Ledger
  readonly #blocks: PriorityBlocks
  #state: RepositoryQuality | undefined

  constructor(ledger: Ledger, judge: (ledger: Ledger) => PriorityBlocks) {
    this.#ledger = ledger
    this.#blocks = judge(ledger)
  }

  start(state: RepositoryQuality): void {
    this.#state = state
    state.copies.local.forEach((version, page) => {
      if (version !== NO_VERSION) this.#ledger.created(page, state.atMs, sketchOf(version))
    })
    this.#takeStakes()
  }

  next(_step: number, budget: number): number[] {
    this.#takeStakes()
    return chooseRefreshes({ candidates: this.#blocks.top(this.#state!.atMs), budget }).map(({ doc }) => doc)
  }

  observe(page: number, { kind, deltaQuality }: Parameters<Chooser['observe']>[1]): void {
    const { atMs, copies } = this.#state!
    const gain = Math.max(0, deltaQuality)
    if (kind === 'gone') this.#ledger.gone(page, atMs)
    else if (kind === 'added') this.#ledger.created(page, atMs, sketchOf(copies.live[page]!))
    else this.#ledger.refreshed(page, atMs, kind, gain, kind === 'same' ? undefined : sketchOf(copies.live[page]!))
  }

  #takeStakes(): void {
    this.#state!.stakes().forEach((stake, page) => {
      if (this.#ledger.rowOf(page) !== undefined) this.#ledger.setStake(page, stake)
    })
  }
}

function sketchOf(version: number) {
  return randomVersion(seededRandom('version', version))
}

/** Every choice of a replay; the replay itself refuses what is beyond the budget, named twice or not there. */
export function choicesOf(world: ScoredWorld, chooser: Chooser, budget: number): number[][] {
  const choices: number[][] = []
  const next = (step: number, allowance: number) => {
    const chosen = [...chooser.next(step, allowance)]
    choices.push(chosen)
    return chosen
  }
  replay(
    world,
    { start: (state) => chooser.start?.(state), next, observe: (page, outcome) => chooser.observe(page, outcome) },
    { budget },
  )
  return choices
}
