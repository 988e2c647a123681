/** How much of what was downloaded had changed (Douglis et al., as used by Tan and Mitra, Clustering-based incremental web crawling). */

export interface DownloadCycle {
  readonly downloaded: number
  /** How many of them had changed; for the weighted ratio, the sum of their weights. */
  readonly changed: number
}

/** Mean over the cycles that downloaded anything; 0 without any. */
export function changeRatio(cycles: Iterable<DownloadCycle>): number {
  let [sum, count] = [0, 0]
  for (const { downloaded, changed } of cycles) {
    if (downloaded === 0) continue
    sum += changed / downloaded
    count++
  }
  return count === 0 ? 0 : sum / count
}
