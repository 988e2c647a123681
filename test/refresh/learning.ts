/** The orchard's pages in an index that learns from searches, or as told. */
import { Freshdex, type WorkloadOptions } from 'freshdex'
import { OPTIONS, PAGES, type Page, START } from './orchard.js'

export async function openLearning(
  workload: WorkloadOptions | false = {},
  folder: ':memory:' | (string & {}) = ':memory:',
) {
  const index = await Freshdex.open<Page>(folder, { ...OPTIONS, workload })
  await index.write({ put: [...PAGES] }, { at: START })
  return index
}

export const textsOf = (index: Freshdex<Page>) => index.workload.queries().map(({ query }) => query)
