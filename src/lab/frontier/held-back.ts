/** Pages that are taken for not fetched although they are there: a history seldom has enough pages that really are new. */

import { forEachChange, NO_VERSION, type Timeline } from '../quality/timeline.js'
import { Randomness } from '../randomness.js'

/** By page: 1 for each that was drawn, this share of `pages`, rounded. */
export function drawPages(pages: ArrayLike<number>, share: number, seed: number, allPages: number): Uint8Array {
  const random = new Randomness(seed)
  const left = Uint32Array.from(pages)
  const isDrawn = new Uint8Array(allPages)
  const wanted = Math.round(share * left.length)
  for (let count = 0; count < wanted; count++) {
    const at = random.between(count, left.length - 1)
    isDrawn[left[at]!] = 1
    left[at] = left[count]!
  }
  return isDrawn
}

/** Pages of the first step, ascending. */
export function firstPages(timeline: Timeline): Uint32Array {
  const pages: number[] = []
  forEachChange(timeline, 0, (page) => pages.push(page))
  return Uint32Array.from(pages).sort()
}

/** By page, the version that it has at the last step. */
export function lastVersions({ urls, changedPages, changedVersions }: Timeline): Int32Array {
  const versions = new Int32Array(urls.length).fill(NO_VERSION)
  changedPages.forEach((page, at) => {
    versions[page] = changedVersions[at]!
  })
  return versions
}

/** The same world in which these pages come at the second step, as they are by then. */
export function comeLater(timeline: Timeline, isLater: Uint8Array): Timeline {
  if (timeline.atMs.length < 2) throw new RangeError('a world of one step has no moment at which pages could come')
  const pages: number[] = []
  const versions: number[] = []
  const ends: number[] = []
  const waiting = new Map<number, number>()
  const push = (page: number, version: number) => {
    pages.push(page)
    versions.push(version)
  }
  for (let step = 0; step < timeline.atMs.length; step++) {
    forEachChange(timeline, step, (page, version) => {
      if (step === 0 && isLater[page] === 1) waiting.set(page, version)
      else {
        const isUnseen = waiting.delete(page) && version === NO_VERSION
        if (!isUnseen) push(page, version)
      }
    })
    if (step === 1) for (const [page, version] of waiting) push(page, version)
    if (step === 1) waiting.clear()
    ends.push(pages.length)
  }
  return {
    ...timeline,
    changeEnds: Uint32Array.from(ends),
    changedPages: Uint32Array.from(pages),
    changedVersions: Int32Array.from(versions),
  }
}
