/**
 * What a crawler knows of pages without having fetched them: their URLs, and the links from pages that it has fetched. Nothing here comes from the text or the
 * title of the page itself. A site has one host, so what the expected score takes for the host is the folder of the page.
 */
import type { PageClues } from '../../frontier/expected-score.js'
import { MAX_ANCHORS, ngramsOf, textWords, urlNgrams } from '../../frontier/ngrams.js'
import { NO_VERSION } from '../quality/timeline.js'
import { type CrawlScene, forEachMatch } from './crawl-scene.js'
import { forEachLink } from './page-links.js'

interface FolderSums {
  pages: number
  matches: number
  scores: number
}

export class KnownClues {
  readonly #scene: CrawlScene
  readonly #folders = new Map<string, FolderSums>()
  readonly #clues = new Map<number, PageClues>()

  constructor(scene: CrawlScene) {
    this.#scene = scene
    const { input, versions, isCrawled } = scene
    versions.forEach((version, page) => {
      if (version === NO_VERSION || isCrawled[page] !== 1) return
      const sums = this.#folderOf(page)
      sums.pages++
      forEachMatch(input.scores, version, (_, score) => {
        sums.matches++
        sums.scores += score
      })
    })
  }

  of(page: number): PageClues {
    const known = this.#clues.get(page)
    if (known !== undefined) return known
    const clues = this.#read(page)
    this.#clues.set(page, clues)
    return clues
  }

  /** How important a page is without any query: the logarithm of the fetched pages that link to it. */
  importance(page: number): number {
    return Math.log1p(this.of(page).inlinks)
  }

  #read(page: number): PageClues {
    const { input, isCrawled } = this.#scene
    const url = input.timeline.urls[page]!
    const maxWords = input.spec.ngramWords
    const sources = new Set<number>()
    const anchors = new Set<string>()
    forEachLink(input.links, page, (source, anchor) => {
      if (isCrawled[source] !== 1) return
      sources.add(source)
      if (anchors.size < MAX_ANCHORS) anchors.add(anchor)
    })
    const { pages, matches, scores } = this.#folderOf(page)
    return {
      url,
      urlNgrams: urlNgrams(url, { maxWords }),
      anchorNgrams: Array.from(anchors, (anchor) => ngramsOf([textWords(anchor)], maxWords)),
      inlinks: sources.size,
      hostPages: pages,
      hostMeanScore: matches === 0 ? 0 : scores / matches,
    }
  }

  #folderOf(page: number): FolderSums {
    const url = this.#scene.input.timeline.urls[page]!
    const folder = url.replace(/\/[^/]*\/?$/, '')
    let sums = this.#folders.get(folder)
    if (sums === undefined) {
      sums = { pages: 0, matches: 0, scores: 0 }
      this.#folders.set(folder, sums)
    }
    return sums
  }
}
