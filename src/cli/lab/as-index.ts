/** An experiment that scores and asks as an index does. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { answeringOf, askedOf } from '../../lab/experiments/quality/index-answering.js'
import type { QualitySpec } from '../../lab/experiments/quality/spec.js'
import { folderName } from '../../lab/worlds/folder-tables.js'
import { LINKS_FILE, QUERIES_FILE } from '../../lab/worlds/snapshot-format.js'
import { withLearnt, withReader } from '../index-access.js'
import { UsageError } from '../options.js'

interface AskedFolder {
  readonly data: string
  /** So many queries at most. */
  readonly queries: number
  readonly queriesFile?: string | undefined
}

/** What the index says of a run. Its workload is asked where the folder does not say what people ask. */
export async function asIndex(
  dir: string,
  { data, queries, queriesFile }: AskedFolder,
): Promise<Pick<QualitySpec, 'scoring' | 'answering' | 'asked'>> {
  const hasLinks = existsSync(path.join(data, LINKS_FILE))
  const hasQueries = queriesFile !== undefined || existsSync(path.join(data, QUERIES_FILE))
  const answering = await withReader(dir, (index) => answeringOf(folderName(dir), index.stats(), hasLinks))
  if (hasQueries) return { scoring: answering.model, answering }
  const asked = await withLearnt(dir, (index) => askedOf(index.workload, queries)).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error
    const remedy = `put a ${QUERIES_FILE} into ${data}, each line a query, a tab and how often it is asked`
    throw new UsageError(`${error.message}; ${remedy}`, { cause: error })
  })
  return { scoring: answering.model, answering, asked }
}
