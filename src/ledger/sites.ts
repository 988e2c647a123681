/**
 * The sites that have sent signals: each has a number, from 1 on, that the rows of its pages carry. Together with what
 * is known of their signals they come from the catalog, and a step that changes them becomes durable there.
 */

import { isCount } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { hostOf } from '../base/hosts.js'
import type { Key } from '../base/keys.js'
import type { Step } from '../base/step.js'
import { EVIDENCE_KINDS, type EvidenceKind, type SiteTrust, type TrustRow } from './site-trust.js'

export interface Site {
  readonly number: number
  readonly name: string
}

/** What a write, an observation or signals change. */
export interface SignalCommit {
  /** These are all rows that there are: whatever else the tables hold is damage. */
  readonly isAll: boolean
  readonly sites: readonly Site[]
  readonly trust: readonly TrustRow[]
}

/** Values as the tables have them, whatever they are. */
export interface SignalTables {
  /** Number, name. */
  readonly sites: readonly (readonly unknown[])[]
  /** Site, kind, and the four counts in the order of SignalCounts. */
  readonly trust: readonly (readonly unknown[])[]
}

export interface SiteChanges {
  readonly added: readonly Site[]
  /** REQUIRES: no site was added in between. */
  undo(): void
}

export class Sites {
  readonly #numbers = new Map<string, number>()
  readonly #known = new Set<number>()
  #last = 0
  #added: Site[] = []

  get size(): number {
    return this.#numbers.size
  }

  has(number: number): boolean {
    return this.#known.has(number)
  }

  /** The number of the site that a page belongs to; 0 while the site has sent no signal. */
  numberOf(key: Key): number {
    return this.#numbers.size === 0 ? 0 : (this.#numbers.get(hostOf(key)) ?? 0)
  }

  /** The same for a page of which a signal was heard: its site gets a number if it has none. */
  register(key: Key): number {
    const name = hostOf(key)
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    const site = { number: this.#last + 1, name }
    this.restore(site)
    this.#added.push(site)
    return site.number
  }

  restore({ number, name }: Site): void {
    this.#numbers.set(name, number)
    this.#known.add(number)
    this.reserve(number)
  }

  /** No new site gets this number: there are rows that carry it, whose site is lost. */
  reserve(number: number): void {
    this.#last = Math.max(this.#last, number)
  }

  all(): Site[] {
    return Array.from(this.#numbers, ([name, number]) => ({ number, name }))
  }

  /** The sites since the last time that changes were taken. */
  takeChanges(): SiteChanges {
    const added = this.#added
    this.#added = []
    return { added, undo: () => this.#remove(added) }
  }

  #remove(added: readonly Site[]): void {
    for (const { number, name } of added) {
      this.#numbers.delete(name)
      this.#known.delete(number)
    }
    this.#last -= added.length
  }
}

/** Sites and trust of one index together. */
export class SiteRecords {
  readonly sites = new Sites()
  readonly trust: SiteTrust
  /** The catalog holds rows that make no sense: the next commit writes all of them anew. */
  #isDamaged = false

  constructor(trust: SiteTrust) {
    this.trust = trust
  }

  load(tables: SignalTables): void {
    const { sites, trust, faults } = validSignals(tables)
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
  step(): Step<SignalCommit | undefined> {
    const sites = this.sites.takeChanges()
    const trust = this.trust.takeChanges()
    const isAll = this.#isDamaged
    const undo = () => {
      trust.undo()
      sites.undo()
      this.#isDamaged = isAll
    }
    if (sites.added.length + trust.rows.length === 0) return { rows: undefined, undo }
    this.#isDamaged = false
    const commit = isAll
      ? { isAll, sites: this.sites.all(), trust: this.trust.rows() }
      : { isAll, sites: sites.added, trust: trust.rows }
    return { rows: commit, undo }
  }
}

/** Far beyond any number of sites; the column of the ledger has room for more behind it. */
const MAX_SITE = 2 ** 31

export interface ValidSignals {
  readonly sites: readonly Site[]
  readonly trust: readonly TrustRow[]
  /** What is wrong with the other rows, in words. */
  readonly faults: readonly string[]
}

/** Sites and trust as the catalog gives them back. A row that makes no sense is passed over. */
export function validSignals(tables: SignalTables): ValidSignals {
  const faults: string[] = []
  const sites = new Map<string, Site>()
  for (const [number, name] of tables.sites) {
    if (isCount(number, MAX_SITE) && number > 0 && typeof name === 'string' && !sites.has(name))
      sites.set(name, { number, name })
    else faults.push(`the row of site ${describe(number)} is damaged`)
  }
  const known = new Set(Array.from(sites.values(), ({ number }) => number))
  const trust: TrustRow[] = []
  for (const values of tables.trust) {
    const row = trustRow(values)
    if (row !== undefined && known.has(row.site)) trust.push(row)
    else faults.push(`what is known of signals ${describe(values[1])} of site ${describe(values[0])} is damaged`)
  }
  return { sites: [...sites.values()], trust, faults }
}

function trustRow([site, kind, ...counts]: readonly unknown[]): TrustRow | undefined {
  if (!isCount(site, MAX_SITE) || !EVIDENCE_KINDS.includes(kind as EvidenceKind)) return undefined
  if (!counts.every((count) => isCount(count))) return undefined
  const [signalledChanged, signalledSame, silentChanged, silentSame] = counts as [number, number, number, number]
  return { site, kind: kind as EvidenceKind, signalledChanged, signalledSame, silentChanged, silentSame }
}
