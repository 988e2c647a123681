/**
 * What a crawler learned when it fetched pages before. No history tells it, so a part of the fetched pages is taken for the frontier of a cycle before, known as
 * the frontier is known now; the rest is what had been fetched by then.
 */
import { fitQuadratic, type Quadratic } from '../../frontier/query-independent.js'
import type { RegressionTree } from '../../frontier/regression-tree.js'
import { NO_VERSION } from '../quality/timeline.js'
import { type CrawlScene, trueImpacts } from './crawl-scene.js'
import { FrontierMatches } from './expected-scores.js'
import { drawPages } from './held-back.js'

/** The share of the fetched pages that the cycle before fetched. */
const PAST_SHARE = 0.2

export interface PastCycle {
  readonly matches: FrontierMatches
  /** Undefined where no page matched any query. */
  readonly tree: RegressionTree | undefined
  /** Impact by importance; undefined where nothing was fetched. */
  readonly quadratic: Quadratic | undefined
}

export function pastCycle(scene: CrawlScene): PastCycle {
  const past = pastScene(scene)
  const matches = new FrontierMatches(past)
  const impacts = trueImpacts(past, scene.input.scores.weights)
  const importance = Array.from(past.frontier, (page) => matches.clues.importance(page))
  return {
    matches,
    tree: matches.teach(),
    quadratic: fitQuadratic(
      importance,
      Array.from(past.frontier, (page) => impacts[page]!),
    ),
  }
}

function pastScene({ input, versions, isCrawled }: CrawlScene): CrawlScene {
  const crawled = Array.from(versions.keys()).filter((page) => isCrawled[page] === 1 && versions[page] !== NO_VERSION)
  // Another stream of chance than that of the pages held back.
  const isPast = drawPages(crawled, PAST_SHARE, input.spec.seed ^ 0x5bd1e995, versions.length)
  return {
    input,
    versions,
    isCrawled: isCrawled.map((is, page) => (is === 1 && isPast[page] === 0 ? 1 : 0)),
    frontier: Uint32Array.from(crawled.filter((page) => isPast[page] === 1)),
  }
}
