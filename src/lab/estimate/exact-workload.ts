/** A workload as numbers, whole or word by word, and the same in an index. */
import { Freshdex, type ScoringModel } from '../../index.js'
import type { AskedQuery } from '../generated-workload.js'
import { inBatches, pageOptions, recordQueries } from '../page-index.js'
import { type ExactQuery, numberQueries, singleTermQueries } from '../quality/query-words.js'
import type { WorldPage } from '../world.js'
import type { Week } from '../worlds/week-history.js'
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

export function exactWorkload(counted: readonly AskedQuery[]): ExactWorkload {
  const workload = numberQueries(counted, standardTokens)
  return { words: workload.words, queries: { full: workload.queries, single: singleTermQueries(workload) } }
}

/** In memory, with the pages of the first week; nothing of that was measured. */
export async function openMeasured(
  { added }: Week,
  counted: readonly AskedQuery[],
  { terms, scoring, pieces }: { readonly terms: Terms; readonly scoring: ScoringModel; readonly pieces: number },
): Promise<Freshdex<WorldPage>> {
  const workload = { terms, pieces, learn: false, maxQueries: counted.length, halfLifeMs: Number.POSITIVE_INFINITY }
  const options = { ...pageOptions('standard'), scoring, store: false, workload }
  const index = await Freshdex.open<WorldPage>(':memory:', options)
  for (const put of inBatches(added, BATCH)) await index.write({ put }, { at: 0 })
  recordQueries(index, counted)
  return index
}
