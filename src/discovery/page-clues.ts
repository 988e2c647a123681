/** What is known of a page of the frontier before it is fetched. */
import type { PageClues } from '../frontier/expected-score.js'
import { anchorNgrams, MAX_ANCHORS, urlNgrams } from '../frontier/ngrams.js'
import { hostOf } from '../refresh/host.js'
import { anchorsOf, type FrontierPage } from './frontier-page.js'
import type { Lessons } from './lessons.js'

/** At least as many as anchors are known. */
export function inlinksOf(page: FrontierPage): number {
  let anchors = page.anchors === '' ? 0 : 1
  for (let at = page.anchors.indexOf('\n'); at >= 0; at = page.anchors.indexOf('\n', at + 1)) anchors++
  return Math.max(page.inlinks, anchors)
}

/** What the quadratic goes by. */
export function importanceOf(page: FrontierPage): number {
  return Math.log1p(inlinksOf(page))
}

export function cluesOf(page: FrontierPage, lessons: Lessons): PageClues {
  return {
    ...pageCluesOf(page, lessons),
    urlNgrams: urlNgrams(page.url),
    anchorNgrams: anchorsOf(page)
      .slice(0, MAX_ANCHORS)
      .map((anchor) => anchorNgrams([anchor])),
  }
}

/** Without its texts. */
export function pageCluesOf(page: FrontierPage, lessons: Lessons): Omit<PageClues, 'urlNgrams' | 'anchorNgrams'> {
  const host = lessons.host(hostOf(page.url))
  return { url: page.url, inlinks: inlinksOf(page), hostPages: host.pages, hostMeanScore: host.meanScore }
}
