/** From which domains the pages are (Tan and Mitra, Table 1). */

import { hostOf } from '../../../base/hosts.js'
import { topLevelDomainOf } from '../../../clusters/page-facts.js'

export interface DomainRow {
  /** The top-level domain; '' where hosts have none, such as addresses. */
  readonly domain: string
  readonly hosts: number
  /** As they are sampled: hosts, or their folders where there is one host. */
  readonly sites: number
  readonly pages: number
  /** Of all pages. */
  readonly share: number
}

/** By pages, most first; of equals by name. `sites`: by page. */
export function domainRows(urls: readonly string[], sites: readonly string[]): DomainRow[] {
  const found = new Map<string, { hosts: Set<string>; sites: Set<string>; pages: number }>()
  urls.forEach((url, page) => {
    const domain = topLevelDomainOf(url)
    const known = found.get(domain) ?? { hosts: new Set(), sites: new Set(), pages: 0 }
    known.hosts.add(hostOf(url))
    known.sites.add(sites[page]!)
    known.pages++
    found.set(domain, known)
  })
  return Array.from(found, ([domain, row]) => ({
    ...{ domain, hosts: row.hosts.size, sites: row.sites.size, pages: row.pages, share: row.pages / urls.length },
  })).sort((a, b) => b.pages - a.pages || (a.domain < b.domain ? -1 : 1))
}
