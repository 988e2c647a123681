/** The sites that have sent signals: each has a number, from 1 on, that the rows of its pages carry. */
import type { Key } from '../../documents.js'
import { hostOf } from '../host.js'

export interface Site {
  readonly number: number
  readonly name: string
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

  /** Of the site that a page belongs to; 0 while that has sent no signal. */
  numberOf(key: Key): number {
    return this.#numbers.size === 0 ? 0 : (this.#numbers.get(hostOf(key)) ?? 0)
  }

  /** The same for a page that has a signal: its site gets a number if it has none. */
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

  /** No site to come gets this number: rows carry it whose site is lost. */
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
