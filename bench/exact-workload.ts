/** A workload as numbers, whole or word by word, and the same in an index. */
import { Freshdex, type ScoringModel } from 'freshdex'
import { type ExactQuery, numberQueries, singleTermQueries } from './counting-parts.js'
import { type CountedQuery, inBatches, type Page, pageOptions, type Week } from './snapshot-data.js'
import { standardTokens } from './standard-tokens.js'

const BATCH = 500

/** 'full': whole queries. 'single': their words, each as heavy as all queries that have it (User-centric crawling, section 5.1). */
export type Terms = 'full' | 'single'
export const TERMS: readonly Terms[] = ['full', 'single']

export interface ExactWorkload {
  /** By number. */
  readonly words: readonly string[]
  readonly queries: Readonly<Record<Terms, readonly ExactQuery[]>>
}

export function exactWorkload(counted: readonly CountedQuery[]): ExactWorkload {
  const workload = numberQueries(counted, standardTokens)
  return { words: workload.words, queries: { full: workload.queries, single: singleTermQueries(workload) } }
}

/** In memory, with the pages of the first week; nothing of that was measured. */
export async function openMeasured(
  { added }: Week,
  counted: readonly CountedQuery[],
  { terms, scoring, pieces }: { readonly terms: Terms; readonly scoring: ScoringModel; readonly pieces: number },
): Promise<Freshdex<Page>> {
  const workload = { terms, pieces, learn: false, maxQueries: counted.length, halfLifeMs: Number.POSITIVE_INFINITY }
  const options = { ...pageOptions('standard'), scoring, store: false, workload }
  const index = await Freshdex.open<Page>(':memory:', options)
  for (const put of inBatches(added, BATCH)) await index.write({ put }, { at: 0 })
  recordQueries(index, counted)
  return index
}

export function recordQueries(index: Freshdex<Page>, counted: readonly CountedQuery[]): void {
  for (const { query, count } of counted)
    if (!index.workload.record(query, { count, at: 0 })) throw new Error(`the query ${query} cannot be measured`)
}
