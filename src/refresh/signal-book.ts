/** Sites and trust of one index together: how they come from the catalog, and how a step that changes them becomes durable. */
import type { SignalCommit, SignalTables } from '../catalog/signal-rows.js'
import type { SiteTrust } from './signals/site-trust.js'
import { Sites } from './signals/sites.js'
import { MAX_SITE, soundSignals } from './stored-signals.js'

/** What one step has changed. */
export interface SignalStep {
  /** Undefined when nothing has. */
  readonly commit: SignalCommit | undefined
  undo(): void
}

export class SignalBook {
  readonly sites = new Sites()
  readonly trust: SiteTrust
  /** What the catalog holds is to be written anew. */
  #isDamaged = false

  constructor(trust: SiteTrust) {
    this.trust = trust
  }

  load(tables: SignalTables): void {
    const { sites, trust, faults } = soundSignals(tables)
    for (const site of sites) this.sites.restore(site)
    for (const row of trust) this.trust.restore(row)
    this.#isDamaged = faults.length > 0
  }

  /** The site that a row says it is of, or 0 for one that nothing is known of. */
  siteOfRow(site: number): number {
    if (site === 0 || this.sites.has(site)) return site
    // Rows go on carrying it: it must not become another site's number.
    if (site <= MAX_SITE) this.sites.reserve(site)
    return 0
  }

  /** What has changed since the last step. */
  takeStep(): SignalStep {
    const sites = this.sites.takeChanges()
    const trust = this.trust.takeChanges()
    const isAll = this.#isDamaged
    const undo = () => {
      trust.undo()
      sites.undo()
      this.#isDamaged = isAll
    }
    if (sites.added.length + trust.rows.length === 0) return { commit: undefined, undo }
    this.#isDamaged = false
    const commit = isAll
      ? { isAll, sites: this.sites.all(), trust: this.trust.rows() }
      : { isAll, sites: sites.added, trust: trust.rows }
    return { commit, undo }
  }
}
