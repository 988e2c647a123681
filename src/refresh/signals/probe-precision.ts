import type { SiteEvidence } from './site-evidence.js'

/** What probes go by: headers that a server sends with a page. */
const HEADER_KINDS = ['etag', 'last-modified'] as const
/** A site's headers are believed until so many refreshes after a signal by them have shown otherwise. */
const PRIOR_RIGHT = 4

/**
 * How many of the pages of a site that are said to have changed, by their headers, have changed: above 0, 1 where nothing is known. An ETag that is new at
 * every deployment comes near 0.
 */
export function probePrecision(evidence: SiteEvidence | undefined): number {
  let right = PRIOR_RIGHT
  let all = PRIOR_RIGHT
  for (const kind of HEADER_KINDS) {
    const counts = evidence?.counts.get(kind)
    if (counts === undefined) continue
    right += counts.signalledChanged
    all += counts.signalledChanged + counts.signalledSame
  }
  return right / all
}
