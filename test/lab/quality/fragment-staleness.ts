/**
 * How much of what copies say is not what their pages say (Olston and Pandey, Recrawl scheduling based on information
 * longevity, WWW 2008, Eq. 1 and 3): the mean over all copies of the difference of their shingles. A page that is gone
 * says nothing.
 */
import { type ShingleSet, shingleDifference } from '../../../src/change/sketches.js'
import { isFresh, meanOverCopies } from '../../../src/lab/quality/freshness.js'
import type { CopyColumns } from '../../../src/lab/quality/repository-quality.js'
import { NO_VERSION } from '../../../src/lab/quality/timeline.js'

const NOTHING: ShingleSet = new BigUint64Array()

/** `shingles`: by version. `weights`: W of Eq. 1 by page, 1 for all unless given. */
export function fragmentStaleness(
  copies: CopyColumns,
  shingles: readonly ShingleSet[],
  weights?: Float64Array,
): number {
  return meanOverCopies(copies, 0, (page) => {
    if (isFresh(copies, page)) return 0
    const live = copies.live[page]!
    const difference = shingleDifference(
      shingles[copies.local[page]!]!,
      live === NO_VERSION ? NOTHING : shingles[live]!,
    )
    return (weights?.[page] ?? 1) * difference
  })
}
