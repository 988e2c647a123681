/**
 * What a build of clusters keeps of each document, as rows of numbers: src/refresh/clusters/visits.ts says what they
 * mean. The catalog stores them, whose thread loads no clusters.
 */

/** Amounts of a page whose changes are features: as many as AMOUNT_CHANGES of src/clusters/page-features.ts. */
export const VISIT_AMOUNTS = 8
/** When the document was made, its refreshes, its amounts, and the changes of these; NaN is not known. */
export const VISIT_WIDTH = 2 + 2 * VISIT_AMOUNTS

/** Plain data, to be kept beside the clusters. */
export interface ClusterVisits {
  readonly docs: Uint32Array
  /** VISIT_WIDTH for each document, in their order. */
  readonly rows: Float64Array
}

export const NO_VISITS: ClusterVisits = { docs: new Uint32Array(), rows: new Float64Array() }

export function visitBytes({ rows }: ClusterVisits, nth: number): Uint8Array {
  return new Uint8Array(rows.slice(nth * VISIT_WIDTH, (nth + 1) * VISIT_WIDTH).buffer)
}
