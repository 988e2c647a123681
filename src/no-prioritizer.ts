import { FreshdexError } from './base/errors.js'
import type { Gate } from './base/gate.js'
import type { Step } from './base/step.js'
import type { SearchEngine, Written } from './engine.js'
import { Frontier, type FrontierOwner } from './frontier/frontier.js'
import { FrontierState } from './frontier/frontier-state.js'
import type { IndexPrioritizer, PrioritizerMemory, RefreshStats } from './prioritizer.js'
import { Clusters } from './refresh/clusters/clusters.js'
import { NO_FITS } from './refresh/measurement.js'
import type { RefreshOwner } from './refresh/owner.js'
import { Refresh } from './refresh/refresh.js'
import { Workload, type WorkloadSetup } from './workload/workload.js'
import { NOTHING_MEASURED } from './workload/workload-options.js'
import { WorkloadState } from './workload/workload-state.js'
import type { CpuAccount, Overhead } from './write/cpu-account.js'

const NO_LEDGER: RefreshStats['ledger'] = {
  documents: 0,
  bytesPerDocument: 0,
  historyBytesPerDocument: 0,
  profileBytesPerDocument: 0,
  signalBytesPerDocument: 0,
  clusterBytesPerDocument: 0,
  memoryBytes: 0,
  damagedRows: 0,
}

const NOTHING_ENTERED: Step<undefined> = { rows: undefined, undo: () => {} }

/**
 * What an index has with `prioritizer: false`: nobody keeps account of writes, and whoever asks the faces of the
 * prioritizer is told how to turn it on.
 */
export class NoPrioritizer implements IndexPrioritizer {
  readonly workload: Workload
  readonly refresh: Refresh
  readonly clusters: Clusters
  readonly frontier: Frontier
  readonly #refuse: () => never
  readonly #engine: SearchEngine
  readonly #cpu: CpuAccount

  constructor(engine: SearchEngine, gate: Gate, cpu: CpuAccount) {
    this.#cpu = cpu
    this.#engine = engine
    this.#refuse = () => {
      // A closed index says so first.
      gate.checkOpen()
      const what = 'refresh, workload, plan, frontier and clusters need one: open it without prioritizer: false'
      throw new FreshdexError('NO_PRIORITIZER', `the index was opened without a prioritizer; ${what}`)
    }
    // Every method of a face asks its owner whether it may go on before it does anything: here everything is refused.
    const owner = new Proxy({}, { get: () => this.#refuse })
    this.workload = new Workload(owner as WorkloadSetup)
    this.refresh = new Refresh(owner as RefreshOwner)
    this.clusters = new Clusters(owner as RefreshOwner)
    this.frontier = new Frontier(owner as FrontierOwner)
  }

  async plan(): Promise<never> {
    return this.#refuse()
  }

  onShifts(): never {
    return this.#refuse()
  }

  memory(): PrioritizerMemory {
    return { measuring: 0, workload: 0, ledger: 0, frontier: 0 }
  }

  stats(): RefreshStats {
    const workload = new WorkloadState(NOTHING_MEASURED, this.#engine, () => 0).stats
    return {
      workload: { ...workload, learning: 'off', waiting: 0, inboxFailure: undefined },
      measurement: { ...NO_FITS, ...this.#cpu.stats() },
      ledger: NO_LEDGER,
      signals: [],
      frontier: new FrontierState(undefined).stats,
    }
  }

  async ready(): Promise<void> {}

  enter(): Step<undefined> {
    return NOTHING_ENTERED
  }

  enterReweighed(): Step<undefined> {
    return NOTHING_ENTERED
  }

  async afterWrite(written: Written): Promise<Overhead> {
    return this.#cpu.report(written, { isFitting: false })
  }

  async takeOverStored(): Promise<void> {}

  async caughtUp(): Promise<void> {}

  warmUp(): void {}

  suggestedQueries(): readonly never[] {
    return []
  }

  likeQueries(): readonly never[] {
    return []
  }

  learn(): void {}

  async takeOverInbox(): Promise<void> {}

  async settled(): Promise<void> {}

  stopJudging(): void {}

  async save(): Promise<void> {}
}
