import type { Key } from '../documents.js'

const AUTHORITY = /^(?:([a-z][a-z0-9+.-]*):)?\/\/(?:[^/?#@]*@)?([^/?#]*)/i
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: ':80', https: ':443' }

/**
 * Where a page lives, for limits per host: the host of a URL, in lower case and with its port unless that is the usual one.
 * Of any other key what precedes its first '/', so that keys like 'shop/item/7' have a host, too.
 */
export function hostOf(key: Key): string {
  const text = String(key)
  const [, scheme = '', authority] = AUTHORITY.exec(text) ?? []
  if (authority === undefined) return text.split('/', 1)[0]!
  const host = authority.toLowerCase()
  const port = DEFAULT_PORTS[scheme.toLowerCase()]
  return port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host
}
