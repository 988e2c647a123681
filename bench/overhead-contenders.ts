/**
 * The same pages written by an index with everything on, without what measures, without a prioritizer, and by SQLite's
 * FTS5.
 */
import type { Freshdex, OpenOptions } from 'freshdex'
import { type CountedQuery, inBatches, type Page, pageOptions } from './snapshot-data.js'

/**
 * 'on': everything. 'off': no workload and no change profiles, but a ledger. 'bare': `prioritizer: false`, which is an
 * index and nothing else.
 */
export const CONTENDERS = ['on', 'off', 'bare'] as const
export type Contender = (typeof CONTENDERS)[number]

const LOAD_PAGES = 500

/** Queries do not fade: what is measured must not depend on the day. */
export function contenderOptions(
  contender: Contender,
  queries: number,
  { learns }: { readonly learns: boolean },
): OpenOptions<Page> {
  const options = pageOptions('standard')
  if (contender === 'bare') return { ...options, prioritizer: false }
  if (contender === 'off') return { ...options, workload: false, changeProfiles: false }
  return { ...options, workload: { learn: learns, maxQueries: queries, halfLifeMs: Number.POSITIVE_INFINITY } }
}

/** Writes the first pages and tells what is asked. */
export async function load(
  index: Freshdex<Page>,
  contender: Contender,
  pages: readonly Page[],
  queries: readonly CountedQuery[],
): Promise<void> {
  for (const put of inBatches(pages, LOAD_PAGES)) await index.write({ put }, { at: 0 })
  if (contender !== 'on') return
  await index.workload.load(queries.map(({ query, count }) => [query, count] as const))
}
