/** The scenes of the figures: the last step of the world, in which pages that came after the first step and pages held back are the frontier. */
import { NO_VERSION } from '../quality/timeline.js'
import type { CrawlScene } from './crawl-scene.js'
import type { FrontierInput } from './frontier-input.js'
import { firstPages, lastVersions } from './held-back.js'
import { KnownClues } from './known-clues.js'

/** 1: as it is. 2: the most important fifth of the frontier is fetched, as crawlers do who go by importance (section 6.1 of the paper). */
export type FrontierSet = 1 | 2

export const FRONTIER_SETS: readonly FrontierSet[] = [1, 2]
const PROMOTED_SHARE = 0.2

export function lastScene(input: FrontierInput, set: FrontierSet): CrawlScene {
  const versions = lastVersions(input.timeline)
  const isCrawled = new Uint8Array(versions.length)
  for (const page of firstPages(input.timeline)) {
    if (versions[page] !== NO_VERSION && input.isHeldBack[page] === 0) isCrawled[page] = 1
  }
  const frontier = Uint32Array.from(
    [...versions.keys()].filter((page) => versions[page] !== NO_VERSION && isCrawled[page] === 0),
  )
  const scene = { input, versions, isCrawled, frontier }
  return set === 1 ? scene : promoted(scene)
}

function promoted(scene: CrawlScene): CrawlScene {
  const clues = new KnownClues(scene)
  const count = Math.round(PROMOTED_SHARE * scene.frontier.length)
  const byImportance = [...scene.frontier].sort((a, b) => clues.importance(b) - clues.importance(a) || a - b)
  const isCrawled = scene.isCrawled.slice()
  for (const page of byImportance.slice(0, count)) isCrawled[page] = 1
  return { ...scene, isCrawled, frontier: scene.frontier.filter((page) => isCrawled[page] === 0) }
}
