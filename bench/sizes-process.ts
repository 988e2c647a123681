/**
 * A process that writes generated pages and prints the CPU microseconds of that by page: node sizes-process.js SPEC.
 * All is done twice, and the second time counts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import { GeneratedRevisions, generatedQueries } from './generated-revisions.js'
import { collectGarbage } from './memory.js'
import { type Contender, contenderOptions, load } from './overhead-contenders.js'
import { cpuUs, untilIdle } from './process-cpu.js'
import { inBatches, type Page } from './snapshot-data.js'

export interface SizeSpec {
  readonly contender: Contender
  /** Of the index, before. */
  readonly pages: number
  /** Of a replay. */
  readonly written: number
  readonly kind: 'revisions' | 'new'
  /** Pages of a write. */
  readonly batch: number
  readonly queries: number
}

/** Small writes come one after another; after so many pages there is time for what goes on behind them. */
const PAGES_BETWEEN_PAUSES = 500
const HOUR_MS = 3_600_000

const { contender, pages, written, kind, batch, queries } = JSON.parse(process.argv[2]!) as SizeSpec
const folder = mkdtempSync(path.join(tmpdir(), 'freshdex-sizes-'))
try {
  const generated = new GeneratedRevisions()
  const asked = generatedQueries(queries)
  const options = contenderOptions(contender, queries, { learns: false })
  const index = await Freshdex.open<Page>(path.join(folder, 'index'), options)
  await load(index, contender, generated.newPages(pages), asked)
  if (contender === 'on') await index.refresh.fit()
  await replay(index, generated, 1)
  process.stdout.write(JSON.stringify((await replay(index, generated, 2)) / written))
  await index.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function replay(index: Freshdex<Page>, generated: GeneratedRevisions, hour: number): Promise<number> {
  const all = kind === 'new' ? generated.newPages(written) : generated.revisions(written)
  const writes: Page[][] = [...inBatches(all, batch)]
  await untilIdle()
  collectGarbage()
  const begin = cpuUs()
  let sincePause = 0
  for (const put of writes) {
    await index.write({ put }, { at: hour * HOUR_MS })
    sincePause += put.length
    if (sincePause < PAGES_BETWEEN_PAUSES) continue
    await untilIdle()
    sincePause = 0
  }
  await untilIdle()
  return cpuUs() - begin
}
