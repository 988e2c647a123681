/**
 * A process that opens an index, writes one week and closes it, and prints the CPU microseconds of that: node
 * cron-process.js SPEC. Week 0 makes the index.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import { WEEK_MS } from './experiment-parts.js'
import { Fts5Pages } from './fts5-peer.js'
import { collectGarbage } from './memory.js'
import { type Contender, contenderOptions, load } from './overhead-contenders.js'
import type { Runner } from './overhead-runs.js'
import { cpuUs } from './process-cpu.js'
import type { CountedQuery, Page, Week } from './snapshot-data.js'

export interface CronSpec {
  readonly runner: Runner
  readonly folder: string
  readonly number: number
  /** Files of JSON. */
  readonly weekFile: string
  readonly queriesFile: string
}

const { runner, folder, number, weekFile, queriesFile } = JSON.parse(process.argv[2]!) as CronSpec
const week = JSON.parse(readFileSync(weekFile, 'utf8')) as Week
const queries = JSON.parse(readFileSync(queriesFile, 'utf8')) as CountedQuery[]
collectGarbage()
const begin = cpuUs()
await (runner === 'fts5' ? writeFts5() : writeIndex(runner))
process.stdout.write(JSON.stringify(cpuUs() - begin))

async function writeIndex(contender: Contender): Promise<void> {
  const options = contenderOptions(contender, queries.length, { learns: true })
  const index = await Freshdex.open<Page>(folder, options)
  if (number === 0) {
    await load(index, contender, week.added, queries)
    if (contender === 'on') await index.refresh.fit()
  } else {
    const { added, replaced, gone } = week
    await index.write({ put: [...added, ...replaced], remove: gone }, { at: number * WEEK_MS })
  }
  await index.close()
}

async function writeFts5(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const pages = new Fts5Pages(path.join(folder, 'pages.db'))
  pages.write(week)
  pages.close()
}
