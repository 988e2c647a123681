/** What the index of `million` is like, for the process that makes it and the one that asks it. */
import type { OpenOptions } from 'freshdex'

export const DAY_MS = 24 * 3_600_000
/** Pages came in the hundred days from here on, and were refreshed in the two hundred after these. */
export const START_MS = Date.UTC(2026, 0, 1)
export const MILLION_QUERIES = 10_000

export interface MillionPage {
  readonly url: string
  readonly body: string
}

export const MILLION_OPTIONS: OpenOptions<MillionPage> = {
  key: 'url',
  fields: { body: {} },
  store: false,
  workload: { learn: false, halfLifeMs: Number.POSITIVE_INFINITY, maxQueries: MILLION_QUERIES },
}
