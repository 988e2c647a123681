import type { Key } from './keys.js'

const AUTHORITY = /^(?:([a-z][a-z0-9+.-]*):)?\/\/(?:[^/?#@]*@)?([^/?#]*)/i
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: ':80', https: ':443' }

/**
 * Where a page lives, for limits per host: the host of a URL, in lower case and with its port unless that is the usual
 * one. Of any other key what precedes its first '/', so that keys like 'shop/item/7' have a host, too.
 */
export function hostOf(key: Key): string {
  const text = String(key)
  const [, scheme = '', authority] = AUTHORITY.exec(text) ?? []
  if (authority === undefined) return text.split('/', 1)[0]!
  const host = authority.toLowerCase()
  const port = DEFAULT_PORTS[scheme.toLowerCase()]
  return port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host
}

/** Those that are not beyond the limit of their host, in their order. */
export function withinHosts<Item>(items: readonly Item[], perHost: number, keyOf: (item: Item) => Key): Item[] {
  if (perHost === Number.POSITIVE_INFINITY) return [...items]
  const taken = new Map<string, number>()
  return items.filter((item) => {
    const host = hostOf(keyOf(item))
    const before = taken.get(host) ?? 0
    taken.set(host, before + 1)
    return before < perHost
  })
}

/** Hosts and folders one below the other that are told apart. */
const MAX_DEPTH = 9

/** The host and the folders that a page is in, outermost first; none for a key without any. */
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

const AUTHORITY_OF_ADDRESS = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i
