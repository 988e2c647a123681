/**
 * PageRank of pages that link to each other (Tan and Mitra, Eq. 2):
 *
 *   PR(p) = (1 - d) / N + d Σ over pages q that link to p of PR(q) / (links of q).
 *
 * A page without links is taken to link to all, so that the ranks sum up to 1.
 */
import { describe } from '../describe.js'
import { numberOption } from '../option-checks.js'

const DEFAULT_DAMPING = 0.85
/** Steps end when all ranks together move by less. */
const TOLERANCE = 1e-10
const MAX_STEPS = 1000

/** `links`: by page, the numbers of the pages that it links to. */
export function pageRanks(links: readonly ArrayLike<number>[], damping?: number): Float64Array {
  const d = numberOption('damping', damping, DEFAULT_DAMPING, { min: 0, max: 1 - 1e-3 })
  const pages = links.length
  checkLinks(links)
  let ranks = new Float64Array(pages).fill(1 / pages)
  let next = new Float64Array(pages)
  for (let step = 0; step < MAX_STEPS; step++) {
    let idle = 0
    next.fill(0)
    for (let page = 0; page < pages; page++) {
      const targets = links[page]!
      if (targets.length === 0) idle += ranks[page]!
      const share = (d * ranks[page]!) / targets.length
      for (let at = 0; at < targets.length; at++) next[targets[at]!]! += share
    }
    const base = (1 - d + d * idle) / pages
    let moved = 0
    for (let page = 0; page < pages; page++) {
      next[page]! += base
      moved += Math.abs(next[page]! - ranks[page]!)
    }
    ;[ranks, next] = [next, ranks]
    if (moved < TOLERANCE) break
  }
  return ranks
}

function checkLinks(links: readonly ArrayLike<number>[]): void {
  links.forEach((targets, page) => {
    for (let at = 0; at < targets.length; at++) {
      const target = targets[at]
      if (Number.isInteger(target) && target! >= 0 && target! < links.length) continue
      throw new RangeError(`links[${page}][${at}] must be a page below ${links.length}, received ${describe(target)}`)
    }
  })
}
