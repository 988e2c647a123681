/**
 * Sites instead of clusters as what is sampled (Cho and Ntoulas, Effective change detection using sampling, VLDB 2002): "SLS" of Tan and Mitra, to compare with.
 * A site has no centroid, so its pages come in random order.
 */
import { parameter } from '../change/law-parameters.js'
import { shuffledNumbers } from './counted-draws.js'
import { groupPages, type PageGroups } from './page-groups.js'
import { MOST_SEED } from './repeated-bisection.js'

export interface SiteGroups extends PageGroups {
  /** By group, in order of first sight. */
  readonly sites: readonly string[]
}

/** `sites`: of each page. */
export function groupBySite(sites: readonly string[], seed: number): SiteGroups {
  parameter('seed', seed, { min: 0, max: MOST_SEED, integer: true })
  const numbers = new Map<string, number>()
  const assignment = Uint32Array.from(sites, (site) => {
    if (!numbers.has(site)) numbers.set(site, numbers.size)
    return numbers.get(site)!
  })
  const places = shuffledNumbers(sites.length, seed)
  return { ...groupPages(assignment, numbers.size, (a, b) => places[a]! - places[b]!), sites: [...numbers.keys()] }
}
