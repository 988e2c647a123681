/** Where a page lives, by its key: its host and folders, and the limit of how many pages one host may have. */
import type { Key } from './keys.js'

const AUTHORITY = /^(?:([a-z][a-z0-9+.-]*):)?\/\/(?:[^/?#@]*@)?([^/?#]*)/i
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: ':80', https: ':443' }

/**
 * The host of a URL, in lower case, with its port unless that is the default of the scheme. The host of any other key
 * is the part before its first '/', so that keys like 'shop/item/7' have a host, too.
 */
export function hostOf(key: Key): string {
  const text = String(key)
  const [, scheme = '', authority] = AUTHORITY.exec(text) ?? []
  if (authority === undefined) return text.split('/', 1)[0]!
  const host = authority.toLowerCase()
  const port = DEFAULT_PORTS[scheme.toLowerCase()]
  return port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host
}

/** Counts the pages taken of each host, and refuses those beyond the limit of a host. */
export class HostLimit {
  readonly #perHost: number
  readonly #taken = new Map<string | number, number>()

  /** `perHost`: the most pages of one host, Infinity for no limit. */
  constructor(perHost: number) {
    this.#perHost = perHost
  }

  /**
   * Takes a page, unless its host has reached the limit; returns whether the page was taken. `host`, which gives its
   * name or a number for that, is called only where hosts are limited.
   */
  take(host: () => string | number): boolean {
    if (this.#perHost === Number.POSITIVE_INFINITY) return true
    const name = host()
    const before = this.#taken.get(name) ?? 0
    if (before >= this.#perHost) return false
    this.#taken.set(name, before + 1)
    return true
  }
}

/** The items, in their order, without those beyond the limit of their host. */
export function withinHosts<Item>(items: readonly Item[], perHost: number, keyOf: (item: Item) => Key): Item[] {
  const hosts = new HostLimit(perHost)
  return items.filter((item) => hosts.take(() => hostOf(keyOf(item))))
}

const AUTHORITY_OF_ADDRESS = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i
/** The host counts as one level; deeper folders are not told apart. */
const MAX_DEPTH = 9

/** The host and the folders that a page is in, outermost first; empty for a key without any. */
export function foldersOf(key: Key): string[] {
  if (typeof key !== 'string' || !key.includes('/')) return []
  const [path] = key.split(/[?#]/, 1) as [string]
  const authority = AUTHORITY_OF_ADDRESS.exec(path)
  const folders = path
    .slice(authority === null ? 0 : authority[0].length)
    .split('/')
    .filter((part) => part !== '')
    .slice(0, -1)
  return (authority === null ? folders : [hostOf(key), ...folders]).slice(0, MAX_DEPTH)
}
