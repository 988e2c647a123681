/**
 * An index in a folder: is it the same after closing and opening, how long does opening take, clean and with a long log
 * to replay, and how large is it beside its text and beside Lucene's and FTS5's index of the same pages?
 *
 * Claim: an index that took in every version, week by week, and was closed and opened again, passes check() and cannot
 * be told from one in memory.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Freshdex, type PresetName } from 'freshdex'
import { chooseQueries } from './answer-comparison.js'
import type { Bench, BenchRequest } from './bench.js'
import { sizeOfFts5 } from './fts5-peer.js'
import { compareStates, compareStored, replayWeeks } from './index-comparison.js'
import { findLuceneJars, javaVersion, sizeOfLucene } from './lucene-peer.js'
import { medianOf } from './percentiles.js'
import { ANALYZER, type History, type Page, pageOptions, readHistory, readQueries, textBytes } from './snapshot-data.js'
import { wallUs } from './stopwatch.js'

const EXAMPLES = 10
/** More than any log: nothing is flushed. */
const NEVER = Number.MAX_SAFE_INTEGER

export const open: Bench = {
  name: 'open',
  question: 'Is an index the same after closing and opening, how long does opening take, and how large is it?',
  options: {
    queries: { kind: 'count', default: 2000, help: 'as AND; fewer as OR, phrase, prefix and fuzzy' },
    rounds: { kind: 'count', default: 5, help: 'openings of each kind; medians count' },
    analyzer: ANALYZER,
    jars: { kind: 'folder', default: '/usr/share/java', help: 'where the jars of Lucene are' },
  },

  async run(request) {
    const jars = findLuceneJars(request.word('jars'))
    const history = await readHistory(request.folder)
    const work = mkdtempSync(path.join(tmpdir(), 'freshdex-open-'))
    try {
      const folder = path.join(work, 'index')
      const { differences, loadMs } = await roundTrip(request, history, folder)
      const openMs = await openings(request, folder)
      const recovery = await recover(request, history, work)
      await compactFolder(folder)
      const text = textBytes(history.final)
      request.progress('asking Lucene and FTS5 for their sizes')
      const lucene = sizeOfLucene(jars, history.final)
      const fts5 = sizeOfFts5(history.final)
      const segments = sizeOf(path.join(folder, 'segments'))
      const stored = segments + statSync(path.join(folder, 'catalog.db')).size
      const result = {
        pages: history.final.length,
        weeks: history.weeks.length,
        versions: history.versions,
        loadMs,
        differences: differences.length,
        ...(differences.length > 0 ? { examples: differences.slice(0, EXAMPLES) } : {}),
        openMs: { clean: medianOf(openMs), rounds: openMs },
        recovery,
        bytes: {
          text,
          freshdex: { segments, withStored: stored },
          lucene: { index: lucene.plainBytes, withStored: lucene.storedBytes },
          fts5: { index: fts5.plainBytes, withStored: fts5.storedBytes },
        },
        ratios: {
          segmentsToText: segments / text,
          withStoredToText: stored / text,
          segmentsToLucene: segments / lucene.plainBytes,
          withStoredToLucene: stored / lucene.storedBytes,
          segmentsToFts5: segments / fts5.plainBytes,
          withStoredToFts5: stored / fts5.storedBytes,
        },
      }
      const programs = { lucene: lucene.version, java: javaVersion(), sqlite: fts5.version }
      return { result, isClaimKept: differences.length === 0, programs }
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  },
}

async function roundTrip(request: BenchRequest, history: History, folder: string) {
  const settings = pageOptions(request.word<PresetName>('analyzer'))
  request.progress('loading the folder')
  const written = await Freshdex.open<Page>(folder, settings)
  const loadUs = await wallUs(async () => {
    await replayWeeks(request, written, history)
    await written.close()
  })
  request.progress('loading memory')
  const memory = await Freshdex.open<Page>(':memory:', settings)
  await replayWeeks(request, memory, history)
  const reopened = await Freshdex.open<Page>(folder)
  const asked = chooseQueries(memory, await readQueries(request.folder), request.count('queries'))
  request.progress(`comparing ${asked.length} answers`)
  const differences = compareStored(reopened, history)
  differences.push(...(await compareStates({ reopened, memory }, asked)))
  await memory.close()
  await reopened.close()
  return { differences, loadMs: loadUs / 1000 }
}

/** Milliseconds of each opening; the files are in the memory of the operating system. */
async function openings(request: BenchRequest, folder: string): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < request.count('rounds'); round++) {
    let index: Freshdex<Page> | undefined
    times.push((await wallUs(async () => (index = await Freshdex.open<Page>(folder)))) / 1000)
    await index?.close()
  }
  return times
}

/** All weeks in the log and none in segments: as a crash would leave it if nothing were ever flushed. */
async function recover(request: BenchRequest, history: History, work: string) {
  request.progress('loading a log')
  const live = path.join(work, 'live')
  const settings = {
    ...pageOptions(request.word<PresetName>('analyzer')),
    upkeep: { logBytes: NEVER, partitionBytes: 2 ** 40 },
  }
  const index = await Freshdex.open<Page>(live, settings)
  await replayWeeks(request, index, history)
  const logBytes = index.stats().disk?.logBytes ?? 0
  const times: number[] = []
  for (let round = 0; round < request.count('rounds'); round++) {
    // A copy of a folder whose writer is at rest: what a kill would leave behind.
    const copy = path.join(work, `copy-${round}`)
    cpSync(live, copy, { recursive: true })
    let recovered: Freshdex<Page> | undefined
    times.push((await wallUs(async () => (recovered = await Freshdex.open<Page>(copy, { readOnly: true })))) / 1000)
    await recovered?.close()
    rmSync(copy, { recursive: true })
  }
  await index.close()
  const ms = medianOf(times)
  return { logBytes, records: history.versions, ms, recordsPerSecond: (history.versions / ms) * 1000, rounds: times }
}

async function compactFolder(folder: string): Promise<void> {
  const index = await Freshdex.open<Page>(folder)
  await index.compact()
  await index.close()
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0)
}
