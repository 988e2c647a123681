/** Sites to sample (Tan and Mitra, section 6: "SLS"), also where all pages are of one host. */
import { hostOf } from '../../refresh/host.js'

/** Fewer sites than this are no choice. */
const LEAST_SITES = 5
const MOST_SEGMENTS = 8

export interface PathSites {
  /** By page. */
  readonly sites: readonly string[]
  /** Segments of a path that are part of the name of a site; 0: a site is a host. */
  readonly segments: number
}

/** Hosts, or hosts with the first segments of the path: as few as make five sites. Where no number does, the one that makes most. */
export function pathSites(urls: readonly string[], segments?: number): PathSites {
  if (segments !== undefined) return { sites: urls.map((url) => siteOf(url, segments)), segments }
  let best: PathSites | undefined
  let most = 0
  for (let tried = 0; tried <= MOST_SEGMENTS && most < LEAST_SITES; tried++) {
    const sites = urls.map((url) => siteOf(url, tried))
    const count = new Set(sites).size
    if (count > most) best = { sites, segments: tried }
    most = Math.max(most, count)
  }
  return best!
}

/** The last segment names the page itself, unless a slash follows it. */
function siteOf(url: string, segments: number): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '')
  const folders = path.split('/').slice(1, -1)
  return [hostOf(url), ...folders.slice(0, segments)].join('/')
}
